"""The page of two readings: their differences as a list, and the two texts that scroll together."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final, NamedTuple

from markupsafe import Markup

from petra.report.values.differences import Difference, DifferenceKind, Placed
from petra.web.answers import API
from petra.web.compare.paired_readings import SIDES, PairedReadings, SharedPerson, Side, difference_id
from petra.web.pages import fill, show

_MOST_LISTED: Final = (
    300  # what somebody may look through at once; filters lead to the others, and the JSON has them all
)
_AROUND: Final = 40  # characters before and after a place


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which differences are listed; None is all."""

    kind: DifferenceKind | None = None
    person: int | None = None  # by the number that both readings share


class ListedSide(NamedTuple):
    """What one reading says at a difference."""

    model: str
    person: SharedPerson | None  # None: nobody is mentioned there
    name: str
    words: str


class ListedDifference(NamedTuple):
    """A difference in the list."""

    number: int  # from 1, in text order
    kind: str  # in words
    before: str
    there: str
    after: str
    sides: tuple[ListedSide, ...]


def compare_page(
    pair: PairedReadings, models: tuple[str, str], *, title: str, chosen: Chosen, ids: tuple[str, str]
) -> Markup:
    """The page for two readings by models, whose results have these ids."""
    differences = pair.comparison.differences
    kinds = Counter(each.kind for each in differences)
    by_person = Counter(person for each in differences for person in pair.numbers(each))
    return show(
        "compare.html",
        title=title,
        styles=("looks.css", "compare.css"),
        scripts=("result.js", "compare.js"),
        models=models,
        addresses=[f"/results/{each}" for each in ids],
        places=[f"{API}/jobs/{each}" for each in ids],
        download=f"{API}/compare/{'/'.join(ids)}",
        chosen=chosen,
        kinds=[(kind, words, kinds[kind]) for kind, words in kind_words(models).items() if kinds[kind]],
        differing=sorted(
            ((each, by_person[each.number]) for each in pair.people if by_person[each.number]),
            key=lambda counted_person: -counted_person[1],
        ),
        people=pair.people,
        rows=pair.rows(),
        **_list_values(pair, models, chosen),
    )


def difference_list(pair: PairedReadings, models: tuple[str, str], chosen: Chosen) -> Markup:
    """The list of the page alone."""
    return fill("compare_list.html", **_list_values(pair, models, chosen))


def _list_values(pair: PairedReadings, models: tuple[str, str], chosen: Chosen) -> dict[str, object]:
    differences = enumerate(pair.comparison.differences, start=1)
    found = [(number, each) for number, each in differences if _is_chosen(pair, each, chosen)]
    return {
        "comparison": pair.comparison,
        "found": len(found),
        "listed": [_listed(pair, number, each, models) for number, each in found[:_MOST_LISTED]],
        "difference_id": difference_id,
    }


def kind_words(models: tuple[str, str]) -> dict[DifferenceKind, str]:
    """What the kinds of differences are called, for readings by these models."""
    return {
        "person": "another person",
        "only_first": f"found only by {models[0]}",
        "only_second": f"found only by {models[1]}",
        "boundaries": "other words",
    }


def _is_chosen(pair: PairedReadings, difference: Difference, chosen: Chosen) -> bool:
    if chosen.kind not in (None, difference.kind):
        return False
    return chosen.person is None or chosen.person in pair.numbers(difference)


def _listed(pair: PairedReadings, number: int, difference: Difference, models: tuple[str, str]) -> ListedDifference:
    start, end = difference.span
    text = pair.text
    sides = (_side(pair, side, getattr(difference, side), model) for side, model in zip(SIDES, models, strict=True))
    return ListedDifference(
        number=number,
        kind=kind_words(models)[difference.kind],
        before=("…" if start > _AROUND else "") + text[max(0, start - _AROUND) : start].lstrip(),
        there=text[start:end],
        after=text[end : end + _AROUND].rstrip() + ("…" if end + _AROUND < len(text) else ""),
        sides=tuple(sides),
    )


def _side(pair: PairedReadings, side: Side, placed: Placed | None, model: str) -> ListedSide:
    if placed is None:
        return ListedSide(model, None, "", "")
    return ListedSide(model, pair.shared(side, placed.person), placed.person.name, placed.mention.text)
