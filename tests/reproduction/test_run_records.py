from __future__ import annotations

import json
from pathlib import Path

import pytest
from study_samples import grid, record

from petra.errors import DataError
from petra.reproduction.records import RunRecord, pack_records, read_records, write_record
from petra.reproduction.results import Results

RUN = grid().runs[0]


def test_a_record_comes_back(tmp_path: Path) -> None:
    made = record(RUN, test_f1=71.25, overwrite_distribution=(0.25, 0.75), overwrite_kl=0.13)
    path = write_record(tmp_path, made)
    assert path.name == "mpnet-base-vanilla-2-1.json"
    assert read_records(tmp_path) == {RUN.digest: made}


def test_packed_records_are_read_like_single_ones(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    for run in grid().runs:
        write_record(runs, record(run, test_f1=70.0 + run.seed))
    single = read_records(runs)
    assert pack_records(runs) == tmp_path / "runs.jsonl"
    for path in runs.glob("*.json"):
        path.unlink()
    assert read_records(runs) == single
    with (tmp_path / "runs.jsonl").open("a", encoding="utf-8") as packed:
        packed.write("{}\n")
    with pytest.raises(DataError, match=r"runs\.jsonl, line 9 cannot be read as the record of a run"):
        read_records(runs)


def test_the_fields_of_the_interface(tmp_path: Path) -> None:
    values = json.loads(write_record(tmp_path, record(RUN)).read_text(encoding="utf-8"))
    assert values["schema"] == "petra.result-run/1"
    assert (values["model"], values["cells"], values["seed"]) == ("vanilla", 2, 1)
    assert (values["encoder"], values["layers"], values["digest"]) == ("mpnet-base", [6, 7, 8, 9], RUN.digest)
    assert values.keys() >= {
        "validation_f1",
        "test_f1",
        "threshold",
        "masculine_f1",
        "feminine_f1",
        "bias",
        "count_error_best",
        "count_error_two_fold",
        "epochs",
        "best_epoch",
        "seconds",
        "collapsed",
        "overwrite_distribution",
        "overwrite_kl",
        "parameters",
        "hardware",
        "command",
        "recipe",
    }


def test_nothing_written_is_a_record_too(tmp_path: Path) -> None:
    made = record(RUN, overwrite_distribution=None, overwrite_kl=None)
    write_record(tmp_path, made)
    assert read_records(tmp_path) == {RUN.digest: made}


def test_a_changed_recipe_gets_a_new_record(tmp_path: Path) -> None:
    changed = grid(training_texts=10).runs[0]
    first = write_record(tmp_path, record(RUN, test_f1=1.0))
    second = write_record(tmp_path, record(changed, test_f1=2.0))
    assert (first.name, second.name) == (
        "mpnet-base-vanilla-2-1.json",
        f"mpnet-base-vanilla-2-1-{changed.digest}.json",
    )
    records = read_records(tmp_path)
    assert (records[RUN.digest].measured.test_f1, records[changed.digest].measured.test_f1) == (1.0, 2.0)
    # Each grid finds its own.
    assert Results.of(grid(), records).records == (records[RUN.digest],)
    assert Results.of(grid(training_texts=10), records).records == (records[changed.digest],)
    # And to write again replaces one's own.
    assert write_record(tmp_path, record(changed, test_f1=3.0)) == second
    assert len(list(tmp_path.iterdir())) == 2


def test_a_record_from_before_a_setting_was_there_is_valid() -> None:
    values = record(RUN).to_dict()
    values["recipe"] = "".join(line for line in values["recipe"].splitlines(True) if "shuffle_seed" not in line)
    values["digest"] = "as it was called then"
    assert RunRecord.from_dict(values).run.digest == RUN.digest


def test_more_fields_than_are_known_do_no_harm() -> None:
    assert RunRecord.from_dict({**record(RUN).to_dict(), "mood": "good"}) == record(RUN)


def test_no_folder_is_no_records(tmp_path: Path) -> None:
    assert read_records(tmp_path / "none") == {}


@pytest.mark.parametrize(
    ("field", "value"),
    [("schema", "petra.result-run/9"), ("recipe", "name ="), ("test_f1", "high"), ("texts", [1]), ("epochs", None)],
)
def test_a_damaged_record_is_told(tmp_path: Path, field: str, value: object) -> None:
    path = write_record(tmp_path, record(RUN))
    path.write_text(json.dumps({**record(RUN).to_dict(), field: value}), encoding="utf-8")
    with pytest.raises(DataError, match=r"vanilla-2-1\.json cannot be read as the record .*Move it out of the folder"):
        read_records(tmp_path)


@pytest.mark.parametrize("content", ["", "[]", "{}", "{"])
def test_any_other_file_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / "other.json").write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=r"other\.json cannot be read"):
        read_records(tmp_path)


def test_a_damaged_record_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / f"{RUN.label}.json").write_text("{", encoding="utf-8")
    assert write_record(tmp_path, record(RUN)).name == f"{RUN.label}-{RUN.digest}.json"
    assert (tmp_path / f"{RUN.label}.json").read_text(encoding="utf-8") == "{"
