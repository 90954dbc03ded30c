"""What computes the encoder of a tracker."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import petra
from petra.cli.app import app
from petra.encoder.backends import choosing
from petra.errors import ConfigError

TEXT = "Amelia met Paul. He told her that the king was his friend, and she saw the house of Lena Brook. " * 6


@pytest.fixture
def recorded_model(tiny_model: Path, tmp_path: Path) -> Path:
    """The tiny model with a record that finds bfloat16 safe, and windows of its own."""
    folder = shutil.copytree(tiny_model, tmp_path / "recorded")
    scores = {"gap_validation_f1": 50.0}
    record = {
        "schema": "petra.backends/1",
        "sha256": json.loads((folder / "record.json").read_text(encoding="utf-8"))["sha256"],
        "window": 30,
        "margin": 3,
        "reference": {"scores": scores},
        "backends": {"torch": {"scores": scores}, "torch-bf16": {"scores": scores}},
    }
    (folder / "backends.json").write_text(json.dumps(record), encoding="utf-8")
    return folder


def test_auto_is_what_the_record_finds_safe(
    tiny_model: Path, recorded_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choosing, "find_spec", lambda name: None)
    monkeypatch.setattr(choosing, "cpu_has_bf16", lambda: True)
    assert petra.load(tiny_model, device="cpu", backend="auto").encoder.backend.name == "torch"
    tracker = petra.load(recorded_model, device="cpu", backend="auto")
    assert tracker.encoder.backend.name == "torch-bf16"
    assert (tracker.encoder.config.window, tracker.encoder.config.margin) == (30, 3)
    assert tracker.config.encoder.window == 20  # of training
    assert tracker.track(TEXT).people
    monkeypatch.setenv("PETRA_BACKEND", "torch")
    assert petra.load(recorded_model, device="cpu").encoder.backend.name == "torch"


def test_a_stream_is_read_as_the_whole_with_every_back_end(recorded_model: Path, tmp_path: Path) -> None:
    for name in choosing.usable_backends(petra.load(recorded_model, device="cpu").encoder.device):
        tracker = petra.load(recorded_model, device="cpu", backend=name)
        whole = tracker.track(TEXT)
        for cut in (1, 7, 200):
            with tracker.stream() as stream:
                events = [event for at in range(0, len(TEXT), cut) for event in stream.feed(TEXT[at : at + cut])]
                events += stream.finish()
            mentions = sorted((event.mention.start, event.mention.end, event.person_id) for event in events)
            assert mentions == sorted(
                (mention.start, mention.end, person.id) for person in whole.people for mention in person.mentions
            )


def test_the_commands_option(tiny_model: Path) -> None:
    options = ["track", "-", "--model", str(tiny_model), "--device", "cpu", "--json"]
    found = CliRunner().invoke(app, [*options, "--backend", "torch", "--threads", "1"], input=TEXT)
    assert found.exit_code == 0, found.stderr
    assert json.loads(found.stdout)["people"]
    refused = CliRunner().invoke(app, [*options, "--backend", "abacus"], input=TEXT)
    assert refused.exit_code == 1
    assert "No back end named 'abacus'. Choose auto, torch" in refused.stderr
    with pytest.raises(ConfigError, match="No back end named"):
        petra.load(tiny_model, backend="abacus")
