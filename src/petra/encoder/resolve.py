"""From the name of an encoder to the folder that holds it."""

from __future__ import annotations

from pathlib import Path

from petra.encoder.catalogue import ENCODERS
from petra.encoder.fetch.fetching import fetch
from petra.errors import ModelError
from petra.runtime.progress import Report, silent

# Of a hub repository: what an encoder is loaded from, and no other format of the weights.
_HUB_FILES = ["*.json", "*.safetensors", "*.txt", "*.model"]
_HUB_SUBFOLDERS = ["*/*"]


def encoder_folder(name: str, *, report: Report = silent) -> Path:
    """The folder of an encoder: of the catalogue (fetched on first use), an existing one, or from the hub."""
    if name in ENCODERS:
        return fetch(name, report=report)
    folder = Path(name).expanduser()
    if not folder.is_dir():
        return _in_hub_cache(name) or hub_folder(name)
    if not (folder / "config.json").is_file():
        raise ModelError(
            f"{folder} holds no encoder: config.json is missing. "
            "Give a folder that holds config.json, tokenizer.json and model.safetensors."
        )
    return _without_adapter(folder)


def check_is_asked_for(name: str, model: str) -> None:
    """Refuse an encoder that a model names, and that only the hub has: a model's folder may come from anybody.

    What is in the hub's own cache was asked for before.
    """
    if name in ENCODERS or Path(name).expanduser().is_dir() or _in_hub_cache(name):
        return
    raise ModelError(
        f"The model {model} reads with the encoder {name!r:.200}, which is no folder here and none of the catalogue "
        f"({', '.join(ENCODERS)}). The Hugging Face hub was not asked for it, because the model's folder may come from "
        f"anybody. If you trust the encoder, fetch it: petra models get {name:.200}"
    )


def hub_folder(name: str) -> Path:
    """The folder of a hub repository, which the hub is asked for."""
    from huggingface_hub import snapshot_download

    try:
        folder = Path(snapshot_download(name, allow_patterns=_HUB_FILES, ignore_patterns=_HUB_SUBFOLDERS))
    except Exception as error:  # whatever the hub, the network and the disk come up with
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise ModelError(
            f"No encoder named {name!r}. Available: {', '.join(ENCODERS)}; or give the folder of one, or its name on "
            f"the Hugging Face hub. There is no such folder, and the hub did not give it ({reason[0].rstrip('.')})."
        ) from None
    return _without_adapter(folder)


def _in_hub_cache(name: str) -> Path | None:
    """The folder of a hub repository that was fetched before; nobody is asked."""
    from huggingface_hub import snapshot_download

    try:
        folder = Path(snapshot_download(name, local_files_only=True))
    except Exception:  # it is not there, or the name is none
        return None
    return _without_adapter(folder) if (folder / "config.json").is_file() else None


def _without_adapter(folder: Path) -> Path:
    if (folder / "adapter_config.json").exists():  # which names a model elsewhere, to be loaded first
        raise ModelError(
            f"{folder} holds an adapter of another model (adapter_config.json). Give an encoder that is whole: merge "
            "the adapter into it first."
        )
    return folder
