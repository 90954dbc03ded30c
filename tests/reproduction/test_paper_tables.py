from __future__ import annotations

import csv
from typing import Any

import pytest
from study_samples import grid, results

from petra.publication.spreads import Spread
from petra.publication.tables import Table, TableColumn, as_text
from petra.reproduction.grid import GridRun
from petra.reproduction.paper_tables import TABLES, gap_test_table, runs_csv, validation_table
from petra.reproduction.results import Results
from petra.reproduction.sections import FIGURES, SECTIONS

TABLE = Table(
    name="sample",
    title="A sample",
    columns=(TableColumn("Who"), TableColumn("F1"), TableColumn("KL", 2), TableColumn("Runs")),
    rows=(("a", Spread(79.04, 0.36, 5), 0.126, 5000), ("b, c", 78.8, None, 1), ("d", None, 0.0, 0)),
)


def study(**settings: Any) -> Results:
    def measured(run: GridRun) -> dict[str, Any]:
        return {"validation_f1": 70.0 + run.cells + run.seed, "test_f1": 60.0 + run.cells + run.seed}

    return results(grid(**settings), measured)


def test_a_value_as_people_read_it() -> None:
    assert TABLE.texts() == [
        ["a", "79.0 ± 0.4", "0.13", "5,000"],
        ["b, c", "78.8", "–", "1"],
        ["d", "–", "0.00", "0"],
    ]
    assert as_text(Spread(79.04, 0.0, 1)) == "79.0"  # one run has no deviation
    assert [TABLE.is_number(at) for at in range(4)] == [False, True, True, True]


def test_a_table_as_csv() -> None:
    assert TABLE.to_csv() == (
        'Who,"F1, mean","F1, deviation",KL,Runs\na,79.04,0.36,0.126,5000\n"b, c",78.8,,,1\nd,,,0.0,0\n'
    )


def test_every_section_has_tables() -> None:
    assert TABLES.keys() == SECTIONS.keys()
    assert set(FIGURES) <= SECTIONS.keys()


@pytest.mark.parametrize("name", SECTIONS)
def test_every_table_can_be_made_of_any_results(name: str) -> None:
    nothing = results(grid(), lambda _: None)
    one = results(grid(), lambda run: {} if run.seed == 1 else None)
    for studies in ([nothing], [one], [study()], [study(), study(encoder="minilm")]):
        for make in TABLES[name]:
            table = make(studies)
            assert len(table.to_csv().splitlines()) == len(table.rows) + 1
            assert all(len(row) == len(table.columns) for row in table.rows)


def test_ours_stand_beside_the_published_ones() -> None:
    rows = {(row[0], row[1]): row for row in gap_test_table([study()]).texts()}
    # With 4 cells: test F1 65 and 66.
    assert rows["mpnet-base", "PeTra"][2:6] == ["65.5 ± 0.7", "4", "2", "0"]
    assert rows["mpnet-base", "PeTra"][-2:] == ["81.5 ± 0.6", "85.3 ± 0.6"]
    assert rows["mpnet-base", "Referential Reader"][-2:] == ["78.9 ± 1.3", "83.7 ± 0.8"]
    assert ["78.8", "–"] in [row[-2:] for who, row in rows.items() if who[0] == "published"]


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("correlation", {"PeTra": ["0.76", "0.69"], "Referential Reader": ["0.49", "0.54"]}),
        ("cell-use", {"PeTra": ["0.00", "0.01"], "Referential Reader": ["0.05", "0.04"]}),
    ],
)
def test_the_papers_other_numbers(name: str, numbers: dict[str, list[str]]) -> None:
    (table,) = (make([study()]) for make in TABLES[name])
    assert {row[1]: row[-2:] for row in table.texts()} == numbers


def test_encoders_stand_below_each_other_and_models_beside() -> None:
    table = validation_table([study(), study(encoder="minilm", cells=[2])])
    assert [column.title for column in table.columns] == ["Encoder", "Cells", "PeTra", "Referential Reader"]
    assert [row[:3] for row in table.texts()] == [
        ["mpnet-base", "2", "73.5 ± 0.7"],
        ["mpnet-base", "4", "75.5 ± 0.7"],
        ["minilm", "2", "73.5 ± 0.7"],
    ]


def test_all_runs_as_csv() -> None:
    rows = list(csv.DictReader(runs_csv([study()]).splitlines()))
    assert len(rows) == 8
    assert (rows[0]["model"], rows[0]["cells"], rows[0]["validation_f1"]) == ("vanilla", "2", "73.0")
    assert not {"recipe", "overwrite_distribution"} & rows[0].keys()
    assert runs_csv([results(grid(), lambda _: None)]).strip() == ""
