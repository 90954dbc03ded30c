from __future__ import annotations

from study_samples import grid

from petra.reproduction.groups import RunGroup, make_groups


def test_all_runs_of_a_model_train_together() -> None:
    runs = grid(cells=[2, 4, 6], seeds=[1, 2]).runs
    petra, reader = make_groups(runs, models_at_once=6)
    assert {run.model for run in petra.runs} == {"vanilla"}
    assert {run.model for run in reader.runs} == {"referential-reader"}
    assert (petra.capacity, petra.seeds) == ((6, 6, 4, 4, 2, 2), (1, 2, 1, 2, 1, 2))
    assert petra.config.memory.num_cells == 6
    assert petra.label == "mpnet-base, vanilla, 2-6 cells"


def test_batches_keep_runs_of_like_size_together_the_largest_first() -> None:
    runs = grid(models=["vanilla"], cells=[2, 4, 6], seeds=[1, 2]).runs
    groups = make_groups(runs, models_at_once=4)
    assert [group.capacity for group in groups] == [(6, 6, 4, 4), (2, 2)]
    assert [group.config.memory.num_cells for group in groups] == [6, 2]
    assert groups[1].label == "mpnet-base, vanilla, 2 cells"


def test_no_run_is_lost_or_doubled() -> None:
    runs = grid(cells=[2, 4, 6], seeds=[1, 2, 3]).runs
    for at_once in (1, 2, 5, 9, 50):
        made = [run.digest for group in make_groups(runs, at_once) for run in group.runs]
        assert sorted(made) == sorted(run.digest for run in runs)
    assert make_groups((), 5) == ()


def test_a_group_is_known_by_its_runs() -> None:
    runs = grid().runs
    assert RunGroup(runs=runs[:2]).digest == RunGroup(runs=runs[:2]).digest
    assert RunGroup(runs=runs[:2]).digest != RunGroup(runs=runs[:1]).digest
    assert RunGroup(runs=runs[:2]).to_toml() != RunGroup(runs=(runs[1], runs[0])).to_toml()
