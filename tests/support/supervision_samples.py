"""People and passages that the tests of synthetic supervision share."""

from __future__ import annotations

from pathlib import Path

from petra.corpora.gap import GapInstance, Span
from petra.corpora.names import Names
from petra.english.sentences import Passage, parse
from petra.training.data.instances.people import ArticlePerson, Naming
from petra.training.data.instances.runs import find_runs
from petra.training.data.instances.snippets import PronounReference

ADA = ArticlePerson("Ada", "Vale", "feminine", sure=True)
RUTH = ArticlePerson("Ruth", "Pym", "feminine", sure=True)
TOM = ArticlePerson("Tom", "Ash", "masculine", sure=True)
BEN = ArticlePerson("Ben", "Cole", "masculine", sure=True)
PEOPLE = (ADA, RUTH, TOM, BEN)

NAMES = Names(
    female=frozenset({"Ada", "Ruth", "Cora", "Edna", "Nell"}), male=frozenset({"Tom", "Ben", "Hal", "Ned", "Ivo"})
)


def write_names(data: Path, names: Names = NAMES) -> None:
    """First names as files of a data folder."""
    (data / "names").mkdir()
    for gender, listed in (("female", names.female), ("male", names.male)):
        (data / f"names/{gender}.txt").write_text("\n".join(sorted(listed)) + "\n", encoding="utf-8")


def scene(text: str) -> tuple[Passage, tuple[Naming, ...]]:
    """A text and where it names the four people, by full name, surname or first name."""
    passage = parse(text)
    namings = (
        Naming(person, run.words, len(run.titles))
        for run in find_runs(passage)
        for person in PEOPLE
        if {person.first, person.last} & {run.name[0], run.name[-1]}
    )
    return passage, tuple(namings)


def told(reference: PronounReference) -> tuple[str, str, str]:
    """What a reference says: how it is known, the words at the pronoun, and the name that tells the person."""
    passage = reference.passage
    return (
        reference.kind,
        passage.text[slice(*passage.span(reference.pronoun))],
        passage.text[slice(*passage.span(reference.nearest.words))],
    )


def asked(text: str, pronoun: str, a: str, b: str, *, gender: str = "feminine") -> GapInstance:
    """An instance about the first places of its words; the pronoun refers to A."""
    spans = [Span(text.index(words), text.index(words) + len(words)) for words in (pronoun, a, b)]
    return GapInstance(
        id="sample-1",
        text=text,
        pronoun=spans[0],
        a=spans[1],
        b=spans[2],
        a_coref=True,
        b_coref=False,
        gender="masculine" if gender == "masculine" else "feminine",
        url="https://example.org/sample",
    )


def words_of(instance: GapInstance) -> tuple[str, str, str]:
    """The pronoun and the two names of an instance."""
    return (
        instance.text[slice(*instance.pronoun)],
        instance.text[slice(*instance.a)],
        instance.text[slice(*instance.b)],
    )
