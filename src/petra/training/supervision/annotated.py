"""The two people an annotated instance asks about, found again wherever its text names them."""

from __future__ import annotations

from petra.corpora.gap import GapInstance, Span
from petra.english.sentences import Passage, parse
from petra.training.supervision.people import Naming, Person
from petra.training.supervision.runs import Run, find_runs


def people_of(instance: GapInstance) -> tuple[Passage, tuple[Naming, ...]]:
    """The text of an instance and its namings of A and of B, taken to be of the pronoun's gender."""
    passage = parse(instance.text)
    people = [_person(instance, span) for span in (instance.a, instance.b)]
    if people[0].may_be(people[1]):
        return passage, ()
    namings = []
    for run in find_runs(passage):
        named = [person for person in people if _names(run, person)]
        if len(named) == 1:
            namings.append(Naming(named[0], run.words, len(run.titles)))
    return passage, tuple(namings)


def _person(instance: GapInstance, span: Span) -> Person:
    words = instance.text[slice(*span)].split()
    return Person(words[0], words[-1] if len(words) > 1 else "", instance.gender, sure=True)


def _names(run: Run, person: Person) -> bool:
    if len(run.name) == 1:
        return run.name[0] in (person.first, person.last)
    return (run.name[-1] == person.last) if person.last else person.first in (run.name[0], run.name[-1])
