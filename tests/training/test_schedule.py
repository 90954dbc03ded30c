from __future__ import annotations

from collections.abc import Sequence

import pytest

from petra.config import TrainingConfig
from petra.training.schedule import Schedule, temperature

PAPER = TrainingConfig()


def after(scores: Sequence[float], config: TrainingConfig = PAPER) -> Schedule:
    schedule = Schedule(learning_rate=config.learning_rate)
    for number, f1 in enumerate(scores):
        schedule = schedule.after(f1, threshold=number / 100, config=config)
    return schedule


def test_a_better_epoch_is_remembered() -> None:
    schedule = after([50.0, 60.0, 55.0])
    assert (schedule.best_f1, schedule.best_epoch, schedule.best_threshold) == (60.0, 1, 0.01)
    assert (schedule.epochs, schedule.stale, schedule.learning_rate) == (3, 1, 1e-3)


def test_an_equal_epoch_is_not_better() -> None:
    assert after([50.0, 50.0]).best_epoch == 0


def test_even_an_f1_of_zero_is_better_than_none() -> None:
    assert after([0.0]).best_epoch == 0


def test_the_rate_is_halved_after_every_five_stale_epochs() -> None:
    # After the best epoch, four stale ones change nothing, the fifth halves, the tenth halves again.
    assert after([50.0] + [40.0] * 4).learning_rate == 1e-3
    assert after([50.0] + [40.0] * 5).learning_rate == 5e-4
    assert after([50.0] + [40.0] * 9).learning_rate == 5e-4
    assert after([50.0] + [40.0] * 10).learning_rate == 2.5e-4


def test_a_better_epoch_starts_the_count_again_and_keeps_the_rate() -> None:
    schedule = after([50.0] + [40.0] * 5 + [60.0] + [40.0] * 4)
    assert (schedule.learning_rate, schedule.stale) == (5e-4, 4)


def test_the_rate_does_not_fall_below_the_minimum() -> None:
    # Halved from 1e-3: 5e-4, 2.5e-4, 1.25e-4, and then 1e-4 instead of 6.25e-5. Each rise of F1 avoids the stop.
    scores = [score for best in range(4) for score in [50.0 + best] + [40.0] * 5]
    assert after(scores[:-6]).learning_rate == 1.25e-4
    assert after(scores).learning_rate == 1e-4
    assert after([*scores, 60.0] + [40.0] * 5).learning_rate == 1e-4


def test_training_stops_after_fifteen_stale_epochs() -> None:
    assert not after([50.0] + [40.0] * 14).stopped
    assert after([50.0] + [40.0] * 15).stopped


@pytest.mark.parametrize("last", [10.0, 90.0], ids=["a worse last epoch", "a better last epoch"])
def test_training_stops_at_the_last_epoch(last: float) -> None:
    config = TrainingConfig(max_epochs=3)
    assert not after([10.0, 20.0], config).stopped
    assert after([10.0, 20.0, last], config).stopped


def test_a_stopped_model_changes_no_more() -> None:
    stopped = after([50.0] + [40.0] * 15)
    assert stopped.after(99.0, 0.5, PAPER) is stopped


def test_the_temperature_is_halved_every_ten_epochs() -> None:
    assert [temperature(epoch, PAPER) for epoch in (0, 9, 10, 19, 20, 99)] == [1.0, 1.0, 0.5, 0.5, 0.25, 2**-9]
