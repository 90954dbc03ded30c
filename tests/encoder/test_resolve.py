from __future__ import annotations

from pathlib import Path

import huggingface_hub
import pytest

from petra.encoder import resolve
from petra.encoder.resolve import encoder_folder
from petra.errors import ModelError


def test_a_name_of_the_catalogue_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolve, "fetch", lambda name, report: tmp_path / name)
    assert encoder_folder("minilm") == tmp_path / "minilm"


def test_a_folder_is_itself(tiny_encoder: Path) -> None:
    assert encoder_folder(str(tiny_encoder)) == tiny_encoder


def test_a_folder_without_an_encoder_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"config\.json is missing"):
        encoder_folder(str(tmp_path))


def test_other_names_are_asked_of_the_hub(tiny_encoder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {}

    def snapshot_download(name: str, **wanted: list[str]) -> str:
        asked[name] = wanted
        return str(tiny_encoder)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot_download)
    assert encoder_folder("someone/bert") == tiny_encoder
    assert "*.safetensors" in asked["someone/bert"]["allow_patterns"]


def test_an_unknown_name_lists_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def snapshot_download(name: str, **wanted: list[str]) -> str:
        raise OSError("the network is down\nand more")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot_download)
    with pytest.raises(ModelError, match=r"'nothing'.*Available: mpnet-base, minilm.*\(the network is down\)"):
        encoder_folder("nothing")
