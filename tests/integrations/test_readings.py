from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

import petra
from petra import Tracker
from petra.integrations.readings import ReadingSettings


class Weak:
    """A tracker that gives back its texts and cannot read some of them."""

    def __init__(self) -> None:
        self.alone: list[str] = []

    def track_many(self, texts: Iterable[str], **_: Any) -> Iterator[str]:
        return map(self._read, texts)

    def track(self, text: str, **_: Any) -> str:
        self.alone.append(text)
        return self._read(text)

    def _read(self, text: str) -> str:
        if "bad" in text:
            raise MemoryError(text)
        return text


def test_a_text_that_fails_costs_only_itself() -> None:
    weak = Weak()
    found = list(ReadingSettings().track_each(cast(Tracker, weak), ["one", "bad two", "three", "bad four", "five"]))
    assert found[0::2] == ["one", "three", "five"]
    assert [(type(error), str(error)) for error in found[1::2]] == [(MemoryError, "bad two"), (MemoryError, "bad four")]
    assert "one" not in weak.alone  # it was read with the others, and not again


def test_a_reading_reads_as_the_tracker_does(tiny_model: Path, tiny_tracker: Tracker) -> None:
    texts = ["Lena Brook met Paul. He told her.", "", "Amelia saw Lena and said it."]
    reading = ReadingSettings(model=str(tiny_model), device="cpu", cells=2, threshold=0.1)
    tracker = reading.load()
    expected = [tracking.to_dict() for tracking in tiny_tracker.track_many(texts, cells=2, threshold=0.1)]
    found = [
        tracking.to_dict() for tracking in reading.track_each(tracker, texts) if not isinstance(tracking, Exception)
    ]
    assert found == expected
    assert reading.track(tracker, texts[0]).to_dict() == expected[0]


@pytest.mark.parametrize("wrong", [{"threshold": 2.0}, {"cells": 0}])
def test_a_wrong_setting_is_told_before_a_text_is_read(tiny_model: Path, wrong: dict[str, Any]) -> None:
    with pytest.raises(petra.ConfigError):
        ReadingSettings(model=str(tiny_model), device="cpu", **wrong).load()


def test_an_unknown_model_is_told() -> None:
    with pytest.raises(petra.ModelError, match="No model named 'huge'"):
        ReadingSettings(model="huge").load()
