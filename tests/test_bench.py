from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from petra import bench
from petra.cli.app import app
from petra.config import MemoryConfig, Variant
from petra.errors import TextError
from petra.memory.network import Network
from petra.memory.reading import TextReader
from petra.tracker import Tracker


@pytest.fixture(autouse=True)
def little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_TOKENS", 60)
    monkeypatch.setattr(bench, "_STREAMED_TOKENS", 60)
    monkeypatch.setattr(bench, "_ROUNDS", 2)


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


def test_the_command(tiny_model: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("Amelia met Paul. She told him that the king was his friend. " * 9)
    options = ["--model", str(tiny_model), "--device", "cpu", "--text", str(tmp_path / "text.txt")]
    outcome = CliRunner().invoke(app, ["bench", *options, "--cells", "6", "--json"])
    assert outcome.exit_code == 0, outcome.stderr
    found = json.loads(outcome.stdout)
    assert (found["schema"], found["model"], found["cells"]) == ("petra.bench/1", "tiny", 6)
    assert set(found["tokens_per_second"]) == {"encoder", "recurrent", "memory_plain", "memory_exact", "memory"}
    assert set(found["ratios"]) == {
        "memory_exact_to_plain",
        "memory_to_plain",
        "peak_memory_ten_times_the_text",
    }
    table = CliRunner().invoke(app, ["bench", *options])
    assert table.exit_code == 0
    assert "plain per-token loop" in table.stdout
