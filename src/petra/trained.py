"""Trained models: the folder one is kept in, and the ones that come with PeTra.

A folder holds ``model.safetensors`` (GRU, controller and learned cells, float16),
``config.toml`` (the recipe it was trained by) and ``record.json`` (data, seed,
scores, and the digests of weights and recipe). ``backends.json`` may hold the scores of the
encoder's back ends (``ReadingRecord``). Nothing in it is ever executed or unpickled.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from petra.config import RunConfig
from petra.errors import ConfigError, ModelError
from petra.runtime.files import write_atomically

if TYPE_CHECKING:
    from torch import Tensor

DEFAULT = "base"
SCHEMA = "petra.model/1"
PEOPLE_THRESHOLD = 0.5
BACKENDS_SCHEMA = "petra.backends/1"
MOST_LOST = 0.3  # points of a score that a back end may cost
_WEIGHTS, _CONFIG, RECORD, _BACKENDS = "model.safetensors", "config.toml", "record.json", "backends.json"


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadingRecord:
    """How a model's encoder may be computed when texts are read, as it was measured.

    A back end is safe where each of its scores is at most ``MOST_LOST`` points below that
    of PyTorch in float32 with the windows of training.
    """

    safe_backends: tuple[str, ...] = ()
    window: int | None = None  # tokens of a window and of its margins; those of training unless given
    margin: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class TrainedModel:
    """A model as it was trained and scored."""

    name: str
    config: RunConfig
    record: Mapping[str, Any]
    weights: Mapping[str, Tensor]  # of a network of one model, and of its adapter and its span head if it has them
    reading: ReadingRecord = ReadingRecord()

    @property
    def memory_weights(self) -> dict[str, Tensor]:
        """The weights of the network alone; those of other parts are named ``PART.NAME``."""
        return {name: value for name, value in self.weights.items() if "." not in name}

    @property
    def threshold(self) -> float:
        """The link probability from which two mentions are of one person, chosen on validation."""
        return float(self.record["threshold"])

    @property
    def people_threshold(self) -> float:
        """The probability from which a single gate counts when people are found; a record may set it."""
        return float(self.record.get("people_threshold", PEOPLE_THRESHOLD))


def shipped_models() -> tuple[str, ...]:
    """The names of the models inside the package."""
    return tuple(sorted(record.parent.name for record in _shipped().glob(f"*/{RECORD}")))


def load_trained(name: str | Path | None = None) -> TrainedModel:
    """A model by its name, or from a folder; the default one if neither is given."""
    folder = model_folder(name)
    record = read_record(folder)
    config = read_config(folder)
    _check_config(folder, record)
    return TrainedModel(
        name=str(record["name"]),
        config=config,
        record=record,
        weights=_read_weights(folder / _WEIGHTS, record),
        reading=read_backends(folder, record),
    )


def model_folder(name: str | Path | None) -> Path:
    """Where a model is kept."""
    asked = str(name or DEFAULT)
    if asked in shipped_models():
        return _shipped() / asked
    folder = Path(asked).expanduser()
    if (folder / RECORD).is_file():
        return folder
    known = ", ".join(shipped_models()) or "none"
    if folder.is_dir():
        raise ModelError(f"The folder {folder} holds no model: {RECORD} is missing. `petra train` makes such folders.")
    raise ModelError(
        f"No model named {asked!r}. Available: {known}. Give one of these, or the folder of one made by `petra train`."
    )


def read_record(folder: Path) -> Mapping[str, Any]:
    """What is known of the model in a folder."""
    try:
        record: dict[str, Any] = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        complete = record["schema"] == SCHEMA and all(key in record for key in ("name", "sha256"))
        thresholds = [record.get("threshold"), record.get("people_threshold", PEOPLE_THRESHOLD)]
        complete = complete and all(isinstance(value, (int, float)) and 0 <= value <= 1 for value in thresholds)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ModelError(
            f"{folder / RECORD} cannot be read as the record of a model ({error!r:.200}). "
            "Install PeTra again, or train the model again."
        ) from None
    if not complete:
        raise ModelError(f"{folder / RECORD} is not the record of a model of this version ({SCHEMA}).")
    return record


def read_backends(folder: Path, record: Mapping[str, Any]) -> ReadingRecord:
    """What was measured of the encoder's back ends; nothing if that was with other weights."""
    path = folder / _BACKENDS
    if not path.is_file():
        return ReadingRecord()
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["schema"] != BACKENDS_SCHEMA or found["sha256"] != record["sha256"]:
            return ReadingRecord()
        reference = found["reference"]["scores"]
        safe = [
            name
            for name, measured in found["backends"].items()
            if all(measured["scores"][score] >= value - MOST_LOST for score, value in reference.items())
        ]
        return ReadingRecord(safe_backends=tuple(safe), window=int(found["window"]), margin=int(found["margin"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(
            f"{path} cannot be read as the record of back ends ({error!r}). Remove it, or install PeTra again."
        ) from None


def read_config(folder: Path) -> RunConfig:
    """The recipe that the model in a folder was trained by."""
    try:
        return RunConfig.read_stored(folder / _CONFIG)
    except ConfigError as error:
        raise ModelError(f"The model in {folder} is incomplete: {error}") from None


def is_model(name: str) -> bool:
    """Whether a trained model has that name, or is in that folder."""
    return name in shipped_models() or (Path(name).expanduser() / RECORD).is_file()


def save_trained(folder: Path, model: TrainedModel) -> TrainedModel:
    """Write a model's folder; returns the model as it will be loaded, weights rounded to float16."""
    from safetensors.torch import save

    weights = {name: value.detach().half().cpu().contiguous() for name, value in model.weights.items()}
    content = save(weights)
    config = model.config.to_toml().encode()
    identity = {
        "schema": SCHEMA,
        "name": model.name,
        "sha256": hashlib.sha256(content).hexdigest(),
        "config_sha256": hashlib.sha256(config).hexdigest(),
    }
    record = {**identity, **model.record, **identity}  # first to be read, and not as an earlier folder had it
    write_atomically(folder / _WEIGHTS, content)
    write_atomically(folder / _CONFIG, config)
    write_atomically(folder / RECORD, (json.dumps(record, indent=2) + "\n").encode())
    return load_trained(folder)


def _check_config(folder: Path, record: Mapping[str, Any]) -> None:
    """Refuse a recipe that is not the one the weights were saved with. Older records have no digest of it."""
    expected = record.get("config_sha256")
    content = (folder / _CONFIG).read_bytes()
    # A line may end differently where the folder came through another system.
    if expected is not None and hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest() != expected:
        raise ModelError(
            f"{folder / _CONFIG} was changed: its digest is not the one in {RECORD}, which the weights were saved "
            "with. Install PeTra again, or train the model again; if you changed it on purpose, as when the encoder's "
            f"folder has moved, remove config_sha256 from {RECORD}."
        )


def _read_weights(path: Path, record: Mapping[str, Any]) -> dict[str, Tensor]:
    from safetensors import SafetensorError
    from safetensors.torch import load

    from petra.runtime.threads import one_thread

    try:
        content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != record["sha256"]:
            raise ModelError(
                f"{path} is damaged: its digest is not the one in {RECORD}. "
                "Install PeTra again, or train the model again."
            )
        with one_thread():  # hundreds of small tensors: several threads would wait for each other at every one
            weights = {name: value.float() for name, value in load(content).items()}
            broken = sorted(name for name, value in weights.items() if not value.isfinite().all())
    except (OSError, SafetensorError) as error:
        raise ModelError(
            f"{path} cannot be read as weights ({error}). Install PeTra or train the model again."
        ) from None
    if broken:
        raise ModelError(
            f"{path} holds weights that are no finite numbers: {len(broken)} of {len(weights)} tensors, the first is "
            f"{broken[0]}. Its training may have diverged; take an earlier model, or train it again."
        )
    return weights


def _shipped() -> Path:
    return Path(str(resources.files("petra"))) / "models"
