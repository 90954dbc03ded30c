"""The quotations of a report page: a list, each with its speaker and addressee."""

from __future__ import annotations

from collections.abc import Sequence

from petra.domain import Person, Quotation
from petra.report.looks import person_label
from petra.report.quotation_tables import said
from petra.report.summaries import counted
from petra.report.templates import escaped, filled, part

_LONGEST = 200  # characters of a quotation in the list


def quotations_part(quotations: Sequence[Quotation], people: Sequence[Person], text: str) -> str:
    """The list as a part of the page, closed at first; empty without quotations."""
    if not quotations:
        return ""
    names = {person.id: person.name for person in people}
    items = "\n".join(_item(quotation, names, text) for quotation in quotations)
    return filled(part("quotations.html"), {"count": counted(len(quotations), "quotation"), "items": items})


def _item(quotation: Quotation, names: dict[int, str], text: str) -> str:
    words = said(quotation, text)
    shown = words if len(words) <= _LONGEST else words[: _LONGEST - 1].rstrip() + "…"
    place = f"{quotation.start}-{quotation.end}"
    return (
        f"<li>{_person(quotation.speaker, names) or 'Somebody'}"
        f"{f' to {_person(quotation.addressee, names)}' if quotation.addressee in names else ''}: "
        f"<q><bdi>{escaped(shown)}</bdi></q> "
        f'<span class="way">{"corrected" if quotation.corrected else quotation.found_by}</span> '
        f'<button type="button" class="correct" data-quotation="{place}">Set speaker</button></li>'
    )


def _person(number: int | None, names: dict[int, str]) -> str:
    if number is None or number not in names:
        return ""
    label = person_label(number, names[number])
    return f'<button type="button" data-person="{number}" aria-pressed="false">{label}</button>'
