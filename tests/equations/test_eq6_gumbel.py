"""Equation 6: o_t^i = n_t * GS((1 - u) / tau)_i, where GS is a softmax after Gumbel noise is added."""

from __future__ import annotations

from math import log

import torch
from torch.testing import assert_close

from petra.memory.gates import overwrite_gumbel, overwrite_least_used, overwrite_odds, unused_preference

HALF = torch.tensor(0.5)  # tau


def test_the_less_used_cell_has_the_better_odds() -> None:
    # (1 - u) / tau is 0 / 0.5 = 0 for the first cell, and (ln 3 / 2) / 0.5 = ln 3 for the second.
    # Without noise the odds are 1/4 and 3/4; of n_t = 0.4 the cells get 0.1 and 0.3.
    usage = torch.tensor([[1.0, 1 - log(3) / 2]])
    odds = overwrite_odds(usage, torch.zeros(1, 2), HALF)
    assert_close(odds, torch.tensor([[0.25, 0.75]]))
    assert_close(overwrite_gumbel(torch.tensor([0.4]), odds), torch.tensor([[0.1, 0.3]]))


def test_noise_is_added_after_the_division_by_the_temperature() -> None:
    # Noise of ln 9 makes the odds 9 : 3.
    usage = torch.tensor([[1.0, 1 - log(3) / 2]])
    odds = overwrite_odds(usage, torch.tensor([[log(9), 0.0]]), HALF)
    assert_close(odds, torch.tensor([[0.75, 0.25]]))


def test_a_cold_gumbel_softmax_is_the_hard_choice() -> None:
    # At tau = 0.001 a difference of 0.1 in usage is one of 100 in the softmax, which noise of 1 cannot turn.
    usage, noise = torch.tensor([[0.3, 0.1, 0.2]]), torch.tensor([[1.0, 0.0, 1.0]])
    new_person_prob = torch.tensor([0.4])
    soft = overwrite_gumbel(new_person_prob, overwrite_odds(usage, noise, torch.tensor(0.001)))
    assert_close(soft, overwrite_least_used(new_person_prob, usage))


def test_similarity_tells_unused_cells_apart() -> None:
    # Of the three cells the last two are unused, with similarities ln 1 and ln 3: log softmax ln 1/4 and ln 3/4.
    similarity = torch.tensor([[9.0, log(1), log(3)]])
    preference = unused_preference(similarity, torch.tensor([[False, True, True]]))
    assert_close(preference, torch.tensor([[0.0, log(1 / 4), log(3 / 4)]]))
    # Both have u = 0, so these are their odds against each other.
    odds = overwrite_odds(torch.zeros(1, 2), preference[:, 1:], HALF)
    assert_close(odds, torch.tensor([[0.25, 0.75]]))


def test_without_an_unused_cell_there_is_nothing_to_tell_apart() -> None:
    assert unused_preference(torch.tensor([[2.0, 3.0]]), torch.tensor([[False, False]])).tolist() == [[0.0, 0.0]]


def mean_share(temperature: float, *, tempered: bool) -> float:
    """The mean share of the one unused cell among ten that are used in full, over 4,000 draws of noise."""
    usage = torch.tensor([0.0] + [1.0] * 9).expand(4000, 10)
    uniform = torch.rand(4000, 10, generator=torch.Generator().manual_seed(0)).clamp(1e-7, 1 - 1e-7)
    noise = -torch.log(-torch.log(uniform))
    odds = overwrite_odds(usage, noise / temperature if tempered else noise, torch.tensor(temperature))
    return float(odds[:, 0].mean())


def test_as_printed_the_unused_cell_gets_all_as_the_temperature_falls() -> None:
    shares = [mean_share(temperature, tempered=False) for temperature in (1.0, 0.5, 0.25, 0.1)]
    assert shares == sorted(shares)
    assert shares[0] < 0.25
    assert shares[-1] > 0.98


def test_with_tempered_noise_it_is_chosen_as_often_at_any_temperature() -> None:
    # Cold, the largest of (1 - u) + noise has all: the unused cell in e / (e + 9) = 0.23 of the draws.
    assert abs(mean_share(0.01, tempered=True) - 0.232) < 0.02
    assert mean_share(0.1, tempered=True) < 0.25
