"""Speed of every stage of reading, from the tokens to the people, and of each back end of the encoder.

The encoder is compared with its plain forward: PyTorch in float32, windows that do not
overlap. Stages are timed on the same text, in turn.

Letters: t tokens, D features of a token.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor

from petra.bench.race import PARAGRAPH, race
from petra.encoder.backends.choosing import REFERENCE, usable_backends
from petra.encoder.pretrained import BATCH_TOKENS, PretrainedEncoder, WindowTokens
from petra.errors import TextError
from petra.memory.network import Network
from petra.people.finding import find_people
from petra.runtime.progress import Report, silent
from petra.runtime.threads import num_threads
from petra.speakers.attribute import attribute_quotations
from petra.text.document import Document
from petra.text.windows import windows
from petra.tracker import Tracker, Tracking, tracker_of
from petra.trained import TrainedModel

_TOKENS = 3000  # timed
_ROUNDS = 3
_SHORT = 40  # words of a short text


@dataclass(frozen=True, kw_only=True, slots=True)
class StageSpeeds:
    """Speeds in tokens a second."""

    model: str
    backend: str  # of the end to end
    threads: int
    tokens: int
    window: int
    margin: int
    plain_encoder: float
    encoders: Mapping[str, float]  # by back end, with the windows of reading
    cosines: Mapping[str, float]  # of a token's features with those of PyTorch in float32, the mean
    stages: Mapping[str, float]  # tokenizer, GRU, spans, linking, people; after_encoder is the last four
    end_to_end: float
    short_texts: float  # the same words as texts of 40 words, end to end

    def to_dict(self) -> dict[str, Any]:
        def over_plain(speed: float) -> float:
            return round(speed / self.plain_encoder, 2)

        return {
            "model": self.model,
            "backend": self.backend,
            "threads": self.threads,
            "tokens": self.tokens,
            "window": self.window,
            "margin": self.margin,
            "tokens_per_second": {
                "plain_encoder": round(self.plain_encoder),
                **{f"encoder_{name}": round(speed) for name, speed in self.encoders.items()},
                **{name: round(speed) for name, speed in self.stages.items()},
                "end_to_end": round(self.end_to_end),
                "short_texts": round(self.short_texts),
            },
            "ratios": {
                **{f"encoder_{name}_to_plain": over_plain(speed) for name, speed in self.encoders.items()},
                "end_to_end_to_plain_encoder": over_plain(self.end_to_end),
                "after_encoder_share": round(self.end_to_end / self.stages["after_encoder"], 3),
                "short_texts_time_to_one_text": round(self.end_to_end / self.short_texts, 2),
            },
            "cosine_to_float32": {name: round(value, 5) for name, value in self.cosines.items()},
        }


def measure_stages(
    model: TrainedModel,
    tracker: Tracker,
    text: str = PARAGRAPH,
    *,
    backends: Sequence[str] | None = None,
    report: Report = silent,
) -> StageSpeeds:
    """Time the stages of reading a text, repeated to a few thousand tokens, with these back ends or all there are."""
    once = len(tracker.encoder.tokenizer.tokenize(text))
    if not once:
        raise TextError("The text to be timed has no words. Give another one, or none for the built-in text.")
    long_text = text * -(-_TOKENS // once)
    document = tracker.encoder.tokenizer.tokenize(long_text)
    names = dict.fromkeys([REFERENCE, *(usable_backends(tracker.encoder.device) if backends is None else backends)])
    encoders = {name: _encoder(model, tracker, name) for name in names}
    steps = len(encoders) + _ROUNDS
    features = {}
    for done, (name, encoder) in enumerate(encoders.items(), start=1):
        features[name] = torch.cat(list(encoder.encode(document))).cpu()  # (t, D); the first round compiles
        report(done, steps)
    words = long_text.split()
    short = [" ".join(words[place : place + _SHORT]) for place in range(0, len(words), _SHORT)]
    contenders: dict[str, Callable[[], object]] = {
        "tokenizer": partial(tracker.encoder.tokenizer.tokenize, long_text),
        "plain": partial(plain_forward, encoders[REFERENCE], document),
        **{f"encoder {name}": partial(_encode, encoder, document) for name, encoder in encoders.items()},
        **_later_stages(tracker, document, features[REFERENCE]),
        "end to end": partial(tracker.track, long_text),
        "short": lambda: list(tracker.track_many(short)),
    }
    seconds = race(contenders, _ROUNDS, lambda done: report(len(encoders) + done, steps))
    speeds = {name: len(document) / spent for name, spent in seconds.items()}
    timed = ("tokenizer", "recurrent", "spans", "people")
    stages: dict[str, float] = {name: speeds[name] for name in timed if name in speeds}
    rest = seconds["after_encoder"] - sum(seconds.get(name, 0) for name in ("recurrent", "spans", "people"))
    return StageSpeeds(
        model=tracker.name,
        backend=tracker.encoder.backend.name,
        threads=num_threads(),
        tokens=len(document),
        window=tracker.encoder.config.window,
        margin=tracker.encoder.config.margin,
        plain_encoder=speeds["plain"],
        encoders={name: speeds[f"encoder {name}"] for name in encoders},
        cosines={name: _cosine(found, features[REFERENCE]) for name, found in features.items()},
        stages={
            **stages,
            "memory_and_linking": len(document) / max(rest, 1e-9),
            "after_encoder": speeds["after_encoder"],
        },
        end_to_end=speeds["end to end"],
        short_texts=sum(len(tracker.encoder.tokenizer.tokenize(each)) for each in short) / seconds["short"],
    )


@torch.inference_mode()
def plain_forward(encoder: PretrainedEncoder, document: Document) -> None:
    """Encode a document as simply as can be: windows side by side, in batches."""
    size = encoder.config.window
    all_windows = [
        WindowTokens(document.token_ids[window.start : window.end], window)
        for window in windows(len(document), size, 0)
    ]
    at_once = max(1, BATCH_TOKENS // size)
    for begin in range(0, len(all_windows), at_once):
        encoder.encode_windows(all_windows[begin : begin + at_once])


def _encoder(model: TrainedModel, tracker: Tracker, backend: str) -> PretrainedEncoder:
    if backend == tracker.encoder.backend.name:
        return tracker.encoder
    return tracker_of(model, device=tracker.encoder.device, backend=backend).encoder


def _encode(encoder: PretrainedEncoder, document: Document) -> None:
    for _ in encoder.encode(document):
        pass


def _later_stages(tracker: Tracker, document: Document, features: Tensor) -> dict[str, Callable[[], object]]:
    """What comes after the encoder, whole and in parts."""
    network, span_head = tracker.network, tracker.span_head
    tracking = tracker.read(document, [features])
    stages: dict[str, Callable[[], object]] = {"people": partial(_people, tracking)}
    if isinstance(network, Network):
        stages["recurrent"] = torch.inference_mode()(lambda: network.hidden_states(features[None, :, None]))
    if span_head is not None:
        stages["spans"] = torch.inference_mode()(lambda: span_head.candidates(features, document.words))
    return {**stages, "after_encoder": lambda: tracker.read(document, [features])}


def _people(tracking: Tracking) -> None:
    if tracking.log.mentions is not None:
        attribute_quotations(tracking.text, tracking.log.mentions)
    find_people(tracking.log)


def _cosine(found: Tensor, expected: Tensor) -> float:
    return float(torch.cosine_similarity(found, expected, dim=-1).mean())
