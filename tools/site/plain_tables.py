"""The tables of docs/errors.md and docs/plain.md, from the records of ``petra evaluate plain --json``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, get_args

from records_pages import table

from petra.evaluation.plain.judging import Error

MODELS: Final = ("base", "small")


def plain_records(results: Path) -> dict[str, dict[str, Any]]:
    """The record of each model by its name, of those in a folder of results."""
    places = {model: results / f"plain-{model}.json" for model in MODELS}
    return {model: json.loads(place.read_text(encoding="utf-8")) for model, place in places.items()}


def right_table(records: Mapping[str, Mapping[str, Any]]) -> str:
    """What is right by tag of the short texts and by register of the longer ones."""
    first = next(iter(records.values()))
    rows = [_right("**short texts**", [record["short"] for record in records.values()])]
    rows += [_right(tag, [record["tags"][tag] for record in records.values()]) for tag in first["tags"]]
    rows.append(_right("**longer texts**", [record["long"] for record in records.values()]))
    rows += [_right(name, [record["registers"][name] for record in records.values()]) for name in first["registers"]]
    return table(["", *(f"`{model}` {what}" for model in records for what in ("pronouns", "names and nominals"))], rows)


def classes_table(records: Mapping[str, Mapping[str, Any]]) -> str:
    """The number of wrong mentions in each class."""
    counts = {
        model: Counter((wrong["error"], _is_short(wrong)) for wrong in records[model]["wrong"]) for model in records
    }
    rows = [
        [error, *(counts[model][error, short] for model in records for short in (True, False))]
        for error in get_args(Error)
    ]
    return table(["", *(f"`{model}` {which}" for model in records for which in ("short", "longer"))], rows)


def pronouns_table(record: Mapping[str, Any]) -> str:
    """The pronouns of the short texts that are wrong, by class: number of the text, word, and whom it was taken for."""
    found: dict[str, list[str]] = {}
    for wrong in record["wrong"]:
        if _is_short(wrong) and wrong["kind"] == "pronoun":
            found.setdefault(wrong["error"], []).append(
                f"{wrong['text']} *{wrong['words']}* ({wrong['person'] or '–'})"
            )
    return table(["", "pronouns"], ([error, ", ".join(found[error])] for error in get_args(Error) if error in found))


def scores_table(records: Mapping[str, Mapping[str, Any]]) -> str:
    """The scores of each model in a row."""
    head = ["", "pronouns, short", "names and nominals, short", "pronouns, longer", "names and nominals, longer"]
    rows = [
        [f"`{model}`"]
        + [f"{record[part][what]['percent']:.1f}" for part in ("short", "long") for what in _PARTS]
        + [f"{record['long'][key]:.1f}" for key in ("mention_f1", "conll")]
        for model, record in records.items()
    ]
    return table([*head, "mention F1", "CoNLL"], rows)


_PARTS: Final = ("pronouns", "names_and_nominals")


def _right(label: str, found: list[Mapping[str, Any]]) -> list[str]:
    shares = [scores[part] for scores in found for part in _PARTS]
    return [label, *(f"{share['percent']:.1f} ({share['right']}/{share['mentions']})" for share in shares)]


def _is_short(wrong: Mapping[str, Any]) -> bool:
    """Short texts have numbers, longer ones names."""
    return str(wrong["text"]).isdigit()
