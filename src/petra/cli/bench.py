"""``petra bench``: speed and memory on this machine."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from petra.cli.console import progress, remark, show, show_json
from petra.cli.loading import load_tracker
from petra.cli.options import BackendOption, CellsOption, DeviceOption, JsonOption, ModelOption, ThreadsOption

if TYPE_CHECKING:
    from rich.table import Table

    from petra.bench.growth import Growth
    from petra.bench.memory import BenchResult
    from petra.bench.stages import StageSpeeds


def bench(
    model: ModelOption = None,
    text: Annotated[
        Path | None,
        typer.Option("--text", metavar="FILE", help="Text whose beginning is read (default: a built-in one)."),
    ] = None,
    cells: CellsOption = None,
    device: DeviceOption = None,
    backend: BackendOption = None,
    threads: ThreadsOption = None,
    compare: Annotated[
        bool, typer.Option("--compare/--no-compare", help="Time every back end that is installed.")
    ] = True,
    is_long: Annotated[
        bool, typer.Option("--long", help="Let the text grow to 1,000,000 tokens; takes an hour with a CPU.")
    ] = False,
    cold: Annotated[bool, typer.Option("--cold", help="Time `petra track` of a short text from its start.")] = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the JSON to a file as well.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Time the stages of reading, the encoder's back ends, and growth with the text, all in one run."""
    from petra.text.source import read_text

    given = None if text is None else read_text(text)
    tracker = load_tracker(model, device, backend=backend, threads=threads)

    from petra.bench.growth import LENGTHS, LONG_LENGTHS, cold_start, measure_growth
    from petra.bench.memory import measure
    from petra.bench.race import PARAGRAPH, beginning
    from petra.bench.stages import measure_stages
    from petra.memory.network import Network
    from petra.trained import load_trained
    from petra.training.results import hardware

    words = PARAGRAPH if given is None else beginning(given, tracker.encoder.tokenizer)
    # First, while the peak of memory is that of reading alone.
    with progress("Reading longer and longer texts") as report:
        growth = measure_growth(tracker, words, lengths=LONG_LENGTHS if is_long else LENGTHS, report=report)
    with progress("Timing the stages") as report:
        backends = None if compare else [tracker.encoder.backend.name]
        stages = measure_stages(load_trained(model), tracker, words, backends=backends, report=report)
    memory = None
    if isinstance(tracker.network, Network):
        with progress("Timing the memory") as report:
            memory = measure(tracker, words, cells=cells, report=report)
    seconds = cold_start(model, "--backend", stages.backend) if cold else None
    result = {
        **_as_json(stages, memory, growth, seconds),
        "hardware": f"{hardware(tracker.encoder.device)}, {os.cpu_count()} cores",
    }
    if out is not None:
        from petra.runtime.files import write_atomically

        write_atomically(out, (json.dumps(result, indent=2) + "\n").encode())
        remark(f"Written to {out}.")
    if as_json:
        show_json(result)
        return
    show(stages_table(stages))
    if memory is not None:
        show(memory_table(memory))
    remark(f"Time grows with the text's length to the power of {growth.exponent:.2f}.")
    if seconds is not None:
        remark(f"A short text took {seconds:.1f} s from the start of the program.")


def _as_json(
    stages: StageSpeeds, memory: BenchResult | None, growth: Growth, cold_seconds: float | None
) -> dict[str, Any]:
    """All results as one object of the schema ``petra.bench/1``."""
    from petra.bench.memory import SCHEMA

    return {
        "schema": SCHEMA,
        **({} if memory is None else memory.to_dict()),
        "stages": stages.to_dict(),
        "growth": growth.to_dict(),
        "cold_start_seconds": None if cold_seconds is None else round(cold_seconds, 2),
    }


def stages_table(result: StageSpeeds) -> Table:
    from rich.table import Table

    title = f"{result.model}: {result.tokens:,} tokens, windows of {result.window} with margins of {result.margin}, "
    table = Table("", "Tokens a second", "Times the plain encoder", title=f"{title}{result.threads} threads")
    table.title_justify = "left"
    for column in table.columns[1:]:
        column.justify = "right"

    def add(what: str, speed: float, *, end_section: bool = False) -> None:
        table.add_row(what, f"{speed:,.0f}", f"{speed / result.plain_encoder:.2f}", end_section=end_section)

    add("encoder, plain forward, float32", result.plain_encoder)
    for name, speed in result.encoders.items():
        add(f"encoder, {name}", speed, end_section=name == list(result.encoders)[-1])
    for name, speed in result.stages.items():
        add(name.replace("_", " "), speed, end_section=name == "after_encoder")
    add(f"end to end, {result.backend}", result.end_to_end)
    add("end to end, texts of 40 words", result.short_texts)
    return table


def memory_table(result: BenchResult) -> Table:
    from rich.table import Table

    title = f"The memory: {result.tokens:,} tokens, {result.cells} cells"
    table = Table("", "Tokens a second", "Times the plain loop", title=title, title_justify="left")
    for column in table.columns[1:]:
        column.justify = "right"
    for what, speed in (
        ("plain per-token loop", result.plain),
        ("every token", result.exact),
        (f"{result.read_share:.0%} of the tokens", result.skipping),
    ):
        table.add_row(what, f"{speed:,.0f}", f"{result.times_plain(speed):.1f}")
    table.caption = f"Ten times the text, streamed, takes {result.peak_ratio:.2f} times the memory."
    table.caption_justify = "left"
    return table
