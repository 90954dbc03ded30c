"""The report of a study: every published number beside ours, and in words where they agree and where not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from petra.publication.documents import Block, Bullets, Heading, Item, Paragraph, Picture
from petra.reproduction.comparisons import cell_use_words, correlation_words, cost_words, gap_test_words
from petra.reproduction.findings import findings
from petra.reproduction.paper_tables import TABLES
from petra.reproduction.results import Results
from petra.reproduction.sections import SECTIONS
from petra.reproduction.words import listed

_COLLAPSED = (
    "A run is marked as collapsed if its best validation F1 is not more than one point above what calling every link "
    "true gives. Collapsed runs stay in every number, unless a column says otherwise."
)
_WORDS: Final[Mapping[str, Callable[[Results], list[Item]]]] = {
    "gap-test": gap_test_words,
    "correlation": correlation_words,
    "cell-use": cell_use_words,
    "cost": cost_words,
}
_PICTURES: Final[Mapping[str, str]] = {
    "validation-f1": "Mean F1 on GAP validation against the number of memory cells, one line a model",
    "counting-error": "Mean error in counting people against the number of memory cells, one line a model",
}


def report(studies: Sequence[Results], pictures: Mapping[str, bytes]) -> list[Block]:
    """The report, with the pictures (SVG) that there are by their names."""
    encoders = listed(list(dict.fromkeys(study.encoder for study in studies)))
    blocks: list[Block] = [
        Heading(1, f"The study of the PeTra paper with {encoders}"),
        Paragraph(
            "Every table and figure of the results section of PeTra: A Sparsely Supervised Memory Model for People "
            "Tracking (Toshniwal, Ettinger, Gimpel, Livescu, ACL 2020), made again, with the published numbers beside "
            f"ours. The paper's encoders are BERT base and BERT large; here: {encoders}. So numbers need not be the "
            "same, but what follows from them should be."
        ),
        *_state(studies),
        *_findings(studies),
    ]
    for name, title in SECTIONS.items():
        if name != "findings":
            blocks += _section(name, title, studies, pictures)
    return [*blocks, *_collapsed(studies), *_settings(studies)]


def _state(studies: Sequence[Results]) -> Iterator[Block]:
    """How complete the study is."""
    items = []
    for study in studies:
        made, whole = len(study.records), len(study.grid.runs) * max(1, len(study.parts))
        text = f"{made} of {whole} runs, {len(study.collapsed)} of them collapsed."
        if study.missing:
            text += f" Missing: {_some([run.label for run in study.missing])}."
        if study.is_partial:
            text += " Only a part of GAP was used: these numbers are not comparable with the paper's."
        items.append(Item(f"{study.title}:", text))
    yield Bullets(tuple(items))
    yield Paragraph(_COLLAPSED)


def _findings(studies: Sequence[Results]) -> Iterator[Block]:
    yield Heading(2, SECTIONS["findings"])
    yield Paragraph(
        "A difference counts if it is larger than two standard errors; a lead that is not is left to chance. "
        "Differences are taken before rounding. Where a grid was made several times, all runs are judged together, and "
        "the error of a mean is the larger of two: that of its runs, and that of the grids' means."
    )
    for study in studies:
        if study.name:  # its verdicts stand beside those over all runs
            continue
        checked = findings(study)
        count = sum(finding.verdict == "supported" for finding in checked)
        yield Heading(3, f"{study.title}: {count} of {len(checked)} supported")
        yield Bullets(
            tuple(
                Item(
                    f"{finding.statement} {finding.verdict.capitalize()}.",
                    f"{finding.evidence} Paper: {finding.published}",
                )
                for finding in checked
            )
        )


def _section(name: str, title: str, studies: Sequence[Results], pictures: Mapping[str, bytes]) -> Iterator[Block]:
    yield Heading(2, title)
    if name in pictures:
        yield Picture(f"figures/{name}.svg", _PICTURES[name], pictures[name])
    for index, table in enumerate(make(studies) for make in TABLES[name]):
        if index:
            yield Heading(3, table.title)
        yield table
    for study in studies:
        items = _WORDS[name](study) if name in _WORDS else []
        if items:
            if len(studies) > 1:
                yield Heading(3, study.title)
            yield Bullets(tuple(items))


def _collapsed(studies: Sequence[Results]) -> Iterator[Block]:
    items = []
    for record in (record for study in studies if not study.name for record in study.collapsed):
        run = record.measured
        text = f"validation F1 {run.validation_f1:.1f} at epoch {run.best_epoch} of {run.epochs}; "
        text += f"calling every link true gives {run.always_coreferent_f1:.1f}."
        items.append(Item(f"{record.run.label}:", text))
    if items:
        yield Heading(2, "Collapsed runs")
        yield Bullets(tuple(items))


def _settings(studies: Sequence[Results]) -> Iterator[Block]:
    yield Heading(2, "How this was made")
    items = []
    for study in studies:
        if study.parts:  # each of them is listed
            continue
        layers = ", ".join(map(str, study.grid.recipes[0].encoder.layers))
        hardware = listed(sorted({record.measured.hardware for record in study.records}))
        commands = sorted({record.measured.command for record in study.records} - {""})
        noise = "of 1 - u and noise" if study.grid.recipes[0].training.tempered_noise else "as printed"
        text = f"{study.grid.encoder}, frozen, layers {layers}; recipe {study.grid.name} (temperature of equation 6 "
        text += f"{noise}); hardware: {hardware}"
        items.append(Item(f"{study.title}:", "; ".join([text, *commands]) + "."))
    yield Bullets(tuple(items))
    yield Paragraph(
        "Every number comes from the records in runs/, one JSON file a run with its whole recipe; runs.csv has them as "
        "a table, tables/ and figures/ what is shown here. The paper's human evaluation (PeTra preferred in 74 %, the "
        "Referential Reader in 8 %, neither in 18 % of cases) needs people and is no part of this study."
    )


def _some(labels: Sequence[str], at_most: int = 12) -> str:
    """The first of many, and how many more there are."""
    rest = len(labels) - at_most
    return ", ".join(labels[:at_most]) + (f" and {rest} more" if rest > 0 else "")
