"""The models that a server offers, each loaded when a text first needs it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from petra.errors import ConfigError
from petra.runtime.progress import Report
from petra.trained import DEFAULT, model_folder, read_config, read_record, shipped_models

if TYPE_CHECKING:
    from petra.tracker import Tracker


@dataclass(frozen=True, kw_only=True, slots=True)
class Offered:
    """A model by the name that clients use; where it is kept stays here."""

    name: str
    folder: Path
    encoder: str
    cells: int
    variant: str


class Shelf:
    """The models on offer, the default one first.

    Without names these are the ones that come with PeTra. A loaded model stays in memory.
    """

    def __init__(self, names: Sequence[str] = (), *, device: str | None = None) -> None:
        self._device = device
        self._offered: dict[str, Offered] = {}
        self._trackers: dict[str, Tracker] = {}
        self._loading = threading.Lock()  # loading is heavy: one at a time
        for name in names or sorted(shipped_models(), key=lambda name: name != DEFAULT):
            offered = _offered(model_folder(name))
            if offered.name in self._offered:
                raise ConfigError(
                    f"Two models are named {offered.name!r}: {self._offered[offered.name].folder} and "
                    f"{offered.folder}. Clients choose by name, so offer one of them."
                )
            self._offered[offered.name] = offered

    @property
    def offered(self) -> tuple[Offered, ...]:
        return tuple(self._offered.values())

    @property
    def default(self) -> str:
        return next(iter(self._offered))

    def choose(self, name: str | None) -> str:
        """The name of a model on offer; the default one if none is asked for."""
        if name is None:
            return self.default
        if name not in self._offered:
            known = ", ".join(self._offered)
            raise ConfigError(f"This server has no model named {name!r:.100}. It offers: {known}.")
        return name

    def tracker(self, name: str, report: Report) -> Tracker:
        """The tracker of a model on offer; ``report`` is called with the bytes if its encoder has to be fetched."""
        from petra.tracker import load

        with self._loading:
            if name not in self._trackers:
                self._trackers[name] = load(self._offered[name].folder, device=self._device, report=report)
            return self._trackers[name]


def _offered(folder: Path) -> Offered:
    config = read_config(folder)
    # An encoder may be a folder of this machine, which is nobody else's concern.
    return Offered(
        name=str(read_record(folder)["name"]),
        folder=folder,
        encoder=Path(config.encoder.name).name,
        cells=config.memory.num_cells,
        variant=config.memory.variant,
    )
