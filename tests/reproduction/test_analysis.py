from __future__ import annotations

from typing import Any

import pytest
from study_samples import grid, results

from petra.publication.spreads import Spread
from petra.reproduction.analysis import at_best_size, cell_use, correlation, cost, lowest_count_error
from petra.reproduction.grid import GridRun
from petra.reproduction.results import Results


def of(values: dict[tuple[int, int], dict[str, Any]], **settings: Any) -> Results:
    """Results of vanilla PeTra by cells and seed; a run that is not given is missing."""

    def measured(run: GridRun) -> dict[str, Any] | None:
        return values.get((run.cells, run.seed))

    return results(grid(models=["vanilla"], **settings), measured)


def f1(**by_place: float) -> dict[tuple[int, int], dict[str, Any]]:
    """Validation F1 by places written c4s1: 4 cells, seed 1. Test F1 is ten less."""
    places = {name: tuple(map(int, name[1:].split("s"))) for name in by_place}
    return {
        (places[name][0], places[name][1]): {"validation_f1": value, "test_f1": value - 10}
        for name, value in by_place.items()
    }


def test_the_best_size_is_chosen_on_validation() -> None:
    found = of(
        {
            (2, 1): {"validation_f1": 70.0, "test_f1": 99.0},
            (2, 2): {"validation_f1": 72.0, "test_f1": 99.0},
            (4, 1): {"validation_f1": 71.0, "test_f1": 60.0},
            (4, 2): {"validation_f1": 73.0, "test_f1": 62.0},
        }
    )
    best = at_best_size(found, "vanilla")
    assert best is not None
    assert best.cells == 4
    assert best.test_f1 == Spread(61.0, pytest.approx(2**0.5), 2)


def test_a_single_good_run_does_not_make_a_size_the_best() -> None:
    found = of(f1(c2s1=90, c2s2=60, c4s1=76, c4s2=76))
    assert found.best_size("vanilla") == 4


def test_of_equally_good_sizes_the_smaller_is_taken() -> None:
    assert of(f1(c2s1=70, c2s2=72, c4s1=71, c4s2=71)).best_size("vanilla") == 2


def test_collapsed_runs_stay_in() -> None:
    found = of({(2, 1): {"test_f1": 80.0}, (2, 2): {"test_f1": 40.0, "collapsed": True}})
    assert found.mean("vanilla", 2, "test_f1") == Spread(60.0, pytest.approx(800**0.5), 2)
    assert [record.run.seed for record in found.collapsed] == [2]


def test_missing_runs_are_known() -> None:
    found = of(f1(c2s1=70, c4s2=71))
    assert [(run.cells, run.seed) for run in found.missing] == [(2, 2), (4, 1)]
    assert found.mean("vanilla", 2, "validation_f1") == Spread(70.0, 0.0, 1)
    assert list(found.by_cells("vanilla", "validation_f1")) == [2, 4]


def test_without_runs_there_is_nothing() -> None:
    found = of({})
    assert found.best_size("vanilla") is None
    assert at_best_size(found, "vanilla") is None
    assert correlation(found, "vanilla") is None
    assert cell_use(found, "vanilla") is None
    assert cost(found, "vanilla") is None
    assert lowest_count_error(found, "vanilla") is None


def test_f1_goes_with_counting_over_all_runs_of_a_model() -> None:
    found = of(
        {
            (2, 1): {"validation_f1": 70.0, "count_error_best": 140},
            (2, 2): {"validation_f1": 72.0, "count_error_best": 120},
            (4, 1): {"validation_f1": 74.0, "count_error_best": 130},
            (4, 2): {"validation_f1": 30.0, "count_error_best": 10, "collapsed": True},
        }
    )
    # Ranks of F1: 2 3 4 1; of the negative error: 1 3 2 4. Squared differences 1 0 4 9: 1 - 6 * 14 / 60 = -0.4.
    assert correlation(found, "vanilla") == pytest.approx(-0.4)
    # Without the collapsed run: 1 2 3 and 1 3 2, so 1 - 6 * 2 / 24 = 0.5.
    assert correlation(found, "vanilla", with_collapsed=False) == pytest.approx(0.5)


def test_the_use_of_cells_by_the_best_and_the_worst_run_of_each_size() -> None:
    found = of(
        {
            (2, 1): {"validation_f1": 70.0, "overwrite_kl": 0.6},
            (2, 2): {"validation_f1": 72.0, "overwrite_kl": 0.1},
            (2, 3): {"validation_f1": 71.0, "overwrite_kl": 9.0},  # neither
            (4, 1): {"validation_f1": 75.0, "overwrite_kl": 0.3},
            (4, 2): {"validation_f1": 73.0, "overwrite_kl": 1.0},
            (4, 3): {"validation_f1": 20.0, "overwrite_kl": None},  # never writes: the next one stands for it
        },
        seeds=[1, 2, 3],
    )
    use = cell_use(found, "vanilla")
    assert use is not None
    assert use.best == pytest.approx((0.1 + 0.3) / 2)
    assert use.worst == pytest.approx((0.6 + 1.0) / 2)
    assert use.sizes == 2


def test_a_size_with_one_run_has_no_best_and_worst() -> None:
    found = of({(2, 1): {"overwrite_kl": 0.5}, (4, 1): {"overwrite_kl": 0.1}, (4, 2): {"overwrite_kl": 0.1}})
    use = cell_use(found, "vanilla")
    assert use is not None
    assert use.sizes == 1


def test_what_training_cost() -> None:
    found = of(
        {
            (2, 1): {"epochs": 10, "seconds": 20.0, "parameters": 100},
            (4, 1): {"epochs": 30, "seconds": 60.0, "parameters": 120},
        }
    )
    spent = cost(found, "vanilla")
    assert spent is not None
    assert (spent.fewest_parameters, spent.most_parameters) == (100, 120)
    assert (spent.epochs, spent.seconds, spent.seconds_an_epoch) == (20.0, 80.0, 2.0)


def test_the_size_with_the_lowest_counting_error() -> None:
    found = of(
        {
            (2, 1): {"count_error_best": 90},
            (2, 2): {"count_error_best": 130},
            (4, 1): {"count_error_best": 100},
            (4, 2): {"count_error_best": 104},
        }
    )
    lowest = lowest_count_error(found, "vanilla")
    assert lowest is not None
    assert (lowest.cells, lowest.error.mean) == (4, 102.0)
