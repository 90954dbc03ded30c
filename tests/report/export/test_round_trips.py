"""No format loses an offset: 200 random texts, written and read back by other readers."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from functools import cache

import pytest
from export_readers import (
    read_booknlp,
    read_brat,
    read_conll2012,
    read_corefud,
    read_tei,
    read_webanno,
)
from random_tracked import random_tracked

from petra.report.export.format import format_names
from petra.report.export.stored import tracked_from_json
from petra.report.export.tracked import TrackedText
from petra.report.export.xml import allowed

TEXTS = 200


@cache
def tracked_texts() -> list[TrackedText]:
    return [random_tracked(seed) for seed in range(TEXTS)]


def mentions(tracked: TrackedText) -> list[tuple[int, int, int]]:
    return sorted((it.start, it.end, person.id) for person in tracked.people for it in person.mentions)


def parts(tracked: TrackedText) -> list[tuple[int, int, int | None]]:
    return [(start, end, it.speaker) for it in tracked.quotations for start, end in it.parts]


def read_separated(content: str, separator: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content, newline=""), delimiter=separator, strict=True))


def check_separated(tracked: TrackedText, name: str, separator: str) -> None:
    files = tracked.export(name)
    rows = read_separated(files[f".{name}"], separator)
    assert [(int(row["start"]), int(row["end"]), int(row["person"])) for row in rows] == mentions(tracked)
    assert all(tracked.text[int(row["start"]) : int(row["end"])] == row["text"] for row in rows)
    people = read_separated(files[f".people.{name}"], separator)
    assert [(int(row["id"]), row["name"]) for row in people] == [(person.id, person.name) for person in tracked.people]
    quotations = read_separated(files[f".quotations.{name}"], separator)
    assert [row["parts"] for row in quotations] == [
        " ".join(f"{start}-{end}" for start, end in it.parts) for it in tracked.quotations
    ]
    assert [row["speaker"] for row in quotations] == [str(it.speaker or "") for it in tracked.quotations]


def check_jsonl(tracked: TrackedText) -> None:
    (line, nothing) = tracked.to_jsonl().split("\n")
    assert nothing == ""
    values = json.loads(line)
    read = tracked_from_json(values, values["text"])
    assert read.text == tracked.text
    assert read.people == tracked.people
    assert read.quotations == tracked.quotations


def check_corefud(tracked: TrackedText) -> None:
    text, found, sentences = read_corefud(tracked.to_corefud())
    assert text == (tracked.text if tracked.text.strip() else "")
    assert found == mentions(tracked)
    assert all(comment == shown for comment, shown in sentences)


def check_brat(tracked: TrackedText) -> None:
    files = tracked.to_brat()
    found, quotations = read_brat(files[".ann"], files[".txt"])
    assert files[".txt"] == tracked.text
    assert found == mentions(tracked)
    assert [(spans[0][0], spans[-1][1], speaker, addressee) for spans, speaker, addressee in quotations] == [
        (it.start, it.end, it.speaker, it.addressee) for it in tracked.quotations
    ]


def check_tei(tracked: TrackedText) -> None:
    text, found, said = read_tei(tracked.to_tei())
    assert text == allowed(tracked.text)
    assert found == mentions(tracked)
    covered = {place for start, end, _ in parts(tracked) for place in range(start, end)}
    blank = {place for place, character in enumerate(text) if character in " \t\r\n"}
    assert {place for _, start, end, _ in said for place in range(start, end)} - blank == covered - blank
    assert {(start, who) for _, start, _, who in said} >= {
        (start, None if speaker is None else f"#p{speaker}") for start, _, speaker in parts(tracked)
    }


def check_booknlp(tracked: TrackedText) -> None:
    found, quotations = read_booknlp(dict(tracked.to_booknlp()))
    assert found == mentions(tracked)
    assert quotations == parts(tracked)


CHECKS: dict[str, Callable[[TrackedText], None]] = {
    "csv": lambda tracked: check_separated(tracked, "csv", ","),
    "tsv": lambda tracked: check_separated(tracked, "tsv", "\t"),
    "jsonl": check_jsonl,
    "conll2012": lambda tracked: _equal(read_conll2012(tracked.to_conll2012(), tracked.text), tracked),
    "corefud": check_corefud,
    "brat": check_brat,
    "webanno": lambda tracked: _equal(read_webanno(tracked.to_webanno(), tracked.text), tracked),
    "tei": check_tei,
    "booknlp": check_booknlp,
}
WITHOUT_OFFSETS = {"graphml", "gexf", "resolved"}


def _equal(found: list[tuple[int, int, int]], tracked: TrackedText) -> None:
    assert found == mentions(tracked)


@pytest.mark.parametrize("name", CHECKS)
def test_no_offset_is_lost(name: str) -> None:
    for tracked in tracked_texts():
        CHECKS[name](tracked)


def test_every_format_with_offsets_is_checked() -> None:
    assert set(format_names()) == set(CHECKS) | WITHOUT_OFFSETS


def test_the_texts_hold_what_is_hard() -> None:
    texts = tracked_texts()
    everything = "".join(tracked.text for tracked in texts)
    assert all(mark in everything for mark in ("\r\n", "\t", '"', "<b>", "👩‍👧", "e\u0301", "\x00"))
    assert any(tracked.text == "" for tracked in texts)
    spans = [mentions(tracked) for tracked in texts]
    assert any(a[0] < b[0] < a[1] < b[1] for found in spans for a in found for b in found)  # crossing
    assert any(a[0] < b[0] and b[1] < a[1] for found in spans for a in found for b in found)  # nested
    assert any(len(it.parts) > 1 for tracked in texts for it in tracked.quotations)
