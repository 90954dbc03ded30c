"""Random swaps of names or gender, for data augmentation during training."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from petra.corpora.gap import GapInstance
from petra.corpora.names import Names, read_names
from petra.training.data.instances.swaps import surnames_of, swap_gender, swap_names

_GENDER = 0.5  # the share of swaps that change the gender; the others change names alone


@dataclass(frozen=True, slots=True)
class Swapper:
    """Replaces the people of instances by others."""

    names: Names
    surnames: Sequence[str]

    @classmethod
    def read(cls, data: Path, instances: Sequence[GapInstance]) -> Swapper:
        """A swapper with the first names of the data folder and the surnames of the instances."""
        names = read_names(data)
        return cls(names, surnames_of(instances, names))

    def swap(self, instance: GapInstance, random: np.random.Generator) -> GapInstance:
        """The instance with other names, or with everybody of the other gender."""
        rng = Random(int(random.integers(2**32)))
        if rng.random() < _GENDER:
            return swap_gender(instance, self.names, rng)
        return swap_names(instance, self.names, rng, self.surnames)


def gender_swapper(data: Path) -> Callable[[GapInstance], GapInstance]:
    """A function that swaps the gender of everybody in an instance, always with the same names for one instance."""
    names = read_names(data)
    return lambda instance: swap_gender(instance, names, Random(instance.id))
