"""``petra reproduce`` from records to a report, and the whole of it in miniature."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import tomli_w
from absent import need_encoder
from gap_corpus import write_gap_corpus
from study_samples import record
from tiny_study import MODELS, tiny_grid, tiny_values
from typer.testing import CliRunner, Result

from petra.cli.app import app
from petra.reproduction.grid import GridConfig, quick_grid
from petra.reproduction.records import read_records, write_record
from petra.reproduction.sections import SECTIONS
from petra.training.learner import Learner


def reproduce(out: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["reproduce", "--out", str(out), *arguments])


def write_all(grid: GridConfig, out: Path) -> None:
    """A made-up record for every run of a grid."""
    for run in grid.runs:
        write_record(out / "runs", record(run, validation_f1=70.0 + run.cells + run.seed))


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A folder in which the miniature is done."""
    write_all(quick_grid(), tmp_path / "out")
    return tmp_path / "out"


def test_from_records_alone(recorded: Path) -> None:
    outcome = reproduce(recorded, "--quick")
    assert outcome.exit_code == 0, outcome.stderr
    assert "| minilm | PeTra | 69.0 ± 0.0 | 4 | 2 |" in outcome.stdout
    assert f"The report is in {recorded / 'report.html'}." in outcome.stderr
    assert {path.name for path in recorded.iterdir()} == {
        "figures",
        "report.html",
        "report.md",
        "runs",
        "runs.csv",
        "tables",
    }


def test_no_model_is_loaded_for_that(recorded: Path) -> None:
    # Nor is a corpus or an encoder needed.
    code = (
        "import sys\nfrom petra.cli.app import app\n"
        f"app(['reproduce', '--quick', '--out', {str(recorded)!r}], standalone_mode=False)\n"
        "assert 'matplotlib' in sys.modules\nassert not {'torch', 'transformers', 'tokenizers'} & sys.modules.keys()\n"
    )
    environment = {name: value for name, value in os.environ.items() if name not in ("PETRA_DATA", "PETRA_HOME")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr


def test_a_table_by_name(recorded: Path) -> None:
    outcome = reproduce(recorded, "correlation", "cost", "--quick")
    assert outcome.exit_code == 0, outcome.stderr
    assert SECTIONS["correlation"] in outcome.stdout
    assert SECTIONS["cost"] in outcome.stdout
    assert SECTIONS["gap-test"] not in outcome.stdout
    assert sorted(path.name for path in (recorded / "tables").iterdir()) == ["correlation.csv", "cost.csv"]
    assert not (recorded / "report.md").exists()


def test_every_name_is_in_the_help() -> None:
    outcome = CliRunner().invoke(app, ["reproduce", "--help"], env={"COLUMNS": "200", "TERM": "dumb"})
    words = outcome.stdout.replace("\n", " ")
    assert all(name in words for name in SECTIONS)


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["speed"], 2, "No table named 'speed'. Choose from findings, gap-test,"),
        (["--quick", "--recipe", "other.toml"], 2, "--quick has a recipe of its own"),
        (["--recipe", "none.toml"], 1, "No recipe at none.toml"),
        (["--model", "chocolate"], 2, "No model 'chocolate' in the grid. Choose from vanilla, learned-init,"),
    ],
)
def test_what_cannot_be_made(tmp_path: Path, arguments: list[str], status: int, message: str) -> None:
    outcome = reproduce(tmp_path / "out", *arguments)
    assert outcome.exit_code == status
    assert message in " ".join(outcome.stderr.replace("│", " ").split())
    assert not (tmp_path / "out").exists()


def test_without_training_the_report_tells_what_is_missing(recorded: Path) -> None:
    (recorded / "runs/minilm-vanilla-2-1.json").unlink()
    outcome = reproduce(recorded, "--quick", "--no-train")
    assert outcome.exit_code == 0, outcome.stderr
    assert "1 runs are missing. Without --no-train they are trained." in outcome.stderr
    report = (recorded / "report.md").read_text(encoding="utf-8")
    assert "15 of 16 runs, 0 of them collapsed. Missing: minilm-vanilla-2-1." in report


def test_a_damaged_record_is_told(recorded: Path) -> None:
    (recorded / "runs/minilm-vanilla-2-1.json").write_text("{", encoding="utf-8")
    outcome = reproduce(recorded, "--quick")
    assert (outcome.exit_code, outcome.stdout) == (1, "")
    assert "minilm-vanilla-2-1.json cannot be read as the record of a run" in outcome.stderr


