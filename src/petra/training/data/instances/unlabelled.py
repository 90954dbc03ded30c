"""Unlabelled pronouns of encyclopedias and news, for trained models to pseudo-label.

Every pronoun outside quotations with a person of its gender named before it is taken.
The nearest such person stands as the answer until ``training/data/pseudo_labels.py``
replaces it by the probabilities that trained models give to both names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random

from petra.corpora.gap import GapInstance
from petra.corpora.names import Names, read_names
from petra.corpora.texts import read_texts
from petra.corpora.wikitext import Article, read_wikitext
from petra.english.sentences import Passage, parse
from petra.training.data.instances.decontaminate import decontaminate
from petra.training.data.instances.people import Naming, find_people
from petra.training.data.instances.snippets import PronounReference, gender_of, snippet
from petra.training.parallel import in_parallel

_COLLECTIONS = ("amalgum-bio", "amalgum-news", "britannica9-people", "kyoto-people", "wikinews")


def find_unlabelled(data: Path, seed: int) -> tuple[GapInstance, ...]:
    """The pronouns with two people of their gender near, as instances whose labels mean nothing yet.

    They are taken from WikiText-2 and from the collections of texts that are there, and
    decontaminated: no snippet shares ten words in a row with GAP validation or test.
    """
    articles = [*read_wikitext(data)]
    for collection in _COLLECTIONS:
        if (data / "text" / f"{collection}.jsonl.gz").is_file():
            articles += read_texts(data, collection)
    found = in_parallel(partial(_instances, read_names(data), seed), list(enumerate(articles)))
    return tuple(decontaminate([instance for of_article in found for instance in of_article], data))


def _instances(names: Names, seed: int, numbered: tuple[int, Article]) -> list[GapInstance]:
    number, article = numbered
    rng = Random(seed + number)
    passages = [parse(text) for text in article.paragraphs]
    cast = find_people(article.title, passages, names)
    made = (
        snippet(reference, f"unlabelled-{number}-{place}-{count}", article.title, rng)
        for place, (passage, namings) in enumerate(zip(passages, cast.namings, strict=True))
        for count, reference in enumerate(_references(passage, namings))
    )
    return [instance for instance in made if instance is not None]


def _references(passage: Passage, namings: Sequence[Naming]) -> Iterator[PronounReference]:
    for place, word in enumerate(passage.words):
        gender = gender_of(word)
        if gender is None or word.quoted:
            continue
        before = [it for it in namings if it.words[-1] < place and it.person.gender == gender]
        if before:
            yield PronounReference(
                kind="unlabelled",
                passage=passage,
                namings=namings,
                pronoun=range(place, place + 1),
                nearest=before[-1],
            )
