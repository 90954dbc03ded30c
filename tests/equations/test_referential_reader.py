"""The equations of the Referential Reader, one worked example each."""

from __future__ import annotations

from math import log, tanh

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.testing import assert_close

from petra.memory.gates import overwrite_gumbel, overwrite_least_used, overwrite_odds
from petra.memory.referential.gates import (
    FIRST_SALIENCE,
    amount_to_write,
    gru_cell,
    match,
    memory_read,
    mention_gate,
    mix_memory,
    next_salience,
    pre_recurrent_state,
    read_gate,
    referential_gate,
    remember_gate,
    update_gate,
    write,
)

PRESENT = torch.zeros(1, 2)  # both cells are there


def logit(probability: float) -> Tensor:
    return torch.tensor([log(probability / (1 - probability))])


def test_the_pre_recurrent_state() -> None:
    # tanh(0.2 + 0.3) and tanh(1 - 1).
    pre = pre_recurrent_state(torch.tensor([0.2, 1.0]), torch.tensor([0.3, -1.0]))
    assert_close(pre, torch.tensor([tanh(0.5), 0.0]))


def test_a_mention_and_a_reference() -> None:
    # e = 0.8; r = 0.8 * 0.25 = 0.2. What only fills up is no mention.
    mention_prob = mention_gate(logit(0.8), torch.tensor([1.0]))
    assert_close(mention_prob, torch.tensor([0.8]))
    assert_close(referential_gate(mention_prob, logit(0.25)), torch.tensor([0.2]))
    assert mention_gate(logit(0.8), torch.tensor([0.0])).item() == 0


def test_a_reference_is_shared_out_by_keys() -> None:
    # k . q is ln 3 * 1 + 5 * 0 = ln 3 for the first cell and 0 for the second: 3/4 and 1/4 of r = 0.4.
    keys = torch.tensor([[[log(3), 5.0], [0.0, -2.0]]])
    query = torch.tensor([[1.0, 0.0]])
    shares = match(torch.tensor([0.4]), keys, query, torch.tensor(0.7), PRESENT)  # b_q = 0.7 changes nothing
    assert_close(shares, torch.tensor([[0.3, 0.1]]))


def test_an_absent_cell_takes_no_part_in_the_match() -> None:
    keys, query = torch.tensor([[[1.0], [9.0]]]), torch.tensor([[1.0]])
    shares = match(torch.tensor([0.4]), keys, query, torch.tensor(0.0), torch.tensor([[0.0, float("-inf")]]))
    assert_close(shares, torch.tensor([[0.4, 0.0]]))


def test_an_update_is_no_more_than_twice_the_salience() -> None:
    # min(0.3, 2 * 0.5) = 0.3 and min(0.1, 2 * 0.02) = 0.04.
    update = update_gate(torch.tensor([[0.3, 0.1]]), torch.tensor([[0.5, 0.02]]))
    assert_close(update, torch.tensor([[0.3, 0.04]]))
    assert update_gate(torch.tensor([1.0]), torch.tensor([FIRST_SALIENCE])).item() == pytest.approx(2e-7)


def test_what_is_of_nobody_known_is_written() -> None:
    # 0.8 - (0.3 + 0.04) = 0.46; never less than nothing.
    assert_close(amount_to_write(torch.tensor([0.8]), torch.tensor([[0.3, 0.04]])), torch.tensor([0.46]))
    assert amount_to_write(torch.tensor([0.1]), torch.tensor([[0.3, 0.04]])).item() == 0


def test_training_shares_the_amount_out_by_salience() -> None:
    # GS(-s / tau): with tau = 0.5 and no noise, s = 0 and ln 3 / 2 give odds 1 : 1/3. Of 0.4 they get 0.3 and 0.1.
    # The function takes (1 - s) / tau, which adds the same to all cells.
    odds = overwrite_odds(torch.tensor([[0.0, log(3) / 2]]), torch.zeros(1, 2), torch.tensor(0.5))
    assert_close(overwrite_gumbel(torch.tensor([0.4]), odds), torch.tensor([[0.3, 0.1]]))


def test_reading_writes_to_the_least_salient_cell() -> None:
    salience = torch.tensor([[0.5, 0.02]])
    assert_close(overwrite_least_used(torch.tensor([0.46]), salience), torch.tensor([[0.0, 0.46]]))


def test_the_rest_is_remembered() -> None:
    # 1 - 0 - 0.3 = 0.7 and 1 - 0.46 - 0.04 = 0.5.
    keep = remember_gate(torch.tensor([[0.3, 0.04]]), torch.tensor([[0.0, 0.46]]))
    assert_close(keep, torch.tensor([[0.7, 0.5]]))


