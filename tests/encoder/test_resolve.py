from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import huggingface_hub
import huggingface_hub.errors
import pytest

import petra
from petra.encoder import resolve
from petra.encoder.resolve import encoder_folder
from petra.errors import ModelError
from petra.trained import load_trained, save_trained


def test_a_name_of_the_catalogue_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolve, "fetch", lambda name, report: tmp_path / name)
    assert encoder_folder("minilm") == tmp_path / "minilm"


def test_a_folder_is_itself(tiny_encoder: Path) -> None:
    assert encoder_folder(str(tiny_encoder)) == tiny_encoder


def test_a_folder_without_an_encoder_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"config\.json is missing"):
        encoder_folder(str(tmp_path))


@pytest.fixture
def hub_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A hub whose cache holds nothing; gives the names that it is asked for."""
    asked: list[str] = []

    def snapshot_download(name: str, *, local_files_only: bool = False, **_: object) -> str:
        if local_files_only:
            raise huggingface_hub.errors.LocalEntryNotFoundError(name)
        asked.append(name)
        return str(tmp_path)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot_download)
    return asked


def test_a_model_of_anybody_makes_nobody_ask_the_hub(tiny_model: Path, tmp_path: Path, hub_cache: list[str]) -> None:
    found = load_trained(tiny_model)
    encoder = dataclasses.replace(found.config.encoder, name="stranger/encoder")
    save_trained(
        tmp_path / "foreign", dataclasses.replace(found, config=dataclasses.replace(found.config, encoder=encoder))
    )
    with pytest.raises(ModelError, match=r"hub was not asked .*If you trust .*: petra models get stranger/encoder"):
        petra.load(tmp_path / "foreign")
    assert hub_cache == []
    encoder_folder("stranger/encoder")  # as a recipe of one's own does
    assert hub_cache == ["stranger/encoder"]


def test_what_the_hub_gave_before_is_used_without_asking(
    tiny_model: Path, tiny_encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def snapshot_download(name: str, *, local_files_only: bool = False, **_: object) -> str:
        assert local_files_only
        return str(tiny_encoder)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot_download)
    assert encoder_folder("someone/bert") == tiny_encoder


def test_an_adapter_that_names_another_model_is_refused(tiny_encoder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny_encoder, tmp_path / "encoder")
    (folder / "adapter_config.json").write_text('{"base_model_name_or_path": "stranger/model"}', encoding="utf-8")
    with pytest.raises(ModelError, match=r"holds an adapter of another model"):
        encoder_folder(str(folder))


def test_other_names_are_asked_of_the_hub(tiny_encoder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {}

    def snapshot_download(name: str, **wanted: list[str]) -> str:
        if wanted.get("local_files_only"):
            raise OSError("it is not there")
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
