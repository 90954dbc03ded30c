"""The table of docs/speed.md that is made of the records of `petra bench` in results/bench."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "speed.md"
RECORDS = ROOT / "results" / "bench"
MARKS = ("<!-- from results/bench -->\n", "<!-- to here -->\n")

Record = Mapping[str, Any]

_ROWS: tuple[tuple[str, Callable[[Record], object]], ...] = (
    ("back end", lambda it: it["stages"]["backend"]),
    ("threads", lambda it: it["stages"]["threads"]),
    ("plain encoder in float32, tokens a second", lambda it: _count(it, "plain_encoder")),
    ("end to end, tokens a second", lambda it: _count(it, "end_to_end")),
    ("end to end over the plain encoder", lambda it: it["stages"]["ratios"]["end_to_end_to_plain_encoder"]),
    ("after the encoder, tokens a second", lambda it: _count(it, "after_encoder")),
    ("time after the encoder, of the whole", lambda it: f"{it['stages']['ratios']['after_encoder_share']:.0%}"),
    ("time a token of texts of 40 words, over that of one text", lambda it: _ratio(it, "short_texts_time_to_one_text")),
    ("the memory, over the plain loop", lambda it: it["ratios"]["memory_to_plain"]),
    ("exponent of time over the length", lambda it: f"{it['growth']['exponent']:.2f}"),
    ("cold `petra track` of a short text, seconds", lambda it: it["cold_start_seconds"]),
)


def records() -> dict[str, Record]:
    """The records by model, and those of long texts by model and -long."""
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(RECORDS.glob("*.json"))}


def table(found: Mapping[str, Record]) -> str:
    """The figures of every model side by side, and of long texts where these were measured; nothing without records."""
    if not found:
        return ""
    models = [name for name in found if not name.endswith("-long")]
    lines = [
        "What it gave (results/bench):",
        "",
        f"| | {' | '.join(f'`{name}`' for name in models)} |",
        f"| --- |{' --- |' * len(models)}",
    ]
    for what, value in _ROWS:
        lines.append(f"| {what} | {' | '.join(str(value(found[name])) for name in models)} |")
    for name, record in found.items():
        if name.endswith("-long"):
            growth = record["growth"]
            shortest, longest = growth["tokens"][0], growth["tokens"][-1]
            lines += [
                "",
                f"`{name.removesuffix('-long')}` from {shortest:,} to {longest:,} tokens, streamed: "
                f"time grows with the exponent {growth['exponent']:.2f}, and the peak of memory at the longest is "
                f"{growth['peak_longest_to_one_before']:.2f} times that at a tenth of it.",
            ]
    machines = sorted({record["hardware"] for record in found.values()})
    return "\n".join([*lines, "", f"Measured on: {'; '.join(machines)}.", ""])


def with_table(page: str, made: str) -> str:
    """The page with the table between its marks."""
    before, rest = page.split(MARKS[0])
    _, after = rest.split(MARKS[1])
    return before + MARKS[0] + made + MARKS[1] + after


def _count(record: Record, what: str) -> str:
    return f"{record['stages']['tokens_per_second'][what]:,}"


def _ratio(record: Record, what: str) -> float:
    return float(record["stages"]["ratios"][what])


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), table(records())), encoding="utf-8")
