"""Recipes compared: whether one model can have what another learned."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from petra.config import RunConfig
from petra.errors import ConfigError

_SHAPE = (
    "encoder.name",
    "encoder.layers",
    "memory.num_cells",
    "memory.hidden_size",
    "memory.mlp_size",
    "memory.variant",
    "memory.key_size",
    "adapter.rank",
    "adapter.alpha",
    "spans.max_width",
    "spans.size",
)


def check_start(config: RunConfig, start: RunConfig) -> None:
    """Whether a model can go on from another: all that they learn has one shape and one meaning."""
    check_alike(config, start, _SHAPE, "the model to start from")


def check_alike(config: RunConfig, other: RunConfig, names: Sequence[str], is_other: str) -> None:
    """Whether settings, named as in a recipe, are the same in the recipe of another model."""
    for name in names:
        mine, theirs = (attrgetter(name)(each) for each in (config, other))
        if mine != theirs:
            raise ConfigError(f"{name} is {mine!r}, but {theirs!r} in {is_other}. Make them the same.")
