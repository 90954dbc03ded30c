"""``petra edit``: corrections of a stored tracking."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from petra.cli.console import remark
from petra.domain import Kind

if TYPE_CHECKING:
    from petra.log.edits import Edit
    from petra.people.edits import Editor

_VERBS = "merge, split, rename, delete, move, remove, add, speaker, addressee, apply, undo, list"
_PLACE = re.compile(r"(\d+)(?:-|\.\.)(\d+)")


def edit(
    tracking: Annotated[
        Path, typer.Argument(metavar="TRACKING", help="What `petra track --json` or --log wrote.", show_default=False)
    ],
    verb: Annotated[
        Literal[
            "merge",
            "split",
            "rename",
            "delete",
            "move",
            "remove",
            "add",
            "speaker",
            "addressee",
            "apply",
            "undo",
            "list",
        ],
        typer.Argument(metavar="VERB", help=f"One of {_VERBS}.", show_default=False),
    ],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ARGUMENT]...", help="People by their ids, places as START-END.", show_default=False),
    ] = None,
    to: Annotated[int | None, typer.Option("--to", min=1, help="Person whose they are.")] = None,
    name: Annotated[str | None, typer.Option("--name", help="Name of a new person.")] = None,
    kind: Annotated[
        Kind | None, typer.Option("--kind", help="Kind of an added mention (default: told by its words).")
    ] = None,
    text: Annotated[
        Path | None, typer.Option("--text", metavar="FILE", help="The text of a JSON file (default: its source).")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="OUT", help="Write here instead of into TRACKING.")
    ] = None,
) -> None:
    """Correct the people and quotations of a stored tracking, and keep what was corrected as a file of edits.

    \b
    merge 3 7               persons 3 and 7 are one
    rename 3 "Mrs. Vale"    person 3 has this name
    delete 5                person 5 is none, nor any mention of them
    split 12-15 40-43       these mentions are of somebody else
    move 1204-1207 --to 3   these mentions are of person 3
    remove 1204-1207        these are no mentions of anybody
    add 88-93 --to 3        person 3 is mentioned here; or a new one
    speaker 880-912 --to 3  person 3 says the quotation here; or nobody
    addressee 880-912       it is said to nobody in particular
    apply FILE              edits made on a reading of the same text
    undo                    the last correction is taken back
    list                    the corrections made

    Ids and places are those of the file as it is now: ids may change with a correction. TRACKING is written anew, and
    NAME.edits.jsonl beside it keeps the corrections, which `petra track --edits` applies to a new reading.
    """  # noqa: D301 (the sign keeps the lines apart)
    from petra.log.edits import load_edits, save_edits
    from petra.report.values.tracking_files import open_tracking

    given = arguments or []
    stored = open_tracking(tracking, text)
    editor = stored.editor()
    if verb == "list":
        _check(not given, "list takes no arguments.")
        for number, made in enumerate(editor.edits, start=1):
            typer.echo(f"{number}  {made}")
        for misfit in editor.state.misfits:
            remark(f"{misfit}")
        return
    if verb == "apply":
        _check(len(given) == 1, "apply takes one FILE of edits.")
        _apply(editor, load_edits(Path(given[0])))
    elif verb == "undo":
        _check(not given, "undo takes no arguments.")
        remark(f"Taken back: {editor.undo()}.")
    else:
        _make(editor, verb, given, to, name, kind)
        remark(f"Done: {editor.edits[-1]}.")
    place = out or tracking
    stored.save(place, editor)
    edits_place = place.with_name(f"{place.stem}.edits.jsonl")
    save_edits(edits_place, editor.edits, source=stored.source, characters=len(stored.text))
    mentions = sum(len(person.mentions) for person in editor.people)
    count = len(editor.edits)
    remark(
        f"{len(editor.people):,} people, {mentions:,} mentions, {count} correction{'' if count == 1 else 's'}. "
        f"{place} and {edits_place} written."
    )


def _make(
    editor: Editor,
    verb: Literal["merge", "split", "rename", "delete", "move", "remove", "add", "speaker", "addressee"],
    given: Sequence[str],
    to: int | None,
    name: str | None,
    kind: Kind | None,
) -> None:
    """One correction, as the command line gives it."""
    _check(to is None or verb in ("move", "add", "speaker", "addressee"), f"{verb} takes no --to.")
    _check(name is None or verb in ("split", "add"), f"{verb} takes no --name.")
    _check(kind is None or verb == "add", f"{verb} takes no --kind.")
    if verb == "merge":
        _check(len(given) > 1, "merge takes the ids of two people or more.")
        editor.merge(*map(_id, given))
    elif verb == "rename":
        _check(len(given) == 2, "rename takes the id of a person and a name.")
        editor.rename(_id(given[0]), given[1])
    elif verb == "delete":
        _check(len(given) == 1, "delete takes the id of a person.")
        editor.delete(_id(given[0]))
    elif verb in ("speaker", "addressee"):
        _check(len(given) == 1, f"{verb} takes a place of the quotation, as START-END.")
        (editor.set_speaker if verb == "speaker" else editor.set_addressee)(_place(given[0]), to)
    else:
        _check(bool(given), f"{verb} takes the places of mentions, as START-END.")
        places = [_place(each) for each in given]
        if verb == "split":
            editor.split(places, name)
        elif verb == "remove":
            editor.remove(places)
        elif verb == "add":
            editor.add(places, to, kind=kind, name=name)
        else:
            if to is None:
                raise typer.BadParameter("Say whom the mentions are of: --to ID.", param_hint="--to")
            editor.move(places, to)


def _apply(editor: Editor, edits: Sequence[Edit]) -> None:
    from petra.errors import EditError

    done = 0
    for number, each in enumerate(edits, start=1):
        try:
            editor.do(each)
            done += 1
        except EditError as error:
            remark(f"edit {number} ({each}) no longer fits: {error}")
    remark(f"{done} of {len(edits)} edits applied.")


def _id(argument: str) -> int:
    _check(argument.isdecimal(), f"{argument!r} is not the id of a person, a whole number.")
    return int(argument)


def _place(argument: str) -> tuple[int, int]:
    found = _PLACE.fullmatch(argument)
    if found is None:
        raise typer.BadParameter(f"{argument!r} is not a place; give START-END, as 1204-1207.", param_hint="ARGUMENT")
    return int(found[1]), int(found[2])


def _check(is_fine: bool, words: str) -> None:
    if not is_fine:
        raise typer.BadParameter(words, param_hint="ARGUMENT")