def test_two_recipes_stand_side_by_side(tmp_path: Path) -> None:
    recipes = []
    for name in ("one", "two"):
        values = tiny_values(Path(name))
        (tmp_path / f"{name}.toml").write_text(tomli_w.dumps(values), encoding="utf-8")
        write_all(GridConfig.from_values(values), tmp_path / "out")
        recipes += ["--recipe", str(tmp_path / f"{name}.toml")]
    outcome = reproduce(tmp_path / "out", "validation-f1", *recipes)
    assert outcome.exit_code == 0, outcome.stderr
    assert "| one | 2 |" in outcome.stdout
    assert "| two | 2 |" in outcome.stdout


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETRA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PETRA_DATA", str(write_gap_corpus(tmp_path / "data")))


@pytest.fixture
def recipe(tiny_encoder: Path, tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(tomli_w.dumps(tiny_values(tiny_encoder, models=MODELS)), encoding="utf-8")
    return path


@pytest.mark.usefixtures("home")
def test_from_training_to_the_report(recipe: Path, tiny_encoder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    outcome = reproduce(out, "--recipe", str(recipe), "--device", "cpu")
    assert outcome.exit_code == 0, outcome.stderr
    grid = tiny_grid(tiny_encoder, models=MODELS)
    records = read_records(out / "runs")
    assert records.keys() == {run.digest for run in grid.runs}
    command = f"petra reproduce --recipe {recipe} --out {out} --device cpu"
    assert {found.measured.command for found in records.values()} == {command}
    lines = [line for line in outcome.stderr.splitlines() if "runs done" in line]
    assert len(lines) == 4 * 3  # groups and epochs
    assert "tiny-bert, vanilla, 2-3 cells: epoch 1, " in lines[0]
    assert "4 of 4 learning" in lines[0]
    assert "0 of 16 runs done, about " in lines[0]
    assert "12 of 16 runs done" in lines[-1]
    assert "16 of 16 runs" in (out / "report.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("home")
def test_one_model_after_the_other(recipe: Path, tmp_path: Path) -> None:
    out, found = tmp_path / "out", []
    for models in (["fixed-key", "vanilla"], ["referential-reader"], ["fixed-key"]):
        chosen = [word for model in models for word in ("--model", model)]
        outcome = reproduce(out, "--recipe", str(recipe), "--device", "cpu", *chosen)
        assert outcome.exit_code == 0, outcome.stderr
        records = read_records(out / "runs").values()
        found.append(({record.run.model for record in records}, len(records), "runs done" in outcome.stderr))
    assert found == [
        ({"vanilla", "fixed-key"}, 8, True),
        ({"vanilla", "fixed-key", "referential-reader"}, 12, True),
        ({"vanilla", "fixed-key", "referential-reader"}, 12, False),  # these were there
    ]
    assert "12 of 16 runs" in (out / "report.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("home")
def test_on_a_terminal_bars_tell_how_far_it_is(recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes any stream for a terminal
    outcome = reproduce(tmp_path / "out", "--recipe", str(recipe), "--device", "cpu")
    assert outcome.exit_code == 0, outcome.stderr
    assert "Runs" in outcome.stderr
    assert "4 running, about" in outcome.stderr
    assert "runs done, about" not in outcome.stderr  # that is the line of a pipe


@pytest.mark.usefixtures("home")
def test_ctrl_c_and_again(recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, step, calls = tmp_path / "out", Learner.step, iter(range(1, 1000))

    def interrupted(self: Learner, *arguments: object) -> object:
        if next(calls) == 4:  # the second batch of the second epoch
            raise KeyboardInterrupt
        return step(self, *arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(Learner, "step", interrupted)
        outcome = reproduce(out, "--recipe", str(recipe), "--device", "cpu")
    assert (outcome.exit_code, outcome.stdout) == (130, "")
    outcome = reproduce(out, "--recipe", str(recipe), "--device", "cpu")
    assert outcome.exit_code == 0, outcome.stderr
    assert "vanilla, 2-3 cells: epoch 2" in outcome.stderr.splitlines()[0]
    assert len(read_records(out / "runs")) == 16


@pytest.fixture
def whole(data: Path) -> Path:
    """The corpora, if MiniLM is here too."""
    need_encoder("minilm")
    return data


def test_the_miniature_on_real_texts(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    outcome = reproduce(out, "--quick", "--device", "cpu", "--data", str(whole))
    assert outcome.exit_code == 0, outcome.stderr
    records = read_records(out / "runs")
    assert records.keys() == {run.digest for run in quick_grid().runs}
    assert all(found.measured.counted_texts > 0 for found in records.values())
    assert all(0 < found.measured.validation_f1 < 100 for found in records.values())
    report = (out / "report.md").read_text(encoding="utf-8")
    assert "16 of 16 runs" in report
    assert "Only a part of GAP was used" in report
