from __future__ import annotations

from petra.publication.spreads import Spread, noise, spread


def test_the_mean_and_deviation_of_runs() -> None:
    # Deviations from 80 are -1, 0, 1: the sum of squares is 2, over n - 1 = 2 is 1.
    assert spread([79.0, 80.0, 81.0]) == Spread(80.0, 1.0, 3)
    assert spread([79.0]) == Spread(79.0, 0.0, 1)
    assert Spread(80.0, 2.0, 4).error == 1.0


def test_chance_is_two_standard_errors_of_a_difference() -> None:
    # Errors 3 / sqrt(1) and 8 / sqrt(4): sqrt(9 + 16) = 5.
    assert noise(Spread(0, 3.0, 1), Spread(0, 8.0, 4)) == 10.0
