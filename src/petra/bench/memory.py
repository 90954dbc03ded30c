"""The memory against a plain loop: all parts timed in one run, so that their ratios mean something anywhere.

What is compared is timed in turn, round by round, and the best round of each counts:
other programs only ever slow things down, and not all contenders alike. The plain loop
and the reader's both compute with one thread.

Letters: t tokens, N cells, H hidden size.
"""

from __future__ import annotations

import gc
import time
import tracemalloc
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from petra.bench.race import PARAGRAPH, race
from petra.errors import ConfigError, TextError
from petra.memory.gates import Gates
from petra.memory.inference.text_reader import TextReader
from petra.memory.network import Network
from petra.runtime.progress import Report, silent
from petra.runtime.threads import one_thread
from petra.tracker import Tracker

SCHEMA = "petra.bench/1"

_TOKENS = 2000  # timed
_STREAMED_TOKENS = 1000  # read once and ten times to see what is kept in memory
_LONGER = 10
_ROUNDS = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class BenchResult:
    """Speeds in tokens a second, and the peak of traced memory in bytes."""

    model: str
    device: str  # of the encoder
    threads: int
    cells: int
    tokens: int
    read_share: float  # of the tokens, those that were not skipped
    encoder: float
    recurrent: float
    plain: float  # the memory part, by the plain loop
    exact: float  # by the reader with epsilon 0
    skipping: float  # by the reader as it is used
    peak_once: int
    peak_longer: int  # for ten times the text

    @property
    def peak_ratio(self) -> float:
        return self.peak_longer / self.peak_once

    def times_plain(self, speed: float) -> float:
        return speed / self.plain

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values of the schema ``petra.bench/1``."""
        return {
            "schema": SCHEMA,
            "model": self.model,
            "device": self.device,
            "threads": self.threads,
            "cells": self.cells,
            "tokens": self.tokens,
            "read_share": round(self.read_share, 4),
            "tokens_per_second": {
                "encoder": round(self.encoder),
                "recurrent": round(self.recurrent),
                "memory_plain": round(self.plain),
                "memory_exact": round(self.exact),
                "memory": round(self.skipping),
            },
            "ratios": {
                "memory_exact_to_plain": round(self.times_plain(self.exact), 2),
                "memory_to_plain": round(self.times_plain(self.skipping), 2),
                "peak_memory_ten_times_the_text": round(self.peak_ratio, 2),
            },
        }


def measure(
    tracker: Tracker, text: str = PARAGRAPH, *, cells: int | None = None, report: Report = silent
) -> BenchResult:
    """Time the parts of reading a text, repeated to a few thousand tokens; report is told of the steps done."""
    encoder, network = tracker.encoder, tracker.network
    if not isinstance(network, Network):
        raise ConfigError(f"The model {tracker.name} is a Referential Reader; the timing is of PeTra's memory.")
    once = len(encoder.tokenizer.tokenize(text))
    if not once:
        raise TextError("The text to be timed has no words. Give another one, or none for the built-in text.")
    document = encoder.tokenizer.tokenize(text * -(-_TOKENS // once))
    tokens, steps = len(document), _ROUNDS + 3
    report(0, steps)
    began = time.perf_counter()
    features = torch.cat(list(encoder.encode(document))).to("cpu")[None, :, None]  # (1, t, 1, D)
    encoding = time.perf_counter() - began
    report(1, steps)
    with torch.inference_mode():
        hidden = network.hidden_states(features)[0, :, 0]  # (t, H)
        best = race(
            {
                "recurrent": lambda: network.hidden_states(features),
                "plain": lambda: plain_loop(network, hidden, cells),
                "exact": lambda: TextReader(network, cells, epsilon=0).read_hidden(hidden),
                "skipping": lambda: TextReader(network, cells, epsilon=tracker.epsilon).read_hidden(hidden),
            },
            _ROUNDS,
            lambda done: report(1 + done, steps),
        )
    rows = TextReader(network, cells, epsilon=tracker.epsilon).read_hidden(hidden)
    pieces = -(-_STREAMED_TOKENS // once)
    _peak_memory(tracker, text, pieces, cells)  # what is made once, on first use, is no part of it
    peak_once = _peak_memory(tracker, text, pieces, cells)
    report(steps - 1, steps)
    peak_longer = _peak_memory(tracker, text, _LONGER * pieces, cells)
    report(steps, steps)
    return BenchResult(
        model=tracker.name,
        device=str(encoder.device),
        threads=torch.get_num_threads(),
        cells=rows.usage.shape[1],
        tokens=tokens,
        read_share=float((rows.mention_prob >= tracker.epsilon).mean()),
        encoder=tokens / encoding,
        peak_once=peak_once,
        peak_longer=peak_longer,
        **{part: tokens / seconds for part, seconds in best.items()},
    )


@one_thread()
def plain_loop(network: Network, hidden: Tensor, num_cells: int | None = None) -> Gates:
    """The memory read as the paper is written: at each token all equations, nothing prepared and nothing skipped.

    This is what the speed of the reader is compared with. From h_t (t, H) it gives
    e_t (t,) and c_t, o_t and u_t (t, N), equal to the reader's with epsilon 0.
    """
    weights = {name: value[0] for name, value in network.named_parameters()}
    variant, decay = network.variant, network.config.usage_decay
    start = network.start(1, num_cells)
    cells, usage = start.cells[0, 0], start.usage[0, 0]  # (N, H), (N,)

    def layer(inputs: Tensor, name: str) -> Tensor:
        return torch.addmm(weights[f"{name}_bias"], inputs, weights[name])

    rows = []
    for token in hidden:
        mention_prob = torch.sigmoid(
            layer(F.relu(layer(F.relu(layer(token[None], "mention_first")), "mention_second")), "mention_out")
        )[0, 0]
        beside = token.expand_as(cells)  # (N, H)
        inputs = torch.cat([beside, cells, beside * cells, usage[:, None]], dim=1)  # (N, 3H + 1)
        layers = F.relu(layer(F.relu(layer(inputs, "similarity_first")), "similarity_second"))
        similarity = torch.mv(layers, weights["similarity_out"]) + weights["similarity_out_bias"]  # (N,)
        scores = similarity.masked_fill(usage == 0, float("-inf"))
        shares = mention_prob * F.softmax(F.pad(scores, (0, 1)), dim=0)  # (N + 1,)
        coref_prob = shares[:-1]
        unused = usage == 0
        if variant.by_similarity and unused.any():
            chosen = similarity.masked_fill(~unused, float("-inf")).argmax()
        else:
            chosen = usage.argmin()
        overwrite_prob = torch.zeros_like(usage)
        overwrite_prob[chosen] = shares[-1]
        merged = torch.tanh(layer(torch.cat([beside, cells], dim=1), "update"))
        written, known = overwrite_prob[:, None], coref_prob[:, None]
        updated = (1 - (written + known)) * cells + written * beside + known * merged
        updated[:, : variant.key_size] = cells[:, : variant.key_size]
        cells = updated
        usage = (overwrite_prob + coref_prob + decay * usage).clamp(max=1)
        rows.append((mention_prob, coref_prob, overwrite_prob, usage))
    return Gates(*(torch.stack(column) for column in zip(*rows, strict=True)))


def _peak_memory(tracker: Tracker, piece: str, times: int, cells: int | None) -> int:
    """The most that Python and NumPy held at once while a text was streamed, in bytes.

    PyTorch's own memory is not traced; it holds the weights and one batch of windows.
    """
    gc.collect()
    gc.freeze()  # what is there already need not be looked through at every collection
    tracemalloc.start()
    try:
        with tracker.stream(cells=cells) as stream:
            for _ in range(times):
                stream.feed(piece)
                gc.collect()  # what waits to be collected is not held
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.unfreeze()
