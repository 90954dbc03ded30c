"""What is packed: the wheel holds all of the package and nothing else, the sdist what the wheel is built from."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path, PurePosixPath

import pytest

pytest.importorskip("hatchling")
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from petra.encoder.catalogue import entry

ROOT = Path(__file__).parents[1]
PROJECT = WheelBuilder(str(ROOT)).metadata.core_raw_metadata


def packed(builder: WheelBuilder | SdistBuilder) -> set[str]:
    """The places in the archive of the files that are packed; nothing is built."""
    return {PurePosixPath(file.distribution_path).as_posix() for file in builder.recurse_included_files()}


def test_the_wheel_holds_every_file_of_the_package() -> None:
    ours = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src/petra").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert packed(WheelBuilder(str(ROOT))) == ours


def test_the_wheel_holds_weights_word_lists_and_pages() -> None:
    files = packed(WheelBuilder(str(ROOT)))
    for model in ("base", "small", "paper-petra-8", "paper-reader-8"):
        for name in ("config.toml", "model.safetensors", "record.json"):
            assert f"petra/models/{model}/{name}" in files
    assert {"petra/py.typed", "petra/english/lexicon/titles.txt", "petra/linking/initial.toml"} <= files
    endings = Counter(PurePosixPath(file).suffix for file in files)
    assert all(endings[ending] for ending in (".html", ".css", ".js", ".txt", ".toml"))


def test_the_sdist_holds_what_builds_and_checks_the_package() -> None:
    files = packed(SdistBuilder(str(ROOT)))
    assert {"pyproject.toml", "README.md", "LICENSE", "constraints.txt", "src/petra/__init__.py"} <= files
    assert {"tests/conftest.py", "docs/index.md", "mkdocs.yml", "Containerfile"} <= files
    assert not any(file.startswith((".venv", "out/", "dist/", "site/")) for file in files)


def test_the_extra_all_has_every_extra_of_users() -> None:
    extras = PROJECT["optional-dependencies"]
    [everything] = extras["all"]
    named = set(everything.removeprefix("petra[").removesuffix("]").split(","))
    # openvino does the same as onnx, faster
    assert named == set(extras) - {"all", "dev", "docs", "onnx"}


def test_every_python_that_is_promised_is_a_classifier() -> None:
    minors = [int(each.rsplit(".", 1)[1]) for each in PROJECT["classifiers"] if ":: 3." in each]
    assert f">=3.{min(minors)}" == PROJECT["requires-python"]
    assert minors == list(range(min(minors), max(minors) + 1))


def test_the_container_file_copies_what_is_there_and_what_its_context_lets_through() -> None:
    lines = (ROOT / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    instructions = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    known = {"ARG", "FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "EXPOSE", "ENTRYPOINT", "CMD"}
    assert {name for name, _ in instructions} == known
    copied = {
        source
        for name, words in instructions
        if name == "COPY" and "--from" not in words
        for source in words.split()[:-1]
    }
    assert all((ROOT / source).exists() for source in copied)
    allowed = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert allowed[0] == "*"
    assert {line[1:] for line in allowed if line.startswith("!")} == copied
    arguments = dict(words.split("=") for name, words in instructions if name == "ARG")
    assert set(arguments["EXTRAS"].split(",")) <= set(PROJECT["optional-dependencies"])
    entry(arguments["ENCODER"])  # an encoder by this name can be fetched
    assert json.loads(dict(instructions)["ENTRYPOINT"]) == list(PROJECT["scripts"])
