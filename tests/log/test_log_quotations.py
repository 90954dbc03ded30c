from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from written_logs import written_log

from petra.domain import Quotation
from petra.errors import LogError
from petra.log.memory_log import MemoryLog
from petra.log.mentions import LoggedMention, LogMentions
from petra.log.quotations import LoggedQuotation, LogQuotations
from petra.log.storage import load, save
from petra.people.finding import find_quotations

TEXT = "“Come,” said Ada, “now.” “Why?”"
MENTIONS = (LoggedMention(13, 16, "name", 0, 1, 0.9), LoggedMention(25, 26, "name", 0, 2, 0.9))
QUOTED = (
    LoggedQuotation(((0, 7), (18, 24)), 0, 1, "explicit", 0.75),
    LoggedQuotation(((25, 31),), None, 0, "implicit", 0.5),
)


def quoted_log(*quotations: LoggedQuotation) -> MemoryLog:
    log = dataclasses.replace(written_log(TEXT), mentions=LogMentions.of(MENTIONS))
    return dataclasses.replace(log, quotations=LogQuotations.of(quotations))


def test_rows_come_back_from_their_columns() -> None:
    assert tuple(LogQuotations.of(QUOTED)) == QUOTED
    assert tuple(LogQuotations.of(())) == ()


def test_speakers_are_the_people_of_their_mentions() -> None:
    first, second = find_quotations(quoted_log(*QUOTED))
    assert first == Quotation(0, 24, ((0, 7), (18, 24)), 1, 2, "explicit", 0.75, (13, 16), (25, 26))
    assert (second.speaker, second.addressee) == (None, 1)


def test_a_mention_that_moves_to_another_person_takes_its_quotation_along() -> None:
    mentions = LogMentions.of([MENTIONS[0], MENTIONS[1]._replace(person=1)])
    moved = dataclasses.replace(quoted_log(*QUOTED), mentions=mentions)
    assert [(each.speaker, each.addressee) for each in find_quotations(moved)] == [(1, 1), (None, 1)]


@pytest.mark.parametrize("quotations", [QUOTED, ()])
def test_a_log_read_back_has_the_same_quotations(quotations: tuple[LoggedQuotation, ...], tmp_path: Path) -> None:
    log = quoted_log(*quotations)
    save(log, tmp_path / "text.log")
    assert find_quotations(load(tmp_path / "text.log")) == find_quotations(log)


def test_a_log_without_quotations_is_read_as_before(tmp_path: Path) -> None:
    save(written_log(TEXT), tmp_path / "text.log")
    read = load(tmp_path / "text.log")
    assert read.quotations is None
    assert find_quotations(read) == ()


@pytest.mark.parametrize(
    "wrong",
    [
        QUOTED[0]._replace(parts=((0, 99),)),  # past the end of the text
        QUOTED[0]._replace(parts=((18, 24), (0, 7))),  # out of order
        QUOTED[0]._replace(speaker=2),  # no such mention
        QUOTED[0]._replace(probability=1.5),
    ],
)
def test_quotations_that_do_not_fit_the_text_are_refused(wrong: LoggedQuotation) -> None:
    with pytest.raises(LogError, match="do not fit its text"):
        quoted_log(wrong)


def test_columns_of_different_lengths_are_refused() -> None:
    quotations = dataclasses.replace(LogQuotations.of(QUOTED), speakers=np.zeros(1, dtype=np.int64))
    with pytest.raises(LogError, match="different lengths"):
        dataclasses.replace(quoted_log(), quotations=quotations)
