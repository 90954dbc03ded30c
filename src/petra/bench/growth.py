"""How time and memory grow with the length of a text, and how long a cold start takes."""

from __future__ import annotations

import math
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import numpy as np

from petra.bench.race import PARAGRAPH
from petra.errors import PetraError
from petra.runtime.progress import Report, silent
from petra.tracker import Tracker

_PIECE = 2_000  # characters fed at once
LENGTHS = (1_000, 3_000, 10_000)  # tokens
LONG_LENGTHS = (1_000, 10_000, 100_000, 1_000_000)


@dataclass(frozen=True, kw_only=True, slots=True)
class Growth:
    """Texts of rising length, each streamed once."""

    tokens: tuple[int, ...]
    seconds: tuple[float, ...]
    peaks: tuple[int, ...]  # the most memory that the process ever had, in bytes, after each of them; 0 if not known

    @property
    def exponent(self) -> float:
        """k of time = c * tokens^k, fitted by least squares of the logarithms."""
        slope, _ = np.polyfit([math.log(each) for each in self.tokens], [math.log(each) for each in self.seconds], 1)
        return float(slope)

    def to_dict(self) -> dict[str, Any]:
        return {
            "tokens": list(self.tokens),
            "seconds": [round(each, 3) for each in self.seconds],
            "exponent": round(self.exponent, 3),
            "peak_bytes": list(self.peaks),
            "peak_longest_to_one_before": round(self.peaks[-1] / self.peaks[-2], 3) if self.peaks[-1] else None,
        }


def measure_growth(
    tracker: Tracker, text: str = PARAGRAPH, *, lengths: Sequence[int] = LENGTHS, report: Report = silent
) -> Growth:
    """Stream a text, repeated to each length."""
    _stream(tracker, text, min(lengths))  # what is made once, on first use, is no part of it
    measured = []
    for done, length in enumerate(sorted(lengths), start=1):
        began = time.perf_counter()
        tokens = _stream(tracker, text, length)
        measured.append((tokens, time.perf_counter() - began, _peak()))
        report(done, len(lengths))
    tokens_read, seconds, peaks = zip(*measured, strict=True)
    return Growth(tokens=tokens_read, seconds=seconds, peaks=peaks)


def cold_start(model: str | None, *options: str) -> float:
    """The seconds that ``petra track`` takes for a short text in a process of its own."""
    program = "from petra.cli.app import main; main()"
    command = [sys.executable, "-c", program, "track", "-", "--json", *(["--model", model] if model else []), *options]
    began = time.perf_counter()
    done = subprocess.run(command, input=PARAGRAPH.encode(), capture_output=True, check=False)
    if done.returncode:
        raise PetraError(f"`petra track` failed: {done.stderr.decode(errors='replace').strip()}")
    return time.perf_counter() - began


def _stream(tracker: Tracker, text: str, length: int) -> int:
    """Stream a text again and again, up to so many tokens or a little more; returns their number."""
    tokens_of_character = max(1, len(tracker.encoder.tokenizer.tokenize(text))) / len(text)
    pieces = cycle(text[begin : begin + _PIECE] for begin in range(0, len(text), _PIECE))
    fed = 0
    with tracker.stream() as stream:
        while fed * tokens_of_character < length:
            piece = next(pieces)
            stream.feed(piece)
            fed += len(piece)
    return stream.num_tokens


def _peak() -> int:
    try:
        import resource
    except ImportError:  # on Windows
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
