from __future__ import annotations

import errno
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from petra.config import EncoderConfig
from petra.encoder.features import cached_features
from petra.encoder.pretrained import PretrainedEncoder
from petra.errors import PetraError
from petra.text.document import Document

TEXTS = ["Amelia met Paul.", "", "She told him that the king was her friend, and he saw the house of Lena Brook."]


@pytest.fixture
def encoder(tiny_encoder: Path) -> PretrainedEncoder:
    return load(tiny_encoder)


@pytest.fixture
def documents(encoder: PretrainedEncoder) -> list[Document]:
    return [encoder.tokenizer.tokenize(text) for text in TEXTS]


def load(folder: Path, layers: tuple[int, ...] = (1, 2)) -> PretrainedEncoder:
    return PretrainedEncoder.load(EncoderConfig(name=str(folder), layers=layers, window=10, margin=2))


def forbid_encoding(monkeypatch: pytest.MonkeyPatch, encoder: PretrainedEncoder) -> None:
    def refuse(documents: Iterable[Document]) -> Iterator[torch.Tensor]:
        raise AssertionError("the encoder was asked")

    monkeypatch.setattr(encoder, "encode_many", refuse)


def entries(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if not path.name.endswith(".lock")]


def test_features_are_those_of_the_encoder_in_half_precision(
    encoder: PretrainedEncoder, documents: list[Document], tmp_path: Path
) -> None:
    told: list[tuple[int, int]] = []
    found = cached_features(encoder, documents, folder=tmp_path, report=lambda *progress: told.append(progress))
    assert (len(found), found.size, found.lengths.tolist()) == (3, 32, [len(document) for document in documents])
    for features, expected in zip(found, encoder.encode_many(documents), strict=True):
        assert features.dtype == np.float16
        assert np.array_equal(features, expected.to(torch.float16).numpy())
    assert told[-1] == (sum(found.lengths), sum(found.lengths))
    assert isinstance(found.rows, np.memmap)


def test_the_encoder_runs_once(
    encoder: PretrainedEncoder, documents: list[Document], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = cached_features(encoder, documents, folder=tmp_path)
    forbid_encoding(monkeypatch, encoder)
    assert np.array_equal(cached_features(encoder, documents, folder=tmp_path).rows, first.rows)


def test_by_default_they_are_kept_in_petra_home(
    encoder: PretrainedEncoder, documents: list[Document], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PETRA_HOME", str(tmp_path))
    cached_features(encoder, documents)
    assert len(entries(tmp_path / "features")) == 1


def test_other_layers_and_other_texts_are_other_entries(
    tiny_encoder: Path, encoder: PretrainedEncoder, documents: list[Document], tmp_path: Path
) -> None:
    cached_features(encoder, documents, folder=tmp_path)
    cached_features(load(tiny_encoder, (2, 3)), documents, folder=tmp_path)
    cached_features(encoder, documents[:2], folder=tmp_path)
    # The same tokens, divided among documents in another way.
    cached_features(encoder, [*documents[1:], documents[0]], folder=tmp_path)
    assert len(entries(tmp_path)) == 4


def test_documents_without_tokens_have_features_too(encoder: PretrainedEncoder, tmp_path: Path) -> None:
    found = cached_features(encoder, [encoder.tokenizer.tokenize("")], folder=tmp_path)
    assert found[0].shape == (0, 32)
    assert len(cached_features(encoder, [], folder=tmp_path)) == 0


def test_a_document_out_of_range_is_refused(
    encoder: PretrainedEncoder, documents: list[Document], tmp_path: Path
) -> None:
    found = cached_features(encoder, documents, folder=tmp_path)
    for number in (3, -1):
        with pytest.raises(IndexError):
            found[number]


@pytest.mark.parametrize("damage", ["short", "header", "no rows", "no index", "other index", "not json"])
def test_a_damaged_entry_is_made_anew(
    encoder: PretrainedEncoder, documents: list[Document], tmp_path: Path, damage: str
) -> None:
    rows = np.array(cached_features(encoder, documents, folder=tmp_path).rows)
    (entry,) = entries(tmp_path)
    features, index = entry / "features.npy", entry / "index.json"
    if damage == "short":
        features.write_bytes(features.read_bytes()[:-2])
    elif damage == "header":
        features.write_bytes(b"nothing")
    elif damage == "no rows":
        features.unlink()
    elif damage == "no index":
        index.unlink()
    elif damage == "other index":
        index.write_text(json.dumps({"schema": "petra.features/0"}), encoding="utf-8")
    else:
        index.write_bytes(b"\xff{")
    assert np.array_equal(cached_features(encoder, documents, folder=tmp_path).rows, rows)
    assert entries(tmp_path) == [entry]


@pytest.mark.parametrize(
    ("failure", "shown"),
    [(OSError(errno.ENOSPC, "No space left on device"), PetraError), (KeyboardInterrupt(), KeyboardInterrupt)],
)
def test_a_failed_writing_leaves_nothing(
    encoder: PretrainedEncoder,
    documents: list[Document],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    failure: BaseException,
    shown: type[BaseException],
) -> None:
    def fail(done: int, whole: int) -> None:
        raise failure

    with pytest.raises(shown):
        cached_features(encoder, documents, folder=tmp_path, report=fail)
    assert entries(tmp_path) == []
    assert len(cached_features(encoder, documents, folder=tmp_path)) == 3
