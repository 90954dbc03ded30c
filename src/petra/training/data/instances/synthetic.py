"""Synthetic GAP instances from text: unlabelled articles, and the other pronouns of annotated ones.

The pool of snippets is sampled in the proportions of GAP, so that the order of names
says nothing about the answer, and every instance comes a second time with its gender swapped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Literal

from petra.corpora.gap import GapInstance, Span, read_gap
from petra.corpora.names import Names, read_names
from petra.corpora.wikitext import Article, read_wikitext
from petra.english.sentences import Passage, parse
from petra.training.data.instances.decontaminate import decontaminate
from petra.training.data.instances.discourse import continued
from petra.training.data.instances.natural import natural
from petra.training.data.instances.people import ArticlePerson, Naming, find_people
from petra.training.data.instances.replaced import replaceable
from petra.training.data.instances.runs import Run, find_runs
from petra.training.data.instances.snippets import PronounReference, snippet
from petra.training.data.instances.swaps import swap_gender

NameOrder = Literal["ABP", "APB", "PAB"]
PronounAnswer = Literal["A", "B", "neither"]

# The 2,000 instances of GAP's development part, by the order of names and pronoun and by the answer.
PROPORTIONS: dict[tuple[NameOrder, PronounAnswer], int] = {
    ("ABP", "A"): 683,
    ("ABP", "B"): 695,
    ("ABP", "neither"): 126,
    ("APB", "A"): 68,
    ("APB", "B"): 138,
    ("APB", "neither"): 16,
    ("PAB", "A"): 123,
    ("PAB", "B"): 92,
    ("PAB", "neither"): 59,
}


def synthetic_instances(data: Path, seed: int) -> tuple[GapInstance, ...]:
    """Synthetic instances from the data folder, half of each gender; the same seed gives the same ones.

    They are decontaminated: no snippet shares ten words in a row with GAP validation or test.
    """
    rng = Random(seed)
    names = read_names(data)
    pool = list(decontaminate(_pool(data, names, rng), data))
    chosen = in_proportion(pool, rng)
    return tuple(each for it in chosen for each in (it, _mirrored(it, names, rng)))


def in_proportion(pool: Sequence[GapInstance], rng: Random) -> list[GapInstance]:
    """A sample of the pool in GAP's proportions, as large as possible, in the order of the pool.

    The two most frequent kinds set the size; a rarer kind of which the pool has too few
    stays below its share.
    """
    kinds: dict[tuple[NameOrder, PronounAnswer], list[int]] = {kind: [] for kind in PROPORTIONS}
    for number, instance in enumerate(pool):
        kinds[order_of(instance), answer_of(instance)].append(number)
    measure = min(len(kinds["ABP", answer]) / PROPORTIONS["ABP", answer] for answer in ("A", "B"))
    chosen: list[int] = []
    for kind, numbers in kinds.items():
        chosen += rng.sample(numbers, min(len(numbers), round(measure * PROPORTIONS[kind])))
    return [pool[number] for number in sorted(chosen)]


def order_of(instance: GapInstance) -> NameOrder:
    """The order of the two names and the pronoun in the text."""
    if instance.pronoun.start > instance.b.start:
        return "ABP"
    return "APB" if instance.pronoun.start > instance.a.start else "PAB"


def answer_of(instance: GapInstance) -> PronounAnswer:
    """The name that the pronoun refers to."""
    return "A" if instance.a_coref else "B" if instance.b_coref else "neither"


def _pool(data: Path, names: Names, rng: Random) -> Iterator[GapInstance]:
    for number, article in enumerate(read_wikitext(data)):
        yield from _of_article(article, f"wikitext-{number}", names, rng)
    for instance in read_gap(data, "development"):
        passage, namings = people_of(instance)
        references = _references(passage, namings, None)
        others = (it for it in references if passage.words[it.pronoun[0]].start != instance.pronoun.start)
        yield from _snippets(others, instance.id, instance.url, rng)


def _of_article(article: Article, name: str, names: Names, rng: Random) -> Iterator[GapInstance]:
    passages = [parse(text) for text in article.paragraphs]
    cast = find_people(article.title, passages, names)
    url = "https://en.wikipedia.org/wiki/" + article.title.replace(" ", "_")
    for number, (passage, namings) in enumerate(zip(passages, cast.namings, strict=True)):
        if not namings:
            continue
        references = (*replaceable(passage, namings), *_references(passage, namings, cast.about))
        yield from _snippets(references, f"{name}-{number}", url, rng)


def _references(
    passage: Passage, namings: Sequence[Naming], about: ArticlePerson | None
) -> Collection[PronounReference]:
    """The references of the passage's own pronouns whose person is certain, each pronoun once."""
    return {it.pronoun: it for it in (*continued(passage, namings, about), *natural(passage, namings))}.values()


def _snippets(references: Iterable[PronounReference], name: str, url: str, rng: Random) -> Iterator[GapInstance]:
    for number, reference in enumerate(references):
        instance = snippet(reference, f"{name}-{reference.kind}-{number}", url, rng)
        if instance is not None:
            yield instance


def people_of(instance: GapInstance) -> tuple[Passage, tuple[Naming, ...]]:
    """The text of an annotated instance and all its namings of A and of B, both taken to be of the pronoun's gender."""
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


def _person(instance: GapInstance, span: Span) -> ArticlePerson:
    words = instance.text[slice(*span)].split()
    return ArticlePerson(words[0], words[-1] if len(words) > 1 else "", instance.gender, sure=True)


def _names(run: Run, person: ArticlePerson) -> bool:
    if len(run.name) == 1:
        return run.name[0] in (person.first, person.last)
    return (run.name[-1] == person.last) if person.last else person.first in (run.name[0], run.name[-1])


def _mirrored(instance: GapInstance, names: Names, rng: Random) -> GapInstance:
    return replace(swap_gender(instance, names, rng), id=f"{instance.id}-mirrored")
