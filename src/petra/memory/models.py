"""The two kinds of models behind one name: PeTra with its variants, and the Referential Reader."""

from __future__ import annotations

from typing import TypeAlias

from petra.config import MemoryConfig
from petra.memory.network import Network
from petra.memory.referential.network import ReferentialReader

Model: TypeAlias = Network | ReferentialReader


def make_model(
    config: MemoryConfig, input_size: int, *, seeds: tuple[int, ...] = (0,), capacity: tuple[int, ...] = ()
) -> Model:
    """One or several models of the kind that the configuration names, before any training."""
    kind = ReferentialReader if config.variant == "referential-reader" else Network
    return kind(config, input_size, seeds=seeds, capacity=capacity)
