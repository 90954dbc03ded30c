"""Evaluation on LitBank's quotations: which of them a model finds, and how many speakers are right.

LitBank annotates what an attribution divides as two quotations, so the parts of the found
ones are compared: a part is right if its exact range is annotated. The speaker of a part is
right if most of the person's annotated mentions are of the entity that LitBank names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol, get_args

from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.litbank import LitbankSplit
from petra.corpora.litbank_quotations import QuotedDocument, read_litbank_quotations
from petra.domain import FoundBy, Person, Quotation
from petra.evaluation.rates import Rates
from petra.runtime.progress import Report, silent


class Quoting(Protocol):
    """What a model found in a text, as ``petra.tracker.Tracking``."""

    @property
    def people(self) -> tuple[Person, ...]: ...

    @property
    def quotations(self) -> tuple[Quotation, ...]: ...


class QuotationFinder(Protocol):
    """A model that finds the quotations of texts, as ``petra.Tracker``."""

    @property
    def name(self) -> str: ...

    def track_many(
        self, texts: Iterable[str], *, cells: int | None = None, threshold: float | None = None
    ) -> Iterator[Quoting]:
        """What was found in each text, in input order."""


class SpeakerShare(NamedTuple):
    """How many speakers are right, of quotations whose ranges were found."""

    right: int = 0
    quotations: int = 0

    @property
    def percent(self) -> float:
        return 100 * self.right / self.quotations if self.quotations else 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class QuotesRun:
    """A model's score on the quotations of a part of LitBank."""

    model: str
    split: LitbankSplit
    fold: int
    spans: Rates  # of parts, by exact range
    speakers: SpeakerShare  # of the parts that were found
    by_way: Mapping[FoundBy, SpeakerShare]
    annotated: int  # quotations
    documents: int

    @property
    def speakers_of_all(self) -> float:
        """The percentage of all annotated quotations that are found and have the right speaker."""
        return 100 * self.speakers.right / self.annotated if self.annotated else 0.0


def evaluate_quotes(
    finder: QuotationFinder,
    data: Path,
    split: LitbankSplit = "test",
    fold: int = 0,
    *,
    cells: int | None = None,
    threshold: float | None = None,
    report: Report = silent,
) -> QuotesRun:
    """Score the quotations that a model finds in a part of a fold of LitBank."""
    documents = read_litbank_quotations(data, split, fold)
    texts = [each.document.text for each in documents]
    found: list[Quoting] = []
    for each in finder.track_many(texts, cells=cells, threshold=threshold):
        found.append(each)
        report(len(found), len(texts))
    return score_quotes(documents, found, model=finder.name, split=split, fold=fold)


def score_quotes(
    documents: Sequence[QuotedDocument], found: Iterable[Quoting], *, model: str, split: LitbankSplit, fold: int
) -> QuotesRun:
    """The score of what was found in each document, in the same order."""
    parts = annotated = 0
    outcomes: list[tuple[FoundBy, bool]] = []  # of the parts that are annotated
    for document, tracking in zip(documents, found, strict=True):
        gold = {(each.start, each.end): each.speaker for each in document.quotations}
        entities = entities_of(document.document, tracking.people)
        annotated += len(gold)
        for quotation in tracking.quotations:
            parts += len(quotation.parts)
            speaker = None if quotation.speaker is None else entities.get(quotation.speaker)
            outcomes += [(quotation.found_by, gold[part] == speaker) for part in quotation.parts if part in gold]
    by_way = {
        way: SpeakerShare(sum(right for found_by, right in outcomes if found_by == way), count)
        for way in get_args(FoundBy)
        if (count := sum(found_by == way for found_by, _ in outcomes))
    }
    return QuotesRun(
        model=model,
        split=split,
        fold=fold,
        spans=Rates.of(right=len(outcomes), found=parts, expected=annotated),
        speakers=SpeakerShare(sum(right for _, right in outcomes), len(outcomes)),
        by_way=by_way,
        annotated=annotated,
        documents=len(documents),
    )


def entities_of(document: AnnotatedDocument, people: Iterable[Person]) -> dict[int, str]:
    """The entity that most of each person's annotated mentions are of; nobody's without annotated mentions."""
    gold = {(mention.start, mention.end): mention.entity for mention in document.mentions}
    entities: dict[int, str] = {}
    for person in people:
        counts = Counter(gold[place] for mention in person.mentions if (place := (mention.start, mention.end)) in gold)
        if counts:
            entities[person.id] = counts.most_common(1)[0][0]
    return entities
