r"""CorefUD: CoNLL-U with the people under ``Entity`` in the last column.

An entity has the fields ``eid-etype-head-other``: its number, "person", the head word of the mention, and
the kind of the mention. What stands between tokens is kept, as UDPipe does, under ``SpaceAfter`` and
``SpacesAfter`` with ``\s``, ``\t``, ``\n``, ``\r``; other white space is written as its code, ``\u00a0``.
"""

from __future__ import annotations

from petra.english.heads import head_of
from petra.report.export.format import ExportOptions, Files, Format
from petra.report.export.layout import Layout, TokenMention, lay_out
from petra.report.export.names import document_id, one_line
from petra.report.export.tracked import TrackedText

_ESCAPED = {" ": r"\s", "\t": r"\t", "\n": r"\n", "\r": r"\r"}


def _files(tracked: TrackedText, _: ExportOptions) -> Files:
    layout = lay_out(tracked)
    name = document_id(tracked.source)
    entities = _entities(layout)
    lines: list[str] = []
    paragraph = -1
    for number, sentence in enumerate(layout.sentences):
        if number == 0:
            lines += f"# newdoc id = {name}", "# global.Entity = eid-etype-head-other"
            lines += (f"# entity e{person.id} = {one_line(person.name)}" for person in tracked.people)
        if layout.paragraphs[number] != paragraph:
            paragraph = layout.paragraphs[number]
            lines.append(f"# newpar id = {name}-p{paragraph + 1}")
        lines += f"# sent_id = {name}-{number + 1}", f"# text = {_text(layout, sentence)}"
        for place, token in enumerate(sentence, start=1):
            misc = [f"Entity={entities[token]}"] if token in entities else []
            if token == 0 and (before := layout.text[: layout.tokens[0].start]):
                misc.append(f"SpacesBefore={_written(before)}")
            gap = layout.gap(token)
            if gap == "":
                misc.append("SpaceAfter=No")
            elif gap != " ":
                misc.append(f"SpacesAfter={_written(gap)}")
            lines.append("\t".join((str(place), layout.word(token), *["_"] * 7, "|".join(misc) or "_")))
        lines.append("")
    return {".conllu": "".join(f"{line}\n" for line in lines)}


def _entities(layout: Layout) -> dict[int, str]:
    """The brackets at each token that opens or closes mentions.

    A closing bracket has only its number, and must not follow an opening one at once: "(e2-person-1-kind:namee1)".
    """
    opening, closing = layout.opening(), layout.closing()
    found: dict[int, str] = {}
    for token in {*opening, *closing}:
        here = opening.get(token, [])
        single = "".join(f"{_opened(layout, it)})" for it in here if len(it.tokens) == 1)
        opened = "".join(_opened(layout, it) for it in here if len(it.tokens) > 1)
        closed = "".join(f"e{it.person.id})" for it in closing.get(token, ()) if len(it.tokens) > 1)
        found[token] = single + closed + opened if closed else opened + single
    return found


def _opened(layout: Layout, mention: TokenMention) -> str:
    head = head_of([layout.word(token) for token in mention.tokens]) + 1
    return f"(e{mention.person.id}-person-{head}-kind:{mention.mention.kind}"


def _text(layout: Layout, sentence: range) -> str:
    """A sentence as its lines give it: tokens, and a space between those that stand apart."""
    spaced = (layout.word(token) + (" " if layout.gap(token) else "") for token in sentence)
    return "".join(spaced).rstrip(" ")


def _written(gap: str) -> str:
    return "".join(_ESCAPED.get(character, f"\\u{ord(character):04x}") for character in gap)


FORMAT = Format(about="CoNLL-U with coreference, as CorefUD has it", files=_files, can_be_joined=True)
