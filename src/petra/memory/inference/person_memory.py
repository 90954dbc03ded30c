"""A memory of people, written mention by mention: the cells, and a register of those who had to leave them.

Reading by mentions decides on one person at a time, so the gates of a mention are 0 or
1. By equations 7 and 8 a new person's vector is h_t, that of a person mentioned again
MLP_3([h_t; m^i]), and usage k tokens after a person's last mention is gamma^k. A person who
leaves a cell keeps vector and place of the last mention in the register, and is
compared there with the usage that the cell would have had.

Letters: N cells, R people in the register at most, P people asked about, H hidden size.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from petra.config import MOST_CELLS
from petra.errors import ConfigError
from petra.log.rows import Floats
from petra.memory.inference.numpy_memory import NumpyMemory, fade
from petra.memory.network import Network

REGISTER_SIZE = 500
_NOBODY = 0


class PersonMemory:
    """Who is in the cells and in the register of one reading; people are numbers from 1, given by the caller.

    When a person needs a cell the one used longest ago makes room: its person goes to
    the register. A full register drops first the people without a name, then those
    with the fewest mentions, then those unseen for longest. So memory is bounded
    whatever the length of the text, and a person in a cell is never forgotten.
    """

    def __init__(self, network: Network, num_cells: int | None = None, *, register_size: int = REGISTER_SIZE) -> None:
        config = network.config
        if network.num_models != 1:
            raise ConfigError(f"A text is read by one model; the network holds {network.num_models}.")
        if config.variant != "vanilla":
            raise ConfigError(
                f"The memory is of the variant {config.variant}; people are read mention by mention with vanilla "
                "cells only. Choose a vanilla model."
            )
        if num_cells is not None and not 1 <= num_cells <= MOST_CELLS:
            raise ConfigError(f"{num_cells} memory cells were asked for; choose 1 or more, up to {MOST_CELLS:,}.")
        if register_size < 0:
            raise ConfigError(f"A register of {register_size} people was asked for; choose 0 (none) or more.")
        self.num_cells = config.num_cells if num_cells is None else num_cells
        self._memory = NumpyMemory(network)
        self._decay = config.usage_decay
        slots = self.num_cells + register_size  # the cells first, then the register
        self._vectors = np.zeros((slots, config.hidden_size), dtype=np.float32)  # m^i
        self._shares = np.zeros((slots, config.mlp_size), dtype=np.float32)  # m^i's part of MLP_2's first layer
        self._people = np.full(slots, _NOBODY, dtype=np.int64)
        self._last = np.full(slots, -1, dtype=np.int64)  # token of the person's last mention
        self._mentions = np.zeros(slots, dtype=np.int64)
        self._named = np.zeros(slots, dtype=np.bool_)
        self._slots: dict[int, int] = {}  # person -> slot

    @property
    def in_cells(self) -> list[int | None]:
        """The person in each cell."""
        return [person or None for person in self._people[: self.num_cells].tolist()]

    @property
    def in_register(self) -> list[int]:
        """The people in the register."""
        return [person for person in self._people[self.num_cells :].tolist() if person != _NOBODY]

    @property
    def next_cell(self) -> int:
        """The cell that the next person from outside the cells will take: the least used, the lowest of equals."""
        return int(self._last[: self.num_cells].argmin())

    @property
    def last_used(self) -> NDArray[np.int64]:
        """The token of the last mention of the person in each cell, (N,); -1 if there is none."""
        last: NDArray[np.int64] = self._last[: self.num_cells].copy()
        return last

    def usage(self, tokens: NDArray[np.int64], last_used: NDArray[np.int64]) -> Floats:
        """u_t^i of the cells after each of these tokens, (t, N), given ``last_used`` then, (N,) or (t, N)."""
        since = tokens[:, None] - last_used  # (t, N)
        used = np.broadcast_to(last_used >= 0, since.shape).astype(np.float32)
        return fade(used, since, self._decay)

    def scores(self, hidden: Floats, token: int, people: Sequence[int]) -> Floats:
        """sim_t^i of a mention whose head is this token, with h_t (H,), against each of the people: (P,)."""
        slots = np.array([self._slots[person] for person in people])
        usage = fade(np.ones(len(slots), dtype=np.float32), token - 1 - self._last[slots], self._decay)
        share = self._memory.token_share(hidden)
        return self._memory.similarity_by_shares(hidden, share, self._vectors[slots], self._shares[slots], usage)

    def commit(self, person: int, hidden: Floats, token: int, *, named: bool) -> int | None:
        """Write a mention of a person, who is in a cell from then on; ``named`` if the mention is a name.

        Returns the person dropped from the register for it, if somebody was.
        """
        dropped = None
        slot = self._slots.get(person)
        if slot is None:
            slot, dropped = self.next_cell, self._make_room()
            self._people[slot] = person
            self._slots[person] = slot
            self._vectors[slot] = hidden
            self._mentions[slot], self._named[slot] = 0, False
        else:
            slot = self._in_cell(slot)
            self._vectors[slot] = self._memory.merged(self._memory.token_update(hidden), self._vectors[slot])
        self._shares[slot] = self._memory.cell_share(self._vectors[slot])
        self._last[slot] = token
        self._mentions[slot] += 1
        self._named[slot] |= named
        return dropped

    def _make_room(self) -> int | None:
        """Move the person out of the next cell; returns who was dropped for it."""
        leaving = int(self._people[self.next_cell])
        if leaving == _NOBODY:
            return None
        free = np.flatnonzero(self._people[self.num_cells :] == _NOBODY)
        if len(free):
            self._swap(self.next_cell, self.num_cells + int(free[0]))
            return None
        rivals = np.array([self.next_cell, *range(self.num_cells, len(self._people))])
        order = np.lexsort((self._last[rivals], self._mentions[rivals], self._named[rivals]))
        least = int(rivals[order[0]])
        dropped = int(self._people[least])
        del self._slots[dropped]
        if least != self.next_cell:
            self._swap(self.next_cell, least)
        return dropped

    def _in_cell(self, slot: int) -> int:
        """The cell of the person in a slot, who changes places with another if it is one of the register."""
        if slot < self.num_cells:
            return slot
        cell = self.next_cell
        self._swap(cell, slot)
        return cell

    def _swap(self, cell: int, slot: int) -> None:
        for array in (self._vectors, self._shares, self._people, self._last, self._mentions, self._named):
            array[[cell, slot]] = array[[slot, cell]]
        for place in (cell, slot):
            if (person := int(self._people[place])) in self._slots:
                self._slots[person] = place
