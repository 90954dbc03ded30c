from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from gap_samples import row, write_gap
from log_samples import log_of

from petra.corpora.gap import GapInstance, read_gap
from petra.evaluation.as_json import count_run_as_json, gap_run_as_json
from petra.evaluation.runs import evaluate_count, evaluate_gap, link_probabilities
from petra.log.memory_log import MemoryLog
from petra.log.mentions import LogMentions

# Pronoun links to A and B, by the number in the text of each instance.
LINKS = {"1": (0.75, 0.25), "2": (0.5, 0.125), "3": (0.25, 0.625), "4": (0.5, 0.375)}


class ByHand:
    """A reader that knows its texts."""

    name = "by-hand"

    def __init__(self, instances: Sequence[GapInstance]) -> None:
        self.instances = {instance.text: instance for instance in instances}
        self.cells: list[int | None] = []

    def logs(self, texts: Sequence[str], *, cells: int | None = None) -> Iterator[MemoryLog]:
        self.cells.append(cells)
        for text in texts:
            yield log_of(self.instances[text], *LINKS[text[-2]])

    people_logs = logs


def numbered(number: int, **columns: str) -> dict[str, str]:
    return row(ID=f"sample-{number}", Text=f"Ada Vale met Ruth Pym in Kew. She waved {number}.", **columns) | {
        "Pronoun-offset": "30"
    }


@pytest.fixture
def gap(tmp_path: Path) -> Path:
    """Validation: instance 1 (A) and 2 (A); test: instance 3 (B) and 4 (neither)."""
    write_gap(tmp_path / "gap/gap-validation.tsv", numbered(1), numbered(2))
    write_gap(
        tmp_path / "gap/gap-test.tsv",
        numbered(3, A_coref="FALSE", B_coref="TRUE"),
        numbered(4, A_coref="FALSE", B_coref="FALSE"),
    )
    return tmp_path


@pytest.fixture
def reader(gap: Path) -> ByHand:
    return ByHand([*read_gap(gap, "validation"), *read_gap(gap, "test")])


def test_the_links_come_from_the_logs(gap: Path, reader: ByHand) -> None:
    instances = read_gap(gap, "test")
    read_by, links = link_probabilities(reader.logs([instance.text for instance in instances]), instances)
    np.testing.assert_allclose(links, [LINKS["3"], LINKS["4"]], rtol=1e-6)
    assert read_by == "token"


def test_links_are_those_that_people_are_found_with_where_asked_for(gap: Path, reader: ByHand) -> None:
    class Finding(ByHand):
        def people_logs(self, texts: Sequence[str], *, cells: int | None = None) -> Iterator[MemoryLog]:
            logs = self.logs(texts, cells=cells)
            return (replace(log, read_by="mention", mentions=LogMentions.of([])) for log in logs)

    finding = Finding(list(reader.instances.values()))
    assert evaluate_gap(finding, gap, "test", cells=4, by_mention=True).read_by == "mention"
    assert evaluate_gap(finding, gap, "test").read_by == "token"
    assert finding.cells == [4, None]


def test_the_threshold_comes_from_validation(gap: Path, reader: ByHand) -> None:
    # Validation: true links at 0.75 and 0.5, false ones at 0.25 and 0.125: the first
    # threshold that parts them is 0.26. Test, at 0.26: B of 3 (right), A and B of 4
    # (wrong): P = 1/3, R = 1, F1 = 1/2.
    run = evaluate_gap(reader, gap, "test")
    assert (run.threshold, run.validation_f1) == (0.26, 100.0)
    np.testing.assert_array_equal(run.predicted, [[False, True], [True, True]])
    assert run.score.overall.f1 == pytest.approx(50.0)
    assert [instance.id for instance in run.instances] == ["sample-3", "sample-4"]


def test_validation_itself_is_read_once(gap: Path, reader: ByHand) -> None:
    read: list[tuple[int, int]] = []
    run = evaluate_gap(reader, gap, "validation", report=lambda done, whole: read.append((done, whole)))
    assert read == [(1, 2), (2, 2)]
    assert run.score.overall.f1 == 100.0


def test_instances_can_be_transformed(gap: Path) -> None:
    # Told of Bert in place of Ruth, at the same places: the links, and so the scores, are those of the originals.
    def of_bert(instance: GapInstance) -> GapInstance:
        return replace(instance, text=instance.text.replace("Ruth", "Bert"), gender="masculine")

    validation, test = read_gap(gap, "validation"), read_gap(gap, "test")
    reader = ByHand([*validation, *map(of_bert, [*validation, *test])])
    run = evaluate_gap(reader, gap, "test", transform=of_bert)
    assert (run.threshold, run.score.overall.f1) == (0.26, pytest.approx(50.0))
    assert all("Bert" in instance.text for instance in run.instances)
    assert run.score.feminine.f1 == 0.0
    again = evaluate_gap(reader, gap, "validation", transform=of_bert)  # beside the validation texts as they are
    assert (len(again.instances), again.score.overall.f1) == (2, 100.0)


def test_a_run_as_json_has_the_fields_of_the_schema(gap: Path, reader: ByHand) -> None:
    assert gap_run_as_json(evaluate_gap(reader, gap, "test")) == {
        "schema": "petra.evaluation/1",
        "model": "by-hand",
        "split": "test",
        "read_by": "token",
        "threshold": 0.26,
        "f1": pytest.approx(50.0),
        "precision": pytest.approx(100 / 3),
        "recall": 100.0,
        "masculine_f1": 0.0,
        "feminine_f1": pytest.approx(50.0),
        "bias": 0.0,
        "instances": 2,
        "at_most_one_f1": pytest.approx(200 / 3),  # of 4 only one name is said now: P = 1/2, R = 1
    }


def test_people_are_counted_by_their_overwrites(tmp_path: Path, reader: ByHand) -> None:
    # Every log writes two people with probability 1, so every threshold counts two.
    # True counts 2, 3, 5: errors 0 + 1 + 3, at any threshold.
    texts = list(reader.instances)[:3]
    rows = [f"{i}\t{text}\t{count}\t" for i, (text, count) in enumerate(zip(texts, (2, 3, 5), strict=True))]
    (tmp_path / "gap/num_people.tsv").write_text("\n".join(["ID\tText\tCount\tAdditional comments", *rows]))
    run = evaluate_count(reader, tmp_path)
    assert count_run_as_json(run) == {
        "schema": "petra.evaluation/1",
        "model": "by-hand",
        "error_best": 4,
        "threshold_best": 0.01,
        "error_two_fold": 4,
        "documents": 3,
        "baselines": {
            "documents": 3,
            "best_constant": 3,
            "error_best_constant": 3,
            "error_constant_two_fold": 4,  # 2 chosen for 3, and 3 for 2 and 5
            "error_names": None,  # there is no list of first names
        },
    }
