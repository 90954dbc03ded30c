"""Runs with different numbers of cells stacked into one network.

Every run begins with the parameters it would have alone, whoever trains beside it: a
parameter that has a row for each cell is filled up with zeros for cells a run does not have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor

from petra.memory.models import Model, make_model
from petra.reproduction.groups import RunGroup


class Stacked(NamedTuple):
    """The network of a group, and the shapes that each run's parameters have alone."""

    network: Model
    shapes: tuple[Mapping[str, torch.Size], ...]

    def parameter_count(self, index: int) -> int:
        return sum(shape.numel() for shape in self.shapes[index].values())

    def own(self, parameters: Mapping[str, Tensor], index: int) -> dict[str, Tensor]:
        """A run's parameters out of those of the group, as of a network of this one model."""
        return {name: parameters[name][index][_corner(shape)][None] for name, shape in self.shapes[index].items()}


def stack(group: RunGroup, input_size: int) -> Stacked:
    """The network of a group before the first step."""
    network = make_model(group.config.memory, input_size, seeds=group.seeds, capacity=group.capacity)
    shapes = []
    with torch.no_grad():
        for index, run in enumerate(group.runs):
            alone = make_model(run.config.memory, input_size, seeds=(run.seed,))
            for name, parameter in alone.named_parameters():
                place = network.get_parameter(name)[index]
                place.zero_()
                place[_corner(parameter.shape[1:])] = parameter[0]
            shapes.append({name: parameter.shape[1:] for name, parameter in alone.named_parameters()})
    return Stacked(network, tuple(shapes))


def _corner(shape: torch.Size) -> tuple[slice, ...]:
    return tuple(slice(size) for size in shape)
