"""What an annotation says of the people of a report page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from petra.domain import Person
from petra.report.values.agreement import Agreement
from petra.report.values.summaries import counted


class AnnotatedPerson(NamedTuple):
    """An annotated person, with whom they were found to be."""

    id: int
    name: str
    mentions: int
    found: int  # of the mentions
    agreed: int  # of these, for the partner
    partner: Person | None


def annotated_people(
    gold: Sequence[Person], people: Sequence[Person], agreement: Agreement
) -> Iterator[AnnotatedPerson]:
    """The annotated people, in order."""
    by_id = {person.id: person for person in people}
    for person in gold:
        verdicts = [agreement.of_gold(person.id, mention) for mention in person.mentions]
        yield AnnotatedPerson(
            id=person.id,
            name=person.name,
            mentions=len(verdicts),
            found=len(verdicts) - verdicts.count("missed"),
            agreed=verdicts.count("agreed"),
            partner=by_id.get(agreement.partners.get(person.id, 0)),
        )


def gold_summary(gold: Sequence[Person], people: Sequence[Person], agreement: Agreement) -> str:
    """What an annotation says of all mentions, in a sentence."""
    verdicts = [agreement.of_gold(person.id, mention) for person in gold for mention in person.mentions]
    extra = sum(agreement.of_found(person.id, mention) == "extra" for person in people for mention in person.mentions)
    found = len(verdicts) - verdicts.count("missed")
    return (
        f"Of {counted(len(verdicts), 'annotated mention')}, {found:,} found, "
        f"{verdicts.count('agreed'):,} of them for the right person; {extra:,} found and not annotated."
    )
