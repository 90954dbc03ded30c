"""How far a study is, and how long it may still take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

from petra.reproduction.groups import RunGroup
from petra.reproduction.words import duration

_RECENT = 5  # epochs whose median time stands for those to come; the first of a group takes longer


@dataclass(frozen=True, kw_only=True, slots=True)
class StudyProgress:
    """Where a study is after an epoch of the group that is training."""

    group: str
    running: int  # runs of the group
    learning: int  # those of them that have not stopped
    epoch: int
    epoch_seconds: float
    mean_f1: float  # on validation, of the runs still in the batch
    best_f1: float
    done: int  # runs of the whole study
    whole: int
    seconds_left: float  # expected, until all runs are done

    def __str__(self) -> str:
        return (
            f"{self.group}: epoch {self.epoch}, {self.epoch_seconds:.1f} s, "
            f"{self.learning} of {self.running} learning, "
            f"validation F1 mean {self.mean_f1:.1f}, best {self.best_f1:.1f}; "
            f"{self.done} of {self.whole} runs done, about {duration(self.seconds_left)} left"
        )


class Watch:
    """Follows a study from group to group, and expects of those to come what the earlier ones took.

    A group lasts until its last model stops. Until one is finished that is taken to be
    three times the patience, and never more than the epochs allowed. An epoch's time is
    taken to grow with the models of a batch and with the cells that there is room for.
    """

    _group: RunGroup  # that trains now

    def __init__(self, waiting: Sequence[RunGroup], *, done: int, whole: int) -> None:
        self._waiting = list(waiting)
        self._done = done
        self._whole = whole
        self._lengths: list[int] = []  # epochs of the groups that are done
        self._recent: list[float] = []  # seconds of epochs
        self._epoch = 0

    def begin(self, group: RunGroup) -> None:
        """The group trains now."""
        self._waiting.remove(group)
        self._group = group
        self._recent = []

    def epoch(
        self, epoch: int, seconds: float, validation_f1: Sequence[float], stopped: Sequence[bool]
    ) -> StudyProgress:
        """The group has done so many epochs; F1 is of the models in the batch."""
        self._epoch = epoch
        self._recent = [*self._recent, seconds][-_RECENT:]
        learning = len(stopped) - sum(stopped)
        return StudyProgress(
            group=self._group.label,
            running=len(self._group.runs),
            learning=learning,
            epoch=epoch,
            epoch_seconds=seconds,
            mean_f1=fmean(validation_f1),
            best_f1=max(validation_f1),
            done=self._done,
            whole=self._whole,
            seconds_left=self._seconds_left(learning > 0),
        )

    def end(self) -> None:
        """The runs of the group are recorded."""
        self._lengths.append(self._epoch)
        self._done += len(self._group.runs)

    def _seconds_left(self, is_learning: bool) -> float:
        pace = median(self._recent)
        left = pace * max(self._expected(self._group) - self._epoch, 1) * is_learning
        return left + sum(pace * self._expected(group) * _work(group) / _work(self._group) for group in self._waiting)

    def _expected(self, group: RunGroup) -> float:
        """Epochs of a group."""
        usual = fmean(self._lengths) if self._lengths else 3 * group.training.patience_stop
        return min(usual, group.training.max_epochs)


def _work(group: RunGroup) -> int:
    return len(group.runs) * max(group.capacity)
