from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from petra.config import MemoryConfig, Variant
from petra.errors import ConfigError
from petra.log.rows import Floats
from petra.memory.cells import merged_cells, token_update
from petra.memory.gates import similarity, token_share
from petra.memory.inference.person_memory import PersonMemory
from petra.memory.network import Network

DECAY = 0.98


def network_of(variant: Variant = "vanilla") -> Network:
    config = MemoryConfig(num_cells=3, hidden_size=6, mlp_size=5, key_size=2, variant=variant)
    return Network(config, input_size=4).requires_grad_(False)


def hidden_of(seed: int) -> Floats:
    return np.random.default_rng(seed).standard_normal(6).astype(np.float32)


def memory_with(*people: int, num_cells: int = 2, register_size: int = 2) -> PersonMemory:
    """A memory that read a mention of each of the people, at tokens 0, 10, 20 and so on."""
    memory = PersonMemory(network_of(), num_cells, register_size=register_size)
    for turn, person in enumerate(people):
        memory.commit(person, hidden_of(person), 10 * turn, named=False)
    return memory


def test_people_fill_the_cells_and_then_push_out_the_least_used() -> None:
    memory = memory_with(1, 2)
    assert (memory.in_cells, memory.in_register, memory.next_cell) == ([1, 2], [], 0)
    memory = memory_with(1, 2, 1, 3)
    assert (memory.in_cells, memory.in_register, memory.next_cell) == ([1, 3], [2], 0)


def test_a_person_of_the_register_takes_a_cell_back() -> None:
    memory = memory_with(1, 2, 3, 1)
    assert (memory.in_cells, memory.in_register) == ([3, 1], [2])


def test_usage_fades_with_every_token() -> None:
    memory = memory_with(1, num_cells=3)
    np.testing.assert_allclose(
        memory.usage(np.array([0, 1, 5]), memory.last_used), [[1, 0, 0], [DECAY, 0, 0], [DECAY**5, 0, 0]], rtol=1e-6
    )
    assert memory.usage(np.array([10**7]), memory.last_used)[0, 0] > 0  # once written, never unused


@pytest.mark.parametrize("people", [(1, 2), (1, 2, 3, 4)])
def test_scores_are_those_of_equation_2_in_a_cell_or_not(people: tuple[int, ...]) -> None:
    # After 1, 2, 3, 4 the first two are in the register, compared as they would be in cells.
    network, memory, token = network_of(), memory_with(*people), 50
    hidden = torch.tensor(hidden_of(9))[None, None]
    vectors = torch.tensor(np.stack([hidden_of(person) for person in people]))[None, None]
    # Usage before token 50, the last mention being at token s: gamma^(49 - s).
    usage = torch.tensor([[[DECAY ** (49 - 10 * turn) for turn in range(len(people))]]])
    mlp = network.similarity_weights
    expected = similarity(token_share(hidden, mlp), hidden, vectors, usage, mlp).score[0, 0]
    assert_close(torch.tensor(memory.scores(hidden_of(9), token, people)), expected)


def test_a_person_mentioned_again_is_merged_by_equation_7() -> None:
    network, memory = network_of(), memory_with(1, 1)
    hidden = torch.tensor(hidden_of(1))[None, None]
    expected = merged_cells(token_update(hidden, network.update_weights), hidden[:, :, None], network.update_weights)
    assert_close(torch.tensor(memory._vectors[0]), expected[0, 0, 0])


def test_being_in_the_register_changes_nothing_of_a_person() -> None:
    # With many cells nobody ever leaves; with one, everybody does all the time.
    order = [1, 2, 3, 1, 3, 2, 2, 1]
    roomy, narrow = memory_with(*order, num_cells=5), memory_with(*order, num_cells=1)
    people = [1, 2, 3]
    np.testing.assert_allclose(
        roomy.scores(hidden_of(9), 99, people), narrow.scores(hidden_of(9), 99, people), rtol=1e-5
    )


def test_a_full_register_drops_the_unnamed_then_the_rare_then_the_old() -> None:
    def dropped(*mentions: tuple[int, bool]) -> list[int | None]:
        memory = PersonMemory(network_of(), 1, register_size=2)
        return [
            memory.commit(person, hidden_of(person), turn, named=named) for turn, (person, named) in enumerate(mentions)
        ]

    # Cell and register hold 1, 2, 3; a fourth person pushes somebody out.
    assert dropped((1, True), (2, False), (3, True), (4, False))[-1] == 2
    assert dropped((1, True), (1, True), (2, True), (3, True), (4, False))[-1] == 2
    assert dropped((1, True), (2, True), (3, True), (4, False))[-1] == 1
    # Whoever leaves the cell may be the one to go.
    assert dropped((1, True), (2, True), (3, False), (4, False))[-1] == 3


def test_without_a_register_whoever_leaves_is_dropped() -> None:
    memory = PersonMemory(network_of(), 1, register_size=0)
    assert memory.commit(1, hidden_of(1), 0, named=True) is None
    assert memory.commit(2, hidden_of(2), 1, named=True) == 1
    assert (memory.in_cells, memory.in_register) == ([2], [])


def test_impossible_settings_are_told() -> None:
    with pytest.raises(ConfigError, match="choose 1 or more"):
        PersonMemory(network_of(), 0)
    with pytest.raises(ConfigError, match="register of -1"):
        PersonMemory(network_of(), register_size=-1)
    with pytest.raises(ConfigError, match="variant fixed-key"):
        PersonMemory(network_of(variant="fixed-key"))
    with pytest.raises(ConfigError, match="holds 2"):
        PersonMemory(Network(MemoryConfig(hidden_size=6, key_size=2), 4, seeds=(1, 2)))
    assert PersonMemory(network_of()).num_cells == 3


@given(
    order=st.lists(st.tuples(st.integers(1, 12), st.booleans()), max_size=60),
    num_cells=st.integers(1, 3),
    register_size=st.integers(0, 4),
)
def test_everybody_is_in_one_place_or_dropped(
    order: list[tuple[int, bool]], num_cells: int, register_size: int
) -> None:
    memory = PersonMemory(network_of(), num_cells, register_size=register_size)
    known: set[int] = set()
    for token, (person, named) in enumerate(order):
        dropped = memory.commit(person, hidden_of(person), token, named=named)
        known.add(person)
        if dropped is not None:
            known.remove(dropped)
            assert dropped != person
        in_cells = [person for person in memory.in_cells if person is not None]
        everybody = [*in_cells, *memory.in_register]
        assert sorted(everybody) == sorted(known)
        assert person in in_cells
        assert len(in_cells) == min(num_cells, len(known))
        assert len(memory.in_register) <= register_size
        assert np.isfinite(memory.scores(hidden_of(0), token + 1, everybody)).all()
