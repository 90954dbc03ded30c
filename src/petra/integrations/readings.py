"""Readings: how texts are to be read, and many of them read so that one that fails costs only itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import petra

if TYPE_CHECKING:
    from petra.tracker import Tracker, Tracking


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadingSettings:
    """How texts are to be read. Plain values, so that it can be stored or sent to another machine; weights cannot."""

    model: str | None = None  # name or folder; the default model unless given
    device: str | None = None
    cells: int | None = None
    threshold: float | None = None

    def load(self) -> Tracker:
        """The tracker, ready to read. A setting that it cannot read with fails here, before any text is read."""
        tracker = petra.load(self.model, device=self.device)
        tracker.track_many((), cells=self.cells, threshold=self.threshold)
        return tracker

    def track(self, tracker: Tracker, text: str) -> Tracking:
        """What is found in a text."""
        return tracker.track(text, cells=self.cells, threshold=self.threshold)

    def track_each(self, tracker: Tracker, texts: Sequence[str]) -> Iterator[Tracking | Exception]:
        """What is found in each text, in order; for a text that fails, why.

        Short texts are encoded together. Where that fails, the texts from there on are
        read one by one, so that the others do not suffer.
        """
        trackings = tracker.track_many(texts, cells=self.cells, threshold=self.threshold)
        together = 0
        while together < len(texts):
            try:
                found = next(trackings)
            except Exception:
                break
            together += 1
            yield found
        for text in texts[together:]:
            yield self._track_or_fail(tracker, text)

    def _track_or_fail(self, tracker: Tracker, text: str) -> Tracking | Exception:
        try:
            return self.track(tracker, text)
        except Exception as error:  # whatever it is, it belongs to this text alone
            return error
