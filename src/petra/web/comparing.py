"""The differences between two readings as a table for a page."""

from __future__ import annotations

from petra.report.values.summaries import counted
from petra.web.differences import Comparison, Difference, Kind, Placed
from petra.web.pages import Markup, fragment, joined

_MOST_ROWS = 300  # what somebody may look through; the JSON has them all
_AROUND = 40  # characters before and after a place
_COLOURS, _LINES = 6, 4  # of web.css: colours, and styles of the line below a number


def differences_table(comparison: Comparison, text: str, models: tuple[str, str]) -> Markup:
    """A row for each difference: where it is, and what each reading says."""
    if not comparison.differences:
        return Markup("<p>Both readings are the same.</p>")
    shown = comparison.differences[:_MOST_ROWS]
    rows = joined(*(_row(difference, text, models) for difference in shown))
    rest = len(comparison.differences) - len(shown)
    return fragment(
        "differences.html",
        first=models[0],
        second=models[1],
        rows=rows,
        rest=f"And {counted(rest, 'difference')} more, which the JSON lists." if rest else "",
    )


def _row(difference: Difference, text: str, models: tuple[str, str]) -> Markup:
    start, end = difference.span
    return fragment(
        "difference.html",
        kind=_words(difference.kind, models),
        before=("…" if start > _AROUND else "") + text[max(0, start - _AROUND) : start].lstrip(),
        there=text[start:end],
        after=text[end : end + _AROUND].rstrip() + ("…" if end + _AROUND < len(text) else ""),
        first_model=models[0],
        second_model=models[1],
        first=_side(difference.first),
        second=_side(difference.second),
    )


def _words(kind: Kind, models: tuple[str, str]) -> str:
    return {
        "only_first": f"only {models[0]}",
        "only_second": f"only {models[1]}",
        "person": "another person",
        "boundaries": "other words",
    }[kind]


def _side(placed: Placed | None) -> Markup:
    if placed is None:
        return Markup('<span class="quiet">nobody</span>')
    person = placed.person
    return fragment("side.html", look=_look(person.id), person=person.id, name=person.name, words=placed.mention.text)


def _look(person: int) -> str:
    """The classes of a person's look, as in the reports below the table."""
    turn, colour = divmod(person - 1, _COLOURS)
    return f"c{colour} l{turn % _LINES}"
