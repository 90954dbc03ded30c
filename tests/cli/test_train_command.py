"""``petra train`` from a recipe file to models that can be loaded, on a small corpus and a tiny encoder."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from adapted_corpora import write_adapted_corpora
from tiny import TINY_RECIPE
from tiny_corpus import metrics_of
from typer.testing import CliRunner, Result

from petra.cli.app import app
from petra.config import EncoderConfig, MemoryConfig, RunConfig, SupervisionConfig, TrainingConfig
from petra.memory.network import Network
from petra.trained import load_trained
from petra.training.adapted.learner import AdaptedLearner
from petra.training.learner import Learner

RUN_FIELDS = {
    "seed",
    "validation_f1",
    "test_f1",
    "threshold",
    "masculine_f1",
    "feminine_f1",
    "count_error_best",
    "epochs",
    "seconds",
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETRA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PETRA_DATA", str(write_adapted_corpora(tmp_path / "data")))


@pytest.fixture
def config(tiny_encoder: Path) -> RunConfig:
    return RunConfig(
        name="tiny",
        seeds=(1, 2),
        encoder=EncoderConfig(name=str(tiny_encoder), layers=(2, 3), window=40, margin=8),
        memory=MemoryConfig(num_cells=3, hidden_size=8, mlp_size=8),
        training=TrainingConfig(max_epochs=2, batch_size=4, learning_rate=1e-2),
    )


@pytest.fixture
def recipe(tmp_path: Path, config: RunConfig) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(config.to_toml(), encoding="utf-8")
    return path


def train(recipe: Path, out: Path, *options: str) -> Result:
    return CliRunner().invoke(app, ["train", str(recipe), "--out", str(out), "--device", "cpu", *options])


def result_of(outcome: Result, out: Path) -> dict[str, Any]:
    assert outcome.exit_code == 0, outcome.stderr
    result: dict[str, Any] = json.loads((out / "result.json").read_text(encoding="utf-8"))
    return result


def without_seconds(result: dict[str, Any]) -> list[dict[str, Any]]:
    return [{name: value for name, value in run.items() if name != "seconds"} for run in result["runs"]]


def interrupt_at(call: int, monkeypatch: pytest.MonkeyPatch, learner: type[Any] = Learner) -> None:
    """Ctrl-C at a certain step of the training."""
    step: Callable[..., Any] = learner.step
    calls = iter(range(1, 1000))

    def interrupted(*arguments: Any) -> Any:
        if next(calls) == call:
            raise KeyboardInterrupt
        return step(*arguments)

    monkeypatch.setattr(learner, "step", interrupted)


def test_a_recipe_becomes_models_with_a_record(recipe: Path, config: RunConfig, tmp_path: Path) -> None:
    out = tmp_path / "out"
    outcome = train(recipe, out, "--test", "--json")
    result = result_of(outcome, out)
    assert json.loads(outcome.stdout) == result
    assert result["schema"] == "petra.result/1"
    assert (result["model"], result["cells"], result["layers"]) == ("tiny", 3, [2, 3])
    assert result["encoder"] == config.encoder.name
    assert RunConfig.from_toml(result["recipe"]) == config
    assert result["hardware"]
    assert result["command"] == f"petra train {recipe} --out {out} --device cpu --test"
    assert [run["seed"] for run in result["runs"]] == [1, 2]
    for run in result["runs"]:
        assert run.keys() >= RUN_FIELDS
        assert 0 <= run["test_f1"] <= 100
        assert 0.01 <= run["threshold"] <= 1
        assert run["epochs"] == 2
    tests = [run["test_f1"] for run in result["runs"]]
    assert result["mean_test_f1"] == pytest.approx(sum(tests) / 2, abs=0.01)
    assert result["std_test_f1"] == pytest.approx(abs(tests[0] - tests[1]) / 2**0.5, abs=0.01)
    assert [line["epoch"] for line in metrics_of(out)] == [1, 2]
    assert "epoch   2" in outcome.stderr


def test_each_seed_is_a_model_that_can_be_loaded(recipe: Path, config: RunConfig, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = result_of(train(recipe, out), out)
    for run in result["runs"]:
        model = load_trained(out / f"seed-{run['seed']}")
        assert (model.name, model.threshold, model.config) == (f"tiny-{run['seed']}", run["threshold"], config)
        network = Network(config.memory, input_size=32)  # two layers of 16 features
        network.load_state_dict(dict(model.weights))
    one, two = (load_trained(out / f"seed-{seed}").weights["update"] for seed in (1, 2))
    assert not torch.equal(one, two)


def test_the_test_split_is_not_looked_at_unless_asked_for(recipe: Path, tmp_path: Path) -> None:
    (tmp_path / "data/gap/gap-test.tsv").unlink()
    out = tmp_path / "out"
    outcome = train(recipe, out)
    result = result_of(outcome, out)
    assert not any("test_f1" in run for run in result["runs"])
    assert "mean_test_f1" not in result
    assert "Validation F1" in outcome.stdout
    assert "Test F1" not in outcome.stdout


@pytest.mark.parametrize("name", ["gap-test.tsv", "num_people.tsv", "gap-validation.tsv"])
def test_what_is_missing_is_told_before_the_training(
    recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    interrupt_at(1, monkeypatch)
    (tmp_path / "data/gap" / name).unlink()
    outcome = train(recipe, tmp_path / "out", "--test")
    assert (outcome.exit_code, outcome.stdout) == (1, "")
    assert f"{name} is missing. Get it from" in outcome.stderr


def test_a_count_of_an_unknown_text_is_told_before_the_training(
    recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt_at(1, monkeypatch)
    (tmp_path / "data/gap/num_people.tsv").write_text("ID\tText\tCount\nvalidation-9\tNobody.\t0\n")
    outcome = train(recipe, tmp_path / "out")
    assert outcome.exit_code == 1
    assert "num_people.tsv counts validation-9, which is not in gap-validation.tsv" in outcome.stderr


def test_other_seeds(recipe: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = result_of(train(recipe, out, "--seeds", "7"), out)
    assert [run["seed"] for run in result["runs"]] == [7]
    assert result["std_validation_f1"] == 0.0
    assert RunConfig.from_toml(result["recipe"]).seeds == (7,)
    assert load_trained(out / "seed-7").config.seeds == (7,)


@pytest.mark.parametrize(
    ("seeds", "status", "message"),
    [("1,x", 2, "give whole numbers"), ("", 2, "give whole numbers"), ("1,1", 1, "seeds is [1, 1]")],
)
def test_wrong_seeds(recipe: Path, tmp_path: Path, seeds: str, status: int, message: str) -> None:
    outcome = train(recipe, tmp_path / "out", "--seeds", seeds)
    assert outcome.exit_code == status
    assert message in outcome.stderr


def test_ctrl_c_and_resume(recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    expected = result_of(train(recipe, whole), whole)
    with monkeypatch.context() as patch:
        interrupt_at(4, patch)  # six texts, four at a time: the second batch of the second epoch
        outcome = train(recipe, parts)
    assert (outcome.exit_code, outcome.stdout) == (130, "")
    assert not (parts / "result.json").exists()
    found = result_of(train(recipe, parts, "--resume"), parts)
    assert without_seconds(found) == without_seconds(expected)
    assert metrics_of(parts) == metrics_of(whole)
    for seed in (1, 2):
        weights = (folder / f"seed-{seed}/model.safetensors" for folder in (whole, parts))
        assert len({path.read_bytes() for path in weights}) == 1


def test_an_interrupted_run_is_not_begun_again_by_mistake(
    recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    interrupt_at(4, monkeypatch)
    assert train(recipe, out).exit_code == 130
    refused = train(recipe, out)
    assert refused.exit_code == 1
    assert f"{out} holds a training run already. Give --resume" in refused.stderr


def test_a_finished_run_is_scored_later(recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, whole = tmp_path / "out", tmp_path / "whole"
    expected = result_of(train(recipe, whole, "--test"), whole)
    result_of(train(recipe, out), out)
    assert not (out / "checkpoint.safetensors").exists()
    interrupt_at(1, monkeypatch)  # nothing is trained again
    assert without_seconds(result_of(train(recipe, out, "--test"), out)) == without_seconds(expected)


def test_seeds_join_those_that_are_there(recipe: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = result_of(train(recipe, out), out)
    result = result_of(train(recipe, out, "--seeds", "2,7"), out)
    assert [run["seed"] for run in result["runs"]] == [1, 2, 7]
    assert result["runs"][:2] == first["runs"]
    assert RunConfig.from_toml(result["recipe"]).seeds == (1, 2, 7)


def test_another_recipe_is_not_resumed(recipe: Path, config: RunConfig, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result_of(train(recipe, out), out)
    recipe.write_text(replace(config, name="another").to_toml(), encoding="utf-8")
    outcome = train(recipe, out)
    assert outcome.exit_code == 1
    assert f"The model in {out}/seed-1 was made by another recipe. Give another --out." in outcome.stderr


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("[memory]\ncells = 3", "unknown setting memory.cells; known here: num_cells, "),
        ("[memory]\nnum_cells = '3'", "memory.num_cells is '3'; expected a whole number."),
        ("[training]\ndropout = 1", "training.dropout is 1.0; it must be at least 0 and less than 1."),
        ("name = ", "not a TOML file"),
    ],
)
def test_a_recipe_that_cannot_be_used(recipe: Path, tmp_path: Path, change: str, message: str) -> None:
    recipe.write_text(change, encoding="utf-8")
    outcome = train(recipe, tmp_path / "out")
    assert (outcome.exit_code, outcome.stdout) == (1, "")
    assert f"{recipe}: {message}" in outcome.stderr
    assert not (tmp_path / "out").exists()


def test_a_recipe_that_is_not_there(tmp_path: Path) -> None:
    outcome = train(tmp_path / "none.toml", tmp_path / "out")
    assert outcome.exit_code == 1
    assert f"No recipe at {tmp_path / 'none.toml'}" in outcome.stderr


def test_an_out_that_is_a_file_is_told_before_the_training(
    recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt_at(1, monkeypatch)
    (tmp_path / "out").write_text("something else", encoding="utf-8")
    outcome = train(recipe, tmp_path / "out")
    assert outcome.exit_code == 1
    assert str(tmp_path / "out") in outcome.stderr
    assert (tmp_path / "out").read_text(encoding="utf-8") == "something else"


def test_an_unknown_device(recipe: Path, tmp_path: Path) -> None:
    outcome = train(recipe, tmp_path / "out", "--device", "abacus")
    assert outcome.exit_code == 1
    assert "No device named 'abacus'" in outcome.stderr


@pytest.mark.parametrize(
    ("supervision", "corpora"),
    [(SupervisionConfig(), set()), (SupervisionConfig(passages=1, passage_tokens=40), {"litbank", "gum"})],
    ids=["gap", "passages"],
)
def test_a_recipe_with_an_adapter(
    recipe: Path, config: RunConfig, tmp_path: Path, supervision: SupervisionConfig, corpora: set[str]
) -> None:
    adapted = replace(TINY_RECIPE, encoder=config.encoder, supervision=supervision)
    recipe.write_text(adapted.to_toml(), encoding="utf-8")
    outcome = train(recipe, tmp_path / "out", "--json")
    assert outcome.exit_code == 0, outcome.stderr
    assert "seed 1, epoch   1" in outcome.stderr
    assert all(corpus in outcome.stderr for corpus in corpora)
    result = json.loads(outcome.stdout)
    assert RunConfig.from_toml(result["recipe"]) == adapted
    assert result["schema"] == "petra.result/1"
    assert json.loads((tmp_path / "out/result.json").read_text(encoding="utf-8")) == result
    (run,) = result["runs"]
    assert run["span_f1"].keys() == run["links_right"].keys() == corpora
    assert load_trained(tmp_path / "out/seed-1").record.items() >= run.items()


@pytest.fixture
def adapted_recipe(recipe: Path, config: RunConfig) -> Path:
    """Two seeds and two epochs of two steps, with dropout, an average, passages and swaps: all that draws numbers."""
    adapted = replace(
        TINY_RECIPE,
        seeds=(1, 2),
        encoder=config.encoder,
        training=replace(TINY_RECIPE.training, max_epochs=2, dropout=0.3),
        adapter=replace(TINY_RECIPE.adapter, dropout=0.1, ema_decay=0.9),
        supervision=SupervisionConfig(swapped=0.5, passages=1, passage_tokens=40, short_texts=3),
    )
    recipe.write_text(adapted.to_toml(), encoding="utf-8")
    return recipe


@pytest.mark.parametrize("step", [3, 4, 8], ids=["after an epoch", "in the second", "in the second seed"])
def test_ctrl_c_and_resume_with_an_adapter(
    adapted_recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    expected = result_of(train(adapted_recipe, whole, "--test"), whole)
    with monkeypatch.context() as patch:
        interrupt_at(step, patch, AdaptedLearner)
        outcome = train(adapted_recipe, parts, "--test")
    assert (outcome.exit_code, outcome.stdout) == (130, "")
    assert "The same command with --resume goes on after the last whole epoch." in outcome.stderr
    assert not (parts / "result.json").exists()
    refused = train(adapted_recipe, parts, "--test")
    assert f"{parts} holds a training run already. Give --resume" in refused.stderr
    found = result_of(train(adapted_recipe, parts, "--test", "--resume"), parts)
    assert without_seconds(found) == without_seconds(expected)
    assert {"mean_test_f1", "std_test_f1", "mean_validation_f1", "hardware", "command"} <= found.keys()
    for seed in (1, 2):
        weights = (folder / f"seed-{seed}/model.safetensors" for folder in (whole, parts))
        assert len({path.read_bytes() for path in weights}) == 1
    assert not list(parts.glob("*checkpoint*"))


def test_a_checkpoint_of_another_recipe_is_not_resumed(
    adapted_recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        interrupt_at(3, patch, AdaptedLearner)
        train(adapted_recipe, tmp_path / "out")
    text = adapted_recipe.read_text(encoding="utf-8").replace("ema_decay = 0.9", "ema_decay = 0.8")
    adapted_recipe.write_text(text, encoding="utf-8")
    outcome = train(adapted_recipe, tmp_path / "out", "--resume")
    assert outcome.exit_code == 1
    assert "seed-1.checkpoint.safetensors was made by another recipe" in outcome.stderr
