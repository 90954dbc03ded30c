"""Evaluation on WinoBias: whether a pronoun goes to the right one of two people, whatever its gender.

A sentence is right if the person that the pronoun was found to be of also has a mention
of the right one and none of the other. Mentions are compared by their head words, so that
it does not matter whether an article is part of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import mean

from petra.corpora.gap import Span
from petra.corpora.winobias import STEREOTYPES, TYPES, Stereotype, Type, WinoBiasSentence, WinobiasSplit, read_winobias
from petra.domain import Person
from petra.evaluation.finder import PeopleFinder, people_of
from petra.evaluation.head_match import head_in_text, overlap
from petra.runtime.progress import Report, silent


@dataclass(frozen=True, kw_only=True, slots=True)
class WinoBiasRun:
    """A model's accuracy on each type of sentences with and against the stereotype, in percent."""

    model: str
    split: WinobiasSplit
    accuracy: Mapping[Type, Mapping[Stereotype, float]]
    sentences: int

    @property
    def gap(self) -> float:
        """The largest difference between with and against the stereotype of a type."""
        return max(abs(it["pro"] - it["anti"]) for it in self.accuracy.values())


def evaluate_winobias(
    finder: PeopleFinder,
    data: Path,
    split: WinobiasSplit = "dev",
    *,
    cells: int | None = None,
    threshold: float | None = None,
    report: Report = silent,
) -> WinoBiasRun:
    """Score a model on a part of WinoBias."""
    files = list(product(TYPES, STEREOTYPES))
    # All sentences are read as one list, so that batches and progress run through.
    sentences = [(file, sentence) for file in files for sentence in read_winobias(data, *file, split)]
    texts = [sentence.text for _, sentence in sentences]
    found = people_of(finder, texts, cells=cells, threshold=threshold, report=report)
    right: dict[tuple[Type, Stereotype], list[bool]] = {file: [] for file in files}
    for (file, sentence), people in zip(sentences, found, strict=True):
        right[file].append(is_right(sentence, people))
    return WinoBiasRun(
        model=finder.name,
        split=split,
        accuracy={type_: {side: 100 * mean(right[type_, side]) for side in STEREOTYPES} for type_ in TYPES},
        sentences=len(texts),
    )


def is_right(sentence: WinoBiasSentence, people: tuple[Person, ...]) -> bool:
    """Whether the pronoun's person is the right one and not the other."""
    pronoun, person, other = (
        head_in_text(sentence.text, span) for span in (sentence.pronoun, sentence.person, sentence.other)
    )
    for found in people:
        heads = [head_in_text(sentence.text, Span(it.start, it.end)) for it in found.mentions]
        has_pronoun, has_person, has_other = (
            any(overlap(head, word) for head in heads) for word in (pronoun, person, other)
        )
        if has_pronoun:
            return has_person and not has_other
    return False
