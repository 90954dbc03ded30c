"""The people of a text as a table: drawn on a terminal, plain aligned columns in a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from petra.domain import Person
from petra.english.chapters import Chapter
from petra.people.profiles import PersonProfile
from petra.report.values.summaries import Summary, counted, summarise

_NOBODY = "No people were found."
_MOST_OTHER_NAMES = 4
_MOST_ITEMS = 8  # of one kind in a profile
_COLUMNS = ("", "Name", "Mentions", "Line", "Kinds", "Also called")
_NUMBERS = {"", "Mentions", "Line"}


def show_people(people: Sequence[Person], text: str, console: Console) -> None:
    """Print the people of a text, decorated if the console is a terminal."""
    if console.is_terminal and people:
        console.print(people_table(people, text))
    else:
        # Never wrapped: a pipe has no width.
        console.out(*people_lines(people, text), sep="\n", highlight=False)


def people_table(people: Sequence[Person], text: str) -> Table:
    """The people as a rich table."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in _COLUMNS:
        table.add_column(
            column,
            justify="right" if column in _NUMBERS else "left",
            style={"": "dim", "Name": "bold"}.get(column, ""),
            overflow="fold",
        )
    for summary in summarise(people, text):
        # As Text: a name is never read as rich's markup.
        table.add_row(*(Text(cell) for cell in _cells(summary)))
    return table


def people_lines(people: Sequence[Person], text: str) -> list[str]:
    """The people as aligned columns of plain text, a line each under a line of headings."""
    if not people:
        return [_NOBODY]
    rows = [_COLUMNS, *(_cells(summary) for summary in summarise(people, text))]
    widths = [max(cell_len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    return ["  ".join(map(_padded, row, _COLUMNS, widths)).rstrip() for row in rows]


def profile_lines(profiles: Iterable[PersonProfile], chapters: Sequence[Chapter]) -> list[str]:
    """Profiles as plain text, each a few lines with an empty line after it."""
    return [line for profile in profiles for line in (*_profile(profile, chapters), "")][:-1]


def _profile(profile: PersonProfile, chapters: Sequence[Chapter]) -> Iterator[str]:
    person = profile.person
    kinds = ", ".join(counted(count, kind) for kind, count in profile.kinds.items())
    yield f"{person.id}  {person.name}: {counted(len(person.mentions), 'mention')} ({kinds})"
    if profile.aliases:
        yield "   also called  " + _several(f"{alias.name} {alias.uses}" for alias in profile.aliases)
    if profile.pronouns:
        yield "   pronouns     " + _several(f"{pronoun} {count}" for pronoun, count in profile.pronouns.items())
    yield "   present      " + _presence(profile, chapters)
    if profile.companions:
        yield "   with         " + _several(f"{each.name} {each.paragraphs}" for each in profile.companions)
    if profile.quotations:
        yield f"   speaks       {counted(profile.quotations, 'quotation')}, {counted(profile.words_spoken, 'word')}"
    if profile.addressees:
        yield "   to           " + _several(f"{each.name} {each.quotations}" for each in profile.addressees)


def _presence(profile: PersonProfile, chapters: Sequence[Chapter]) -> str:
    """In how many chapters somebody is, the first, the last and those with the most mentions; or the tenths."""
    counts = profile.presence
    if profile.presence_by == "tenth":
        return "in the tenths of the text: " + " ".join(map(str, counts))
    found = [place for place, count in enumerate(counts) if count]
    if not found:
        return "before the first chapter"
    most = max(found, key=lambda place: counts[place])
    return (
        f"in {len(found)} of {counted(len(counts), 'chapter')}, from {_chapter(chapters[found[0]])} to "
        f"{_chapter(chapters[found[-1]])}; most in {_chapter(chapters[most])}: {counts[most]}"
    )


def _chapter(chapter: Chapter) -> str:
    return chapter.heading if chapter.part is None else f"{chapter.part}, {chapter.heading}"


def _several(items: Iterable[str]) -> str:
    """The first of some items, and how many more there are."""
    found = list(items)
    more = len(found) - _MOST_ITEMS
    return ", ".join([*found[:_MOST_ITEMS], f"{more} more"] if more > 0 else found)


def _cells(summary: Summary) -> tuple[str, ...]:
    names = summary.other_names[:_MOST_OTHER_NAMES]
    more = len(summary.other_names) - len(names)
    return (
        str(summary.id),
        summary.name,
        str(summary.mentions),
        str(summary.first_line),
        summary.kinds,
        ", ".join([*names, f"{more} more"] if more else names),
    )


def _padded(cell: str, column: str, width: int) -> str:
    # Wide characters take two places, combining marks none.
    space = " " * (width - cell_len(cell))
    return space + cell if column in _NUMBERS else cell + space
