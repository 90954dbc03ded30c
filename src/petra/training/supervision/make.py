"""All supervision made from text: unlabelled and annotated articles -> instances in the form of GAP.

The pool of snippets is cut to the proportions of GAP, so that a model learns nothing
from where the names stand, and doubled by its mirror image in gender.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Literal

from petra.corpora.gap import GapInstance, read_gap
from petra.corpora.names import Names, read_names
from petra.corpora.wikitext import Article, read_wikitext
from petra.english.sentences import Passage, parse
from petra.training.supervision.annotated import people_of
from petra.training.supervision.apart import kept_apart
from petra.training.supervision.discourse import continued
from petra.training.supervision.natural import natural
from petra.training.supervision.people import Naming, Person, find_people
from petra.training.supervision.replaced import replaceable
from petra.training.supervision.snippets import Reference, snippet
from petra.training.supervision.swaps import swap_gender

Order = Literal["ABP", "APB", "PAB"]
Answer = Literal["A", "B", "neither"]

# The 2,000 instances of GAP's development part, by the order of names and pronoun and by the answer.
PROPORTIONS: dict[tuple[Order, Answer], int] = {
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


def make_instances(data: Path, seed: int) -> tuple[GapInstance, ...]:
    """Instances made from the data folder, half of each gender; the same seed makes the same ones.

    No snippet shares a run of words with the texts that choose and measure a model.
    """
    rng = Random(seed)
    names = read_names(data)
    pool = list(kept_apart(_pool(data, names, rng), data))
    chosen = in_proportion(pool, rng)
    return tuple(each for it in chosen for each in (it, _mirrored(it, names, rng)))


def in_proportion(pool: Sequence[GapInstance], rng: Random) -> list[GapInstance]:
    """As many instances of the pool as GAP's proportions allow, in the order of the pool.

    The two most frequent kinds set the measure; a rarer kind the pool has too few of
    stays below its share.
    """
    kinds: dict[tuple[Order, Answer], list[int]] = {kind: [] for kind in PROPORTIONS}
    for number, instance in enumerate(pool):
        kinds[order_of(instance), answer_of(instance)].append(number)
    measure = min(len(kinds["ABP", answer]) / PROPORTIONS["ABP", answer] for answer in ("A", "B"))
    chosen: list[int] = []
    for kind, numbers in kinds.items():
        chosen += rng.sample(numbers, min(len(numbers), round(measure * PROPORTIONS[kind])))
    return [pool[number] for number in sorted(chosen)]


def order_of(instance: GapInstance) -> Order:
    """In which order the names and the pronoun stand."""
    if instance.pronoun.start > instance.b.start:
        return "ABP"
    return "APB" if instance.pronoun.start > instance.a.start else "PAB"


def answer_of(instance: GapInstance) -> Answer:
    """Which of its names the pronoun refers to."""
    return "A" if instance.a_coref else "B" if instance.b_coref else "neither"


def _pool(data: Path, names: Names, rng: Random) -> Iterator[GapInstance]:
    for number, article in enumerate(read_wikitext(data)):
        yield from _of_article(article, f"wikitext-{number}", names, rng)
    for instance in read_gap(data, "development"):
        passage, namings = people_of(instance)
        told = _told(passage, namings, None)
        others = (it for it in told if passage.words[it.pronoun[0]].start != instance.pronoun.start)
        yield from _snippets(others, instance.id, instance.url, rng)


def _of_article(article: Article, name: str, names: Names, rng: Random) -> Iterator[GapInstance]:
    passages = [parse(text) for text in article.paragraphs]
    cast = find_people(article.title, passages, names)
    url = "https://en.wikipedia.org/wiki/" + article.title.replace(" ", "_")
    for number, (passage, namings) in enumerate(zip(passages, cast.namings, strict=True)):
        if not namings:
            continue
        references = (*replaceable(passage, namings), *_told(passage, namings, cast.about))
        yield from _snippets(references, f"{name}-{number}", url, rng)


def _told(passage: Passage, namings: Sequence[Naming], about: Person | None) -> Collection[Reference]:
    """The references of the passage's own pronouns that can be told, each pronoun once."""
    return {it.pronoun: it for it in (*continued(passage, namings, about), *natural(passage, namings))}.values()


def _snippets(references: Iterable[Reference], name: str, url: str, rng: Random) -> Iterator[GapInstance]:
    for number, reference in enumerate(references):
        made = snippet(reference, f"{name}-{reference.kind}-{number}", url, rng)
        if made is not None:
            yield made


def _mirrored(instance: GapInstance, names: Names, rng: Random) -> GapInstance:
    return replace(swap_gender(instance, names, rng), id=f"{instance.id}-mirrored")