def test_salience_after_a_token_of_a_person() -> None:
    # up + ov adds up to 1, so that d = 0.5^(1/4) = 0.8409: a cell that was not touched is halved by four of these.
    update, overwrite = torch.tensor([[0.6, 0.0]]), torch.tensor([[0.4, 0.0]])
    salience = torch.tensor([[0.0, 0.8]])
    for _ in range(4):
        salience = next_salience(salience, update, overwrite, remember_gate(update, overwrite))
    assert_close(salience, torch.tensor([[1.0, 0.4]]))


def test_salience_after_tokens_of_nobody() -> None:
    # d = 0.5^(1/30): thirty of these halve it.
    nothing = torch.zeros(1, 1)
    salience = torch.tensor([[0.8]])
    for _ in range(30):
        salience = next_salience(salience, nothing, nothing, remember_gate(nothing, nothing))
    assert_close(salience, torch.tensor([[0.4]]))


def test_salience_after_an_uncertain_token() -> None:
    # sum of up and ov 0.5: d is halfway between 0.840896 and 0.977160, 0.909028.
    # Cell 1: 0.3 + 0 + 0.7 * 0.5 * d = 0.618160; cell 2: 0.04 + 0.16 + 0.8 * 0.1 * d = 0.272722.
    update, overwrite = torch.tensor([[0.3, 0.04]]), torch.tensor([[0.0, 0.16]])
    salience = next_salience(torch.tensor([[0.5, 0.1]]), update, overwrite, remember_gate(update, overwrite))
    assert_close(salience, torch.tensor([[0.618160, 0.272722]]), atol=1e-5, rtol=0)


def test_the_memory_is_read_by_salience() -> None:
    # 0.5 * [2, 0] + 0.25 * [4, 8] = [2, 2]; the gate lets through min(0.9, 0.5 + 0.25).
    salience, values = torch.tensor([[0.5, 0.25]]), torch.tensor([[[2.0, 0.0], [4.0, 8.0]]])
    read, gate = memory_read(salience, values), read_gate(logit(0.9), salience)
    assert_close(read, torch.tensor([[2.0, 2.0]]))
    assert_close(gate, torch.tensor([0.75]))
    # 0.25 * [4, -4] + 0.75 * [2, 2] = [2.5, 0.5].
    assert_close(mix_memory(torch.tensor([[4.0, -4.0]]), read, gate), torch.tensor([[2.5, 0.5]]))


def test_a_closed_gate_reads_nothing() -> None:
    assert_close(read_gate(logit(0.1), torch.tensor([[0.5, 0.25]])), torch.tensor([0.1]))


def test_the_gru_cell_is_torch_s() -> None:
    generator = torch.Generator().manual_seed(0)
    x, state = torch.randn(2, 3, generator=generator), torch.randn(2, 4, generator=generator)
    of_inputs, of_state = torch.randn(12, 3, generator=generator), torch.randn(12, 4, generator=generator)
    bias, state_bias = torch.randn(12, generator=generator), torch.randn(12, generator=generator)
    expected = torch.gru_cell(x, state, of_inputs, of_state, bias, state_bias)
    assert_close(gru_cell(x @ of_inputs.t() + bias, state @ of_state.t() + state_bias, state), expected)


def test_what_is_written_to_a_cell() -> None:
    # Cell 1: 0.5 * 2 + 0.3 * 10 + 0.2 * 4 = 4.8; cell 2, untouched: 6.
    written = write(
        before=torch.tensor([[[2.0], [6.0]]]),
        new=torch.tensor([[10.0]]),
        updated=torch.tensor([[[4.0], [5.0]]]),
        keep=torch.tensor([[0.5, 1.0]]),
        overwrite=torch.tensor([[0.3, 0.0]]),
        update=torch.tensor([[0.2, 0.0]]),
    )
    assert_close(written, torch.tensor([[[4.8], [6.0]]]))


PROBABILITY = st.floats(0, 1, width=32, allow_subnormal=False)


@given(PROBABILITY, PROBABILITY, st.lists(st.tuples(PROBABILITY, PROBABILITY), min_size=1, max_size=4))
def test_no_probability_is_lost_and_salience_stays_in_the_unit_interval(
    mention: float, reference: float, cells: list[tuple[float, float]]
) -> None:
    shares, salience = torch.tensor(cells).T
    mention_prob = torch.tensor(mention)
    update = update_gate(mention_prob * reference * torch.softmax(shares, dim=-1), salience)
    overwrite = overwrite_least_used(amount_to_write(mention_prob, update), salience)
    keep = remember_gate(update, overwrite)
    assert_close((update + overwrite).sum(), mention_prob)
    assert_close(keep + update + overwrite, torch.ones_like(keep))
    after = next_salience(salience, update, overwrite, keep)
    assert ((after >= 0) & (after <= 1 + 1e-6)).all()
