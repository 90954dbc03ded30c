"""Calibration of a trained adapted model: its threshold of mentions, and what counts for a new person.

In training every decision before a mention is right. In reading some are wrong, and a
model that was trained so links too readily. After training these few numbers are chosen
by what comes out: one after the other, each is set to the value that gives the best
people on the development parts of LitBank and GUM.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor

from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.gum import read_gum
from petra.corpora.litbank import read_litbank
from petra.domain import Person
from petra.evaluation.head_match import score_people_by_head
from petra.evaluation.litbank import score_people
from petra.linking.scorer import PREFIX
from petra.runtime.progress import Report, silent
from petra.text.document import Document
from petra.tracker import Tracker, tracker_of
from petra.trained import TrainedModel
from petra.training.data.training_data import FOLD

SPAN_THRESHOLDS = (0.2, 0.25, 0.3, 0.4)
LEAST_GAIN = 0.25  # points of CoNLL F1 that a shift has to gain: less is noise, and what was learned stays
SHIFTS = {"new_nominal": (1.0, 2.0), "new_name": (0.7, 1.4), "new_pronoun": (0.5, 1.0)}  # added to what was learned


@dataclass(frozen=True, kw_only=True, slots=True)
class Calibration:
    """The numbers that are chosen, and what they give."""

    threshold: float
    shifts: Mapping[str, float]
    litbank: float = 0.0  # CoNLL F1, by spans
    gum: float = 0.0  # CoNLL F1, by heads

    @property
    def overall(self) -> float:
        return (self.litbank + self.gum) / 2


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class EncodedPart:
    """Annotated documents, tokenized and encoded."""

    annotated: Sequence[AnnotatedDocument]
    documents: Sequence[Document]
    features: Sequence[Tensor]


def calibrate(
    model: TrainedModel, data: Path, *, device: str | torch.device = "cpu", report: Report = silent
) -> TrainedModel:
    """A model with its calibration and the scores of it; report receives the number of settings tried."""
    tracker = tracker_of(model, device=device)
    litbank = encode_part(tracker, read_litbank(data, "validation", FOLD))
    gum = encode_part(tracker, read_gum(data, "dev"))
    learned = dict(tracker.linking_weights)
    whole, tried = len(SPAN_THRESHOLDS) + sum(map(len, SHIFTS.values())) + 1, 0

    def score(setting: Calibration) -> Calibration:
        nonlocal tried
        tracker.linking_weights = {name: value + setting.shifts.get(name, 0.0) for name, value in learned.items()}
        tried += 1
        report(tried, whole)
        return replace(
            setting,
            litbank=score_people(litbank.annotated, people_in(tracker, litbank, setting.threshold)).conll,
            gum=score_people_by_head(gum.annotated, people_in(tracker, gum, setting.threshold)).conll,
        )

    found = (score(Calibration(threshold=threshold, shifts={})) for threshold in SPAN_THRESHOLDS)
    best = max(found, key=lambda setting: setting.overall)
    for name, shifts in SHIFTS.items():
        others = [score(replace(best, shifts={**best.shifts, name: shift})) for shift in shifts]
        found_best = max(others, key=lambda setting: setting.overall)
        if found_best.overall >= best.overall + LEAST_GAIN:
            best = found_best
    # An apposition stays as strong against a new person as it was learned to be: "her husband, Tunde Bello,".
    best = score(replace(best, shifts={**best.shifts, "apposition": best.shifts.get("new_name", 0.0)}))
    weights = {f"{PREFIX}{name}": torch.tensor(value + best.shifts.get(name, 0.0)) for name, value in learned.items()}
    record = {
        **model.record,
        "people_threshold": best.threshold,
        "new_person_shifts": dict(best.shifts),
        "litbank_validation_conll": round(best.litbank, 2),
        "gum_dev_conll": round(best.gum, 2),
    }
    return replace(model, record=record, weights={**model.weights, **weights})


def encode_part(tracker: Tracker, annotated: Sequence[AnnotatedDocument]) -> EncodedPart:
    """Annotated documents ready to be read again and again."""
    documents = [tracker.encoder.tokenizer.tokenize(each.text) for each in annotated]
    features = [rows.cpu() for rows in tracker.encoder.encode_many(documents)]
    return EncodedPart(annotated=annotated, documents=documents, features=features)


def people_in(tracker: Tracker, part: EncodedPart, threshold: float) -> Iterator[tuple[Person, ...]]:
    """The people that a tracker finds in each document of a part."""
    for document, features in zip(part.documents, part.features, strict=True):
        yield tracker.read(document, [features], threshold=threshold).people
