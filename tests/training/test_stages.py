"""Recipes with stages: an earlier one gives weights, teachers or a teacher to a later one."""

from __future__ import annotations

import gzip
import json
import shutil
from contextlib import ExitStack
from pathlib import Path

import pytest
import torch
from gap_corpus import write_gap_corpus
from litbank_samples import write_litbank
from supervision_samples import write_names
from tiny import tiny_mpnet, tiny_span_model
from typer.testing import CliRunner, Result

from petra.cli.app import app
from petra.config import Recipe
from petra.corpora.names import Names
from petra.errors import ConfigError
from petra.runtime.locks import lock
from petra.trained import load_trained, read_config, read_record
from petra.training.adapted.training import Epoch
from petra.training.objective import Hooks
from petra.training.references import best_model, check_references, find_references
from petra.training.run import run_recipe

ARTICLE = (
    " = Lighthouses = \n\n Ada Vale kept the light on the northern cape for twenty years , and Ruth Pym kept the other "
    "one . Ada Vale wrote to Ruth Pym every week in winter . She described the storms and the ships that passed . \n"
)
NAMES = Names(female=frozenset({"Ada", "Ruth"}), male=frozenset({"Paul"}))
SHARED = """
name = "tiny"
seeds = [5, 6]
[encoder]
name = "{encoder}"
layers = [1, 3]
window = 40
margin = 8
[memory]
num_cells = 3
hidden_size = 12
mlp_size = 10
[training]
max_epochs = 1
batch_size = 4
[adapter]
rank = 2
[spans]
max_width = 6
size = 8
"""
STAGES = """
[[stages]]
name = "teachers"
seeds = [1, 2]
[stages.training]
max_epochs = 2
[[stages]]
name = "final"
initialise_from = "teachers"
[stages.supervision]
pseudo_labels = 1
teachers = "teachers"
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_gap_corpus(tmp_path_factory.mktemp("data"))
    write_names(folder, NAMES)
    write_litbank(folder)
    (folder / "wikitext2").mkdir()
    for part in ("train", "valid", "test"):
        text = ARTICLE if part == "train" else "\n"
        (folder / f"wikitext2/wikitext2_{part}.raw.gz").write_bytes(gzip.compress(text.encode()))
    return folder


def recipe_file(folder: Path, text: str) -> Path:
    path = folder / "tiny.toml"
    path.write_text(text, encoding="utf-8")
    return path


def train(recipe: Path, out: Path, data: Path, *options: str) -> Result:
    fixed = ["--device", "cpu", "--data", str(data)]
    return CliRunner().invoke(app, ["train", str(recipe), "--out", str(out), *fixed, *options])


@pytest.fixture(scope="module")
def finished(data: Path, tiny_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, str]:
    """A recipe with two stages, the folder of its models, and what was said meanwhile."""
    folder = tmp_path_factory.mktemp("stages")
    recipe = recipe_file(folder, SHARED.format(encoder=tiny_encoder) + STAGES)
    outcome = train(recipe, folder / "out", data)
    assert outcome.exit_code == 0, outcome.stderr
    return recipe, folder / "out", outcome.stderr


def test_a_stage_has_its_own_settings_and_the_shared_ones() -> None:
    recipe = Recipe.from_toml(SHARED.format(encoder="x") + STAGES)
    teachers, final = (stage.config for stage in recipe.stages)
    assert (teachers.name, teachers.seeds, teachers.training.max_epochs) == ("tiny-teachers", (1, 2), 2)
    assert (final.name, final.seeds, final.training.max_epochs) == ("tiny", (5, 6), 1)
    assert teachers.training.batch_size == final.training.batch_size == 4
    assert not teachers.initialise_from
    assert recipe.stages[1].references == {"initialise_from": "teachers", "supervision.teachers": "teachers"}


def test_a_recipe_without_stages_is_one_stage() -> None:
    recipe = Recipe.from_toml(SHARED.format(encoder="x"))
    assert [(stage.name, stage.config.name) for stage in recipe.stages] == [("", "tiny")]


def test_other_seeds_of_one_stage() -> None:
    recipe = Recipe.from_toml(SHARED.format(encoder="x") + STAGES)
    assert [stage.config.seeds for stage in recipe.with_seeds((9,)).stages] == [(1, 2), (9,)]
    assert [stage.config.seeds for stage in recipe.with_seeds((9,), "teachers").stages] == [(9,), (5, 6)]


@pytest.mark.parametrize(
    ("stages", "complaint"),
    [
        ("stages = 3", r"stages are one or more tables, \[\[stages\]\]"),
        ("stages = []", "stages are one or more tables"),
        ("[[stages]]\nseeds = [1]", "the name of a stage is None"),
        ("[[stages]]\nname = 'a/b'", "the name of a stage is 'a/b'"),
        ("[[stages]]\nname = 'seed-1'", "the name of a stage is 'seed-1'"),
        ("[[stages]]\nname = 'a'\n[[stages]]\nname = 'a'", "the stages are named a, a; give each a name of its own"),
        ("[[stages]]\nname = 'a'\nseeds = [3]", "the seeds of the last stage stand before the first section"),
        ("[[stages]]\nname = 'a'\nepochs = 3", "stage a: unknown setting epochs; known here: name, seeds, "),
        ("[[stages]]\nname = 'a'\n[stages.training]\nepochs = 3", "stage a: unknown setting training.epochs"),
        ("[[stages]]\nname = 'a'\ntraining = 3", r"stage a: training is 3; expected a table, \[training\]"),
        (
            "[adapter]\nrank = 2\n[[stages]]\nname = 'a'\ninitialise_from = 'b'\n[[stages]]\nname = 'b'",
            "stage a: initialise_from is 'b', which is no earlier stage. Change the order",
        ),
        ("[[stages]]\nname = 'a'\n[stages.distillation]\nteacher = 'a'", "distillation.teacher is 'a', which is no"),
    ],
)
def test_stages_that_cannot_be_used(stages: str, complaint: str) -> None:
    with pytest.raises(ConfigError, match=complaint):
        Recipe.from_toml(stages)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("initialise_from = 'teachers'", "initialise_from = 'techers'"), "'techers', where no model is. .* teachers,"),
        (("\nteachers = 'teachers'", "\nteachers = 'techers'"), "supervision.teachers is 'techers', where no model"),
        (("\nteachers = 'teachers'", ""), "supervision.pseudo_labels needs supervision.teachers"),
        (("[stages.supervision]", "[stages.adapter]\nrank = 3\n[stages.supervision]"), "adapter.rank is 3, but 2 in"),
    ],
)
def test_what_does_not_fit_is_told_before_the_first_stage(change: tuple[str, str], complaint: str) -> None:
    text = (SHARED.format(encoder="x") + STAGES).replace('"', "'")
    assert change[0] in text
    recipe = Recipe.from_toml(text.replace(*change))
    with pytest.raises(ConfigError, match=f"stage final: .*{complaint}"):
        check_references(recipe, recipe.stages)


def test_every_stage_keeps_its_seeds(finished: tuple[Path, Path, str]) -> None:
    _, out, said = finished
    places = sorted(path.parent.relative_to(out).as_posix() for path in out.rglob("record.json"))
    assert places == ["mean", "seed-5", "seed-6", "teachers/seed-1", "teachers/seed-2"]
    assert read_record(out / "seed-5")["name"] == "tiny-5"
    assert read_record(out / "teachers/seed-2")["name"] == "tiny-teachers-2"
    assert "seed 1, epoch   2" in said
    config = read_config(out / "seed-5")  # names of stages stay as the recipe has them
    assert (config.initialise_from, config.supervision.teachers) == ("teachers", "teachers")


def test_the_best_seed_by_validation_is_begun_with(finished: tuple[Path, Path, str]) -> None:
    _, out, _ = finished
    scores = {seed: read_record(out / f"teachers/seed-{seed}")["validation_overall"] for seed in (1, 2)}
    best = 2 if scores[2] > scores[1] else 1
    assert read_record(out / "seed-5")["initialised_from"] == f"tiny-teachers-{best}"
    own, other = (load_trained(out / it).weights["update"] for it in (f"teachers/seed-{best}", "seed-5"))
    assert (own - other).abs().max() < 0.01  # one epoch of two steps later


def test_the_mean_of_a_stage_is_begun_with_where_it_has_one(tiny_encoder: Path, tmp_path: Path) -> None:
    middle = '[[stages]]\nname = "middle"\nseeds = [3, 4]\ninitialise_from = "teachers"\n'
    later = STAGES.replace(
        '[[stages]]\nname = "final"\ninitialise_from = "teachers"', '{middle}[[stages]]\nname = "final"'
    )
    text = SHARED.format(encoder=tiny_encoder) + later.format(middle=middle)
    recipe = Recipe.from_toml(text.replace('name = "final"', 'name = "final"\ninitialise_from = "middle"'))
    for name in ("teachers/seed-1", "teachers/seed-2", "middle/seed-3", "middle/seed-4"):
        tiny_span_model(tmp_path / name, tiny_encoder)
    with pytest.raises(ConfigError, match=r"no model in .*middle/mean\. Train the stage first, with --stage middle"):
        find_references(recipe, recipe.stages[-1], tmp_path)
    tiny_span_model(tmp_path / "middle/mean", tiny_encoder)
    assert find_references(recipe, recipe.stages[-1], tmp_path).initialise_from == tmp_path / "middle/mean"


def test_the_first_of_equally_good_seeds_is_the_best(tmp_path: Path) -> None:
    for seed, score in ((1, 70.0), (2, 80.5), (3, 80.5)):
        record = {"schema": "petra.model/1", "name": "m", "sha256": "", "threshold": 0.5, "validation_overall": score}
        (tmp_path / f"seed-{seed}").mkdir()
        (tmp_path / f"seed-{seed}/record.json").write_text(json.dumps(record), encoding="utf-8")
    assert best_model([tmp_path / f"seed-{seed}" for seed in (1, 2, 3)]).name == "seed-2"


def test_all_seeds_of_a_stage_are_teachers(finished: tuple[Path, Path, str]) -> None:
    path, out, _ = finished
    recipe = Recipe.read(path)
    found = find_references(recipe, recipe.stages[1], out)
    assert found.teachers == (out / "teachers/seed-1", out / "teachers/seed-2")
    assert found.initialise_from in found.teachers
    assert found.teacher is None


def test_what_is_there_is_not_trained_again(finished: tuple[Path, Path, str], data: Path, tmp_path: Path) -> None:
    recipe, out, _ = finished
    copy = shutil.copytree(out, tmp_path / "out")
    before = {path: path.read_bytes() for path in copy.rglob("seed-*/*.safetensors")}
    outcome = train(recipe, copy, data, "--seeds", "5,7")
    assert outcome.exit_code == 0, outcome.stderr
    assert outcome.stderr.count("epoch") == 1
    assert "seed 7, epoch   1" in outcome.stderr
    assert all(path.read_bytes() == content for path, content in before.items())
    assert (copy / "seed-7/record.json").is_file()
    assert load_trained(copy / "mean").record["seeds"] == [5, 7]


def test_a_stage_by_itself(finished: tuple[Path, Path, str], data: Path, tmp_path: Path) -> None:
    recipe, out, _ = finished
    alone = tmp_path / "out"
    outcome = train(recipe, alone, data, "--stage", "final")
    assert outcome.exit_code == 1
    assert f"There is no model in {alone}/teachers/seed-1. Train the stage first, with --stage teachers." in (
        outcome.stderr
    )
    assert train(recipe, alone, data, "--stage", "teachers", "--seeds", "2").exit_code == 0
    assert [path.name for path in (alone / "teachers").glob("seed-?")] == ["seed-2"]
    assert train(recipe, alone, data, "--stage", "teachers").exit_code == 0
    assert train(recipe, alone, data, "--stage", "final", "--seeds", "6").exit_code == 0
    # A seed is the same whichever command trained it.
    for place in ("teachers/seed-1", "teachers/seed-2", "seed-6"):
        one, other = (load_trained(folder / place).weights for folder in (alone, out))
        assert all(torch.equal(one[name], other[name]) for name in other), place


def test_a_seed_of_another_process_is_left_to_it(finished: tuple[Path, Path, str], data: Path, tmp_path: Path) -> None:
    # A lock on seed 5, as another process would hold it, until an epoch of seed 6 is done.
    recipe, out, _ = finished
    shutil.copytree(out / "teachers", tmp_path / "teachers")
    seeds: list[int] = []
    with ExitStack() as other:
        assert other.enter_context(lock(tmp_path / ".seed-5.training.lock", wait=False))

        def note(epoch: Epoch) -> None:
            seeds.append(epoch.seed)
            other.close()

        run_recipe(Recipe.read(recipe), data, tmp_path, device=torch.device("cpu"), hooks=Hooks(on_epoch=note))
    assert seeds == [6, 5]
    assert (tmp_path / "seed-5/record.json").is_file()


def test_an_unknown_stage(finished: tuple[Path, Path, str], data: Path, tmp_path: Path) -> None:
    recipe, _, _ = finished
    outcome = train(recipe, tmp_path / "out", data, "--stage", "third")
    assert outcome.exit_code == 1
    assert "no stage is named 'third'. Stages of this recipe: teachers, final." in outcome.stderr


def test_a_smaller_encoder_is_distilled_from_a_stage(
    finished: tuple[Path, Path, str], data: Path, tiny_encoder: Path, tmp_path: Path
) -> None:
    _, out, _ = finished
    encoder = tiny_mpnet(tmp_path / "tiny-mpnet", hidden_size=8)
    student = f"""
[[stages]]
name = "student"
[stages.encoder]
name = "{encoder}"
layers = [2]
[stages.distillation]
teacher = "teachers"
steps = 2
tokens = 128
weight = 1.0
"""
    recipe = recipe_file(
        tmp_path, SHARED.format(encoder=tiny_encoder) + STAGES[: STAGES.rindex("[[stages]]")] + student
    )
    shutil.copytree(out / "teachers", tmp_path / "out/teachers")
    outcome = train(recipe, tmp_path / "out", data, "--seeds", "8")
    assert outcome.exit_code == 0, outcome.stderr
    record, config = read_record(tmp_path / "out/seed-8"), read_config(tmp_path / "out/seed-8")
    assert record["distilled_from"] in ("tiny-teachers-1", "tiny-teachers-2")
    assert config.encoder.layers == (2,)
    assert config.distillation.teacher == "teachers"
