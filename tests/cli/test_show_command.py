from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from tiny import tiny_span_model
from typer.testing import CliRunner, Result
from written_logs import written_log

import petra
from petra.cli.app import app
from petra.log.storage import save
from petra.people.finding import find_people

STORY = "Amelia Shepherd met Paul at the house of Lena Brook. She told him that his sister saw the king."
LOG = written_log(
    "Jane met Tom. It rained on the hill and on the roofs of the town. She left.",
    ("Jane", 0, "new"),
    ("Tom", 1, "new"),
    ("She", 0, "same"),
)

Show = Callable[..., Result]


@pytest.fixture
def show(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> Show:
    """Runs `petra show` with the tiny model."""
    monkeypatch.setenv("PETRA_MODEL", str(tiny_model))

    def run(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(app, ["show", "--device", "cpu", *map(str, arguments)], input=stdin)

    return run


@pytest.fixture
def log(tmp_path: Path) -> Path:
    save(LOG, tmp_path / "jane.log")
    return tmp_path / "jane.log"


@pytest.mark.parametrize("form", ["png", "svg", "pdf", "html"])
def test_a_stored_log_needs_no_model(log: Path, tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETRA_MODEL", "no-such-model")
    out = tmp_path / "new" / f"picture.{form}"
    outcome = CliRunner().invoke(app, ["show", str(log), "--out", str(out)])
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (0, "", f"Picture written to {out}.\n")
    assert out.stat().st_size > 2000


def test_a_text_is_read_first(show: Show, tmp_path: Path) -> None:
    (tmp_path / "story.txt").write_text(STORY)
    outcome = show(tmp_path / "story.txt", "--cells", "7", "--out", tmp_path / "story.html")
    assert (outcome.exit_code, outcome.stderr) == (0, f"Picture written to {tmp_path / 'story.html'}.\n")
    page = (tmp_path / "story.html").read_text(encoding="utf-8")
    assert "tiny, 7 cells" in page
    piped = show("-", "--cells", "7", "--out", tmp_path / "piped.html", stdin=STORY)
    assert piped.exit_code == 0
    assert (tmp_path / "piped.html").read_text(encoding="utf-8") == page


def test_two_logs_of_a_text_stand_over_the_same_words(show: Show, log: Path, tmp_path: Path) -> None:
    save(written_log(LOG.text, ("Tom", 0, "new"), cells=2), tmp_path / "other.log")
    out = tmp_path / "both.html"
    assert show(log, tmp_path / "other.log", "--out", out).exit_code == 0
    page = out.read_text(encoding="utf-8")
    assert page.count("<table") == 1
    assert "<title>Memory logs: by hand, 4 cells; by hand, 2 cells</title>" in page
    assert show(log, tmp_path / "other.log", "--out", out, "--title", "One", "--title", "Two").exit_code == 0
    assert "<title>Memory logs: One; Two</title>" in out.read_text(encoding="utf-8")


def test_equal_titles_are_told_apart_by_their_files(show: Show, log: Path, tmp_path: Path) -> None:
    save(written_log("Zoe ran.", ("Zoe", 0, "new")), tmp_path / "zoe.log")
    out = tmp_path / "both.html"
    assert show(log, tmp_path / "zoe.log", "--out", out).exit_code == 0
    page = out.read_text(encoding="utf-8")
    assert page.count("<table") == 2
    assert "<title>Memory logs: jane.log: by hand, 4 cells; zoe.log: by hand, 4 cells</title>" in page


def test_what_to_show(show: Show, log: Path, tmp_path: Path) -> None:
    def page(*options: str) -> str:
        assert show(log, "--out", tmp_path / "x.html", *options).exit_code == 0
        return (tmp_path / "x.html").read_text(encoding="utf-8")

    assert "<bdi>hill</bdi>" not in page()
    assert "<bdi>hill</bdi>" in page("--all-tokens")
    assert "cells 3–4 not used here" in page()
    assert "not used" not in page("--all-cells")
    assert "<bdi>Tom</bdi></li>" in page("--people")
    assert "<bdi>Jane</bdi>" not in page("--from", "Tom", "--to", "town")
    assert page("--all-tokens", "--columns", "10").count("<table") == 2
    assert 'class="decided"><bdi>Tom' not in page("--threshold", "0.95")


def test_people_are_those_that_track_finds_with_the_same_threshold(
    show: Show, tiny_encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Mentions below the threshold are not written to the memory, so that later ones are linked otherwise:
    # leaving them out of a log that was read with the model's own threshold gives other people.
    model = tiny_span_model(tmp_path / "tiny-spans", tiny_encoder)
    monkeypatch.setenv("PETRA_MODEL", str(model))
    (tmp_path / "story.txt").write_text(STORY)

    def shown(*options: str) -> list[str]:
        outcome = show(tmp_path / "story.txt", "--people", "--out", tmp_path / "x.html", *options)
        assert outcome.exit_code == 0
        page = (tmp_path / "x.html").read_text(encoding="utf-8")
        return [unescape(name) for name in re.findall(r"<bdi>([^<]*)</bdi></li>", page)]

    tracker = petra.load(model, device="cpu")
    usual, fewer = tracker.track(STORY), tracker.track(STORY, threshold=0.7)
    assert len(find_people(usual.log, 0.7)) != len(fewer.people)
    assert shown() == [person.name for person in usual.people]
    assert shown("--threshold", "0.7") == [person.name for person in fewer.people]


def test_a_long_log_is_cut_and_that_is_told(show: Show, tmp_path: Path) -> None:
    save(written_log("Jane ran. " * 200, *[("Jane", 0, "same")] * 200), tmp_path / "long.log")
    out = tmp_path / "long.html"
    outcome = show(tmp_path / "long.log", "--out", out)
    assert outcome.exit_code == 0
    assert outcome.stderr == (
        "The picture shows the first 400 of 600 columns: characters 0 to 1,334 of 2,000. "
        f"Choose a part with --from and --to.\nPicture written to {out}.\n"
    )
    assert "Shown: characters 0 to 1,334 of 2,000." in out.read_text(encoding="utf-8")
    assert show(tmp_path / "long.log", "--out", out, "--to", "2000").stderr == f"Picture written to {out}.\n"


def test_characters_without_a_font_are_told(show: Show, tmp_path: Path) -> None:
    save(written_log("李娜 ran.", ("李娜", 0, "new")), tmp_path / "li.log")
    outcome = show(tmp_path / "li.log", "--out", tmp_path / "li.png")
    assert outcome.exit_code == 0
    assert outcome.stderr.startswith(
        "No font at hand has 李娜: boxes stand for them. Name a font that does with --font"
    )
    assert show(tmp_path / "li.log", "--out", tmp_path / "li.svg").stderr.count("\n") == 1


@pytest.mark.parametrize("text", ["", " \n", "rain"])
def test_a_text_without_people_is_no_error(show: Show, tmp_path: Path, text: str) -> None:
    outcome = show("-", "--threshold", "1", "--out", tmp_path / "x.svg", stdin=text)
    assert outcome.exit_code == 0
    assert (tmp_path / "x.svg").exists()


# Wrong usage and bad input


def test_wrong_usage(show: Show, log: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.html"
    assert show(log).exit_code == 2  # no --out
    assert show(log, "--out", tmp_path / "x.jpg").exit_code == 2
    assert show(log, "--out", out, "--title", "One", "--title", "Two").exit_code == 2
    assert show(log, "--out", out, "--cells", "3").exit_code == 2
    assert show(log, "--out", out, "--columns", "1").exit_code == 2
    assert show("-", "-", "--out", out).exit_code == 2
    assert not out.exists()


def test_a_missing_file_is_told_before_the_model_is_loaded(show: Show, tmp_path: Path) -> None:
    outcome = show(tmp_path / "none.txt", "--model", "no-such-model", "--out", tmp_path / "x.png")
    assert outcome.exit_code == 1
    assert outcome.stderr.startswith("error: No file at")


def test_a_damaged_log_is_told_and_nothing_is_lost(show: Show, log: Path, tmp_path: Path) -> None:
    (tmp_path / "x.png").write_bytes(b"\x89PNG old")
    log.write_bytes(log.read_bytes()[:-100])
    outcome = show(log, "--out", tmp_path / "x.png")
    assert outcome.exit_code == 1
    assert "is not a memory log, or it is damaged" in outcome.stderr
    assert (tmp_path / "x.png").read_bytes() == b"\x89PNG old"


def test_words_that_are_not_there_are_told(show: Show, log: Path, tmp_path: Path) -> None:
    outcome = show(log, "--out", tmp_path / "x.html", "--from", "Napoleon")
    assert outcome.exit_code == 1
    assert outcome.stderr == (
        "error: 'Napoleon' does not stand in the text. Give words as the text has them, or a character offset.\n"
    )


def test_without_matplotlib_the_extra_is_named(
    show: Show, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("petra.report.picture.files.find_spec", lambda name: None)
    outcome = show(log, "--out", tmp_path / "x.png")
    assert outcome.exit_code == 1
    assert "pip install 'petra[plots]'" in outcome.stderr
    assert show(log, "--out", tmp_path / "x.html").exit_code == 0


def test_a_page_is_made_without_matplotlib_and_pytorch(log: Path, tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from petra.cli.app import app\n"
        "try:\n    app(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        "print(sorted({'torch', 'transformers', 'matplotlib'} & set(sys.modules)))"
    )
    arguments = ["show", str(log), "--out", str(tmp_path / "x.html")]
    outcome = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    assert outcome.stdout.strip() == "[]"
    assert (tmp_path / "x.html").exists()


def test_ctrl_c_ends_quietly_and_leaves_no_file(
    show: Show, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("petra.report.picture.files.picture_file", interrupted)
    outcome = show(log, "--out", tmp_path / "out" / "x.png")
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (130, "", "")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["x.png", "x.svg", "x.pdf", "x.html"])
def test_a_picture_takes_no_other_files_place(show: Show, log: Path, tmp_path: Path, name: str) -> None:
    other = tmp_path / name
    other.write_text("<p>My own notes.</p>", encoding="utf-8")
    refused = show(log, "--out", other)
    assert refused.exit_code == 2
    assert "--force" in refused.stderr
    assert show(other, "--out", other, "--force").exit_code == 2  # nor that of what it shows
    assert other.read_text(encoding="utf-8") == "<p>My own notes.</p>"
    assert show(log, "--out", other, "--force").exit_code == 0
    assert show(log, "--out", other).exit_code == 0
