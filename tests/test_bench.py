from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from tiny import tiny_span_model
from typer.testing import CliRunner

from petra.bench import growth, stages
from petra.bench import memory as bench
from petra.cli.app import app
from petra.config import MemoryConfig, Variant
from petra.errors import PetraError, TextError
from petra.memory.inference.text_reader import TextReader
from petra.memory.network import Network
from petra.tracker import Tracker, tracker_of
from petra.trained import load_trained


@pytest.fixture(autouse=True)
def little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_TOKENS", 60)
    monkeypatch.setattr(bench, "_STREAMED_TOKENS", 60)
    monkeypatch.setattr(bench, "_ROUNDS", 2)
    monkeypatch.setattr(stages, "_TOKENS", 60)
    monkeypatch.setattr(stages, "_ROUNDS", 1)
    monkeypatch.setattr(growth, "LENGTHS", (40, 200))


@pytest.fixture
def tiny_span_folder(tiny_encoder: Path, tmp_path: Path) -> Path:
    return tiny_span_model(tmp_path / "spans", tiny_encoder)


@pytest.mark.parametrize("variant", ["vanilla", "learned-init", "fixed-key"])
def test_the_plain_loop_reads_what_the_reader_reads(variant: Variant) -> None:
    config = MemoryConfig(num_cells=3, hidden_size=6, mlp_size=5, key_size=2, variant=variant)
    network = Network(config, input_size=4, seeds=(1,)).requires_grad_(False)
    for parameter in network.parameters():
        parameter.mul_(3)
    hidden = torch.randn(30, 6, generator=torch.Generator().manual_seed(0)).tanh()
    plain = bench.plain_loop(network, hidden)
    for ours, theirs in zip(TextReader(network, epsilon=0).read_hidden(hidden), plain, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)


def test_every_part_is_measured(tiny_tracker: Tracker) -> None:
    reports: list[tuple[int, int]] = []
    result = bench.measure(tiny_tracker, report=lambda done, whole: reports.append((done, whole)))
    assert (result.model, result.cells) == ("tiny", 4)
    assert result.tokens >= 60
    assert 0 < result.read_share < 1
    speeds = (result.encoder, result.recurrent, result.plain, result.exact, result.skipping)
    assert min(speeds) > 0
    assert result.times_plain(result.plain) == 1
    assert result.peak_ratio < 3  # it would be ten if anything of the text were kept
    assert [done for done, _ in reports] == list(range(reports[-1][1] + 1))


def test_a_text_without_words_cannot_be_timed(tiny_tracker: Tracker) -> None:
    with pytest.raises(TextError, match="has no words"):
        bench.measure(tiny_tracker, " ")


def test_the_exponent_is_that_of_the_times() -> None:
    # Ten times the tokens take a hundred times as long: time = 2e-6 * tokens^2.
    grown = growth.Growth(tokens=(1_000, 10_000, 100_000), seconds=(2.0, 200.0, 20_000.0), peaks=(10, 20, 21))
    assert grown.exponent == pytest.approx(2)
    assert grown.to_dict()["peak_longest_to_one_before"] == 1.05


def test_texts_grow_to_the_lengths_asked_for(tiny_tracker: Tracker) -> None:
    grown = growth.measure_growth(tiny_tracker, "Amelia met Paul. ", lengths=(100, 40))
    assert grown.tokens == (40, 100)
    assert len(grown.seconds) == len(grown.peaks) == 2


def test_every_stage_is_measured(tiny_span_folder: Path) -> None:
    model = load_trained(tiny_span_folder)
    found = stages.measure_stages(model, tracker_of(model), backends=["torch"])
    assert set(found.stages) == {
        "tokenizer",
        "recurrent",
        "spans",
        "people",
        "memory_and_linking",
        "after_encoder",
    }
    assert min([found.plain_encoder, found.end_to_end, found.short_texts, *found.stages.values()]) > 0
    assert found.cosines == {"torch": pytest.approx(1)}
    values = found.to_dict()
    assert values["ratios"]["encoder_torch_to_plain"] == round(found.encoders["torch"] / found.plain_encoder, 2)


def test_a_cold_start_is_timed(tiny_model: Path) -> None:
    assert growth.cold_start(str(tiny_model), "--device", "cpu") > 0
    with pytest.raises(PetraError, match="No model named"):
        growth.cold_start("no-such-model")


def test_the_command(tiny_model: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("Amelia met Paul. She told him that the king was his friend. " * 9)
    options = ["--model", str(tiny_model), "--device", "cpu", "--backend", "torch", "--no-compare"]
    options += ["--text", str(tmp_path / "text.txt")]
    outcome = CliRunner().invoke(app, ["bench", *options, "--cells", "6", "--json", "--out", str(tmp_path / "b.json")])
    assert outcome.exit_code == 0, outcome.stderr
    found = json.loads(outcome.stdout)
    assert found == json.loads((tmp_path / "b.json").read_text(encoding="utf-8"))
    assert (found["schema"], found["model"], found["cells"]) == ("petra.bench/1", "tiny", 6)
    assert set(found["tokens_per_second"]) == {"encoder", "recurrent", "memory_plain", "memory_exact", "memory"}
    assert set(found["ratios"]) == {
        "memory_exact_to_plain",
        "memory_to_plain",
        "peak_memory_ten_times_the_text",
    }
    assert found["stages"]["backend"] == "torch"
    assert {"end_to_end_to_plain_encoder", "after_encoder_share"} <= set(found["stages"]["ratios"])
    assert len(found["growth"]["seconds"]) == 2
    table = CliRunner().invoke(app, ["bench", *options])
    assert table.exit_code == 0
    assert "plain per-token loop" in table.stdout
    assert "plain forward" in table.stdout
