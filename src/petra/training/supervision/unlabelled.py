"""Unlabelled pronouns of WikiText-2, for trained models to pseudo-label.

Every pronoun outside quotations with a person of its gender named before it is taken.
The nearest such person stands as the answer until ``training/adapted/pseudo_labels.py``
replaces it by the probabilities that trained models give to both names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from petra.corpora.gap import GapInstance
from petra.corpora.names import read_names
from petra.corpora.wikitext import read_wikitext
from petra.english.sentences import Passage, parse
from petra.training.supervision.decontaminate import decontaminate
from petra.training.supervision.people import Naming, find_people
from petra.training.supervision.snippets import PronounReference, gender_of, snippet


def find_unlabelled(data: Path, seed: int) -> tuple[GapInstance, ...]:
    """The pronouns of WikiText-2 with two people of their gender near, as instances whose labels mean nothing yet.

    They are decontaminated: no snippet shares ten words in a row with GAP validation or test.
    """
    rng, names = Random(seed), read_names(data)
    found: list[GapInstance] = []
    for number, article in enumerate(read_wikitext(data)):
        passages = [parse(text) for text in article.paragraphs]
        cast = find_people(article.title, passages, names)
        for place, (passage, namings) in enumerate(zip(passages, cast.namings, strict=True)):
            for count, reference in enumerate(_references(passage, namings)):
                instance = snippet(reference, f"unlabelled-{number}-{place}-{count}", article.title, rng)
                if instance is not None:
                    found.append(instance)
    return tuple(decontaminate(found, data))


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
