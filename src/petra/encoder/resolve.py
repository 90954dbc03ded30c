"""From the name of an encoder to the folder that holds it."""

from __future__ import annotations

from pathlib import Path

from petra.encoder.catalogue import ENCODERS
from petra.encoder.fetch import fetch
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
    if folder.is_dir():
        if not (folder / "config.json").is_file():
            raise ModelError(
                f"{folder} holds no encoder: config.json is missing. "
                "Give a folder that holds config.json, tokenizer.json and model.safetensors."
            )
        return folder
    return _from_hub(name)


def _from_hub(name: str) -> Path:
    """The folder of a hub repository, from the hub's own cache where it is there already."""
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, allow_patterns=_HUB_FILES, ignore_patterns=_HUB_SUBFOLDERS))
    except Exception as error:  # whatever the hub, the network and the disk come up with
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise ModelError(
            f"No encoder named {name!r}. Available: {', '.join(ENCODERS)}; or give the folder of one, or its name on "
            f"the Hugging Face hub. There is no such folder, and the hub did not give it ({reason[0].rstrip('.')})."
        ) from None
