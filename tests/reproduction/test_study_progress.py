from __future__ import annotations

from study_samples import grid

from petra.reproduction.groups import make_groups
from petra.reproduction.progress import Watch
from petra.reproduction.words import duration, listed

# Two groups of four runs with up to 4 cells; patience 15, so 45 epochs are expected of the first.
GROUPS = make_groups(grid().runs, models_at_once=50)


def test_the_first_group_stands_for_all() -> None:
    watch = Watch(GROUPS, done=2, whole=10)
    watch.begin(GROUPS[0])
    progress = watch.epoch(5, 2.0, [70.0, 72.0, 74.0, 76.0], [False, False, True, False])
    assert (progress.done, progress.whole, progress.running, progress.learning) == (2, 10, 4, 3)
    assert (progress.mean_f1, progress.best_f1) == (73.0, 76.0)
    assert progress.seconds_left == 2 * (45 - 5) + 2 * 45  # this group, and one of the same work


def test_slow_first_epochs_are_forgotten() -> None:
    watch = Watch(GROUPS[:1], done=0, whole=4)
    watch.begin(GROUPS[0])
    for epoch, seconds in enumerate([60.0, 1.0, 2.0, 1.0], start=1):
        progress = watch.epoch(epoch, seconds, [70.0], [False])
    assert progress.seconds_left == 1.5 * (45 - 4)  # the median of 60 1 2 1


def test_what_earlier_groups_took_is_expected_of_the_next() -> None:
    watch = Watch(GROUPS, done=0, whole=8)
    watch.begin(GROUPS[0])
    progress = watch.epoch(20, 1.0, [70.0], [True])
    assert progress.seconds_left == 45.0  # the group has ended; nothing is known of how long the next will go on
    watch.end()
    watch.begin(GROUPS[1])
    progress = watch.epoch(5, 3.0, [70.0], [False])
    assert (progress.done, progress.seconds_left) == (4, 3.0 * (20 - 5))
    assert watch.epoch(30, 3.0, [70.0], [False]).seconds_left == 3.0  # longer than expected: one more at least


def test_larger_batches_take_longer() -> None:
    large, small = make_groups(grid(models=["vanilla"]).runs, models_at_once=3)
    watch = Watch([large, small], done=0, whole=4)
    watch.begin(large)  # 3 runs of up to 4 cells; then 1 run of 2
    assert watch.epoch(45, 6.0, [70.0], [True]).seconds_left == 6 * 45 * 2 / 12


def test_in_words() -> None:
    watch = Watch(GROUPS, done=2, whole=10)
    watch.begin(GROUPS[0])
    assert str(watch.epoch(5, 2.0, [70.0, 74.0], [False, True])) == (
        "mpnet-base, vanilla, 2-4 cells: epoch 5, 2.0 s, 1 of 4 learning, validation F1 mean 72.0, best 74.0; "
        "2 of 10 runs done, about 3 min left"
    )


def test_times_and_lists_as_one_says_them() -> None:
    assert [duration(seconds) for seconds in (0, 45.4, 89, 91, 3600, 5400, 12000)] == [
        "0 s",
        "45 s",
        "89 s",
        "2 min",
        "60 min",
        "1 h 30 min",
        "3 h 20 min",
    ]
    assert [listed(items) for items in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "none",
        "a",
        "a and b",
        "a, b and c",
    ]
