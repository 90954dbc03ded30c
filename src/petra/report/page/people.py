"""The people of a report page: the list, the timeline and what an annotation says of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from petra.domain import Person
from petra.report.page.looks import Looks, mention_id, person_label
from petra.report.page.timeline import BINS, HEIGHT, Timeline
from petra.report.templates import escaped
from petra.report.values.agreement import Agreement
from petra.report.values.summaries import Summary, counted


def people_counted(number: int) -> str:
    """A number of people in words."""
    return "1 person" if number == 1 else f"{number:,} people"


def people_items(summaries: Sequence[Summary], listed: Collection[int], looks: Looks) -> str:
    """The list of people; who is not among those listed is there, but out of sight at first."""
    return "\n".join(_person_item(summary, looks, is_listed=summary.id in listed) for summary in summaries)


def timeline_items(summaries: Sequence[Summary], timeline: Timeline, listed: Collection[int], looks: Looks) -> str:
    """The timeline, a row for each person listed, in the order of its counts; the script makes the others."""
    return "\n".join(
        f'<li data-person="{summary.id}"><button type="button" data-person="{summary.id}" aria-pressed="false">'
        f"{person_label(summary.id, summary.name, looks)}</button>"
        f'<svg class="{looks[summary.id]}" viewBox="0 0 {BINS} {HEIGHT}" preserveAspectRatio="none" role="img" '
        f'aria-label="Mentioned in {timeline.parts(place)} of {BINS} parts of the text">'
        f'<path d="{timeline.bars(place)}"/></svg></li>'
        for place, summary in enumerate(summaries)
        if summary.id in listed
    )


def gold_items(gold: Sequence[Person], people: Sequence[Person], agreement: Agreement, looks: Looks) -> str:
    """The list of annotated people, each with whom they were found to be."""
    names = {person.id: person.name for person in people}
    return "\n".join(_gold_item(person, agreement, names, looks) for person in gold)


def gold_summary(gold: Sequence[Person], people: Sequence[Person], agreement: Agreement) -> str:
    """What an annotation says of all mentions, in a sentence."""
    verdicts = [agreement.of_gold(person.id, mention) for person in gold for mention in person.mentions]
    extra = sum(agreement.of_found(person.id, mention) == "extra" for person in people for mention in person.mentions)
    found = len(verdicts) - verdicts.count("missed")
    return (
        f"Of {counted(len(verdicts), 'annotated mention')}, {found:,} found, "
        f"{verdicts.count('agreed'):,} of them for the right person; {extra:,} found and not annotated."
    )


def _person_item(summary: Summary, looks: Looks, *, is_listed: bool) -> str:
    also = ", ".join(f"<bdi>{escaped(name)}</bdi>" for name in summary.other_names)
    places = f'<a href="#{mention_id(summary.id, 1)}">first on line {summary.first_line:,}</a>'
    if summary.mentions > 1:
        last = mention_id(summary.id, summary.mentions)
        places += f', <a href="#{last}">last on line {summary.last_line:,}</a>'
    return (
        f"<li{_attributes(summary.id, is_listed=is_listed)}>"
        f'<button type="button" data-person="{summary.id}" aria-pressed="false">'
        f"{person_label(summary.id, summary.name, looks)}"
        f'<span class="count" title="{counted(summary.mentions, "mention")}">{summary.mentions:,}</span></button>'
        f"<p>{summary.kinds}<br>{places}{f'<br>also {also}' if also else ''}"
        f"{'<br>✎ corrected by hand' if summary.corrected else ''}</p></li>"
    )


def _gold_item(person: Person, agreement: Agreement, names: dict[int, str], looks: Looks) -> str:
    verdicts = [agreement.of_gold(person.id, mention) for mention in person.mentions]
    found = f"{len(verdicts) - verdicts.count('missed'):,} of {counted(len(verdicts), 'mention')} found"
    partner = agreement.partners.get(person.id)
    if partner is not None:
        found += (
            f', {verdicts.count("agreed"):,} as <button type="button" data-person="{partner}" aria-pressed="false">'
            f"{person_label(partner, names[partner], looks)}</button>"
        )
    return f"<li><b>G{person.id}</b> <bdi>{escaped(person.name)}</bdi>: {found}</li>"


def _attributes(person: int, *, is_listed: bool) -> str:
    return f' data-person="{person}"' + ("" if is_listed else ' class="beyond"')
