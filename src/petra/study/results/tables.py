"""The tables of a study's report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import median
from typing import Final

from petra.publication.tables import Table, TableColumn, Value
from petra.study.results.analysis import Analysis, Interval
from petra.study.study import Study

# The paper, table "Human Evaluation results" and the text below it, in percent.
PUBLISHED_PREFERENCES: Final = (74, 8, 18)  # PeTra, Referential Reader, neutral
PUBLISHED_AGREEMENT: Final = {"agree": 68, (0, 2): 24, (0, 1): 8}  # of two annotators, by their outcomes


def preference_table(study: Study, analysis: Analysis) -> Table:
    """How often each model was preferred."""
    rows: list[tuple[Value, ...]] = []
    for preference, name in zip(analysis.preferences, study.outcomes, strict=True):
        row: tuple[Value, ...] = (name, preference.count, *_interval(preference.percent))
        rows.append((*row, PUBLISHED_PREFERENCES[preference.outcome]) if study.is_paper else row)
    note = f"{len(analysis.judgements)} of {study.num_tasks} answers. The range is Wilson's, 95 %, over answers."
    return Table(
        name="preferences",
        title="Preferences",
        columns=_columns("Preferred", "Answers", "Percent", "From", "To", *["Paper"] * study.is_paper),
        rows=tuple(rows),
        notes=(note,),
    )


def difference_table(study: Study, analysis: Analysis) -> Table:
    """By how much one model is preferred over another."""
    return Table(
        name="differences",
        title="Leads",
        columns=_columns("Model", "Over", "Points of percent", "From", "To"),
        rows=tuple(
            (study.outcomes[each.model], study.outcomes[each.other], *_interval(each.points))
            for each in analysis.differences
        ),
        notes=("The range is that of a bootstrap over documents, 95 %: answers to one document go together.",),
    )


def agreement_table(study: Study, analysis: Analysis) -> Table:
    """The agreement matrix."""
    return Table(
        name="agreement-matrix",
        title="Agreement matrix",
        columns=_columns("Earlier round", *study.outcomes),
        rows=tuple(
            (name, *map(int, row)) for name, row in zip(study.outcomes, analysis.agreement.tolist(), strict=True)
        ),
        notes=("Documents by the answer in an earlier round (rows) and in a later one (columns).",),
    )


def agreement_summary(study: Study, analysis: Analysis) -> Table:
    """How often the annotators of a document agree, and between what they do not."""

    def rows() -> Iterator[tuple[Value, ...]]:
        yield row("agree", analysis.num_agreeing, PUBLISHED_AGREEMENT["agree"])
        for one, other in combinations(range(len(study.outcomes)), 2):
            words = f"{study.outcomes[one]} or {study.outcomes[other]}"
            yield row(words, analysis.disagreeing(one, other), PUBLISHED_AGREEMENT.get((one, other), 0))

    def row(words: str, count: int, published: int) -> tuple[Value, ...]:
        percent = 100 * count / analysis.num_compared if analysis.num_compared else None
        return (words, count, percent, published) if study.is_paper else (words, count, percent)

    return Table(
        name="agreement",
        title="Agreement",
        columns=_columns("Two annotators", "Documents", "Percent", *["Paper"] * study.is_paper),
        rows=tuple(rows()),
    )


def document_table(study: Study, analysis: Analysis) -> Table:
    """The outcome of every document, by round."""
    rounds = sorted({annotator.round for annotator in study.annotators})
    found = {(each.document, each.round): study.outcomes[each.outcome] for each in analysis.judgements}
    return Table(
        name="documents",
        title="Documents",
        columns=_columns("Document", *(f"Round {number + 1}" for number in rounds)),
        rows=tuple(
            (name, *(found.get((document, number)) for number in rounds))
            for document, name in enumerate(study.documents)
        ),
    )


def progress_table(study: Study, analysis: Analysis) -> Table:
    """How far each annotator is, and how long they take."""
    given: dict[int, list[int | None]] = {annotator.number: [] for annotator in study.annotators}
    for each in analysis.judgements:
        given[each.annotator].append(each.answer.seconds)
    return Table(
        name="annotators",
        title="Annotators",
        columns=_columns("Annotator", "Round", "Answers", "Of", "Seconds an answer", "Minutes in all"),
        rows=tuple(
            (
                annotator.number,
                annotator.round + 1,
                len(given[annotator.number]),
                len(annotator.tasks),
                *_times(given[annotator.number]),
            )
            for annotator in study.annotators
        ),
        notes=("Seconds an answer: the median of the time that a document was in sight until its answer stood.",),
    )


def _times(seconds: Sequence[int | None]) -> tuple[Value, Value]:
    """The median and the sum, in minutes, of the times that are known."""
    known = [each for each in seconds if each is not None]
    return (float(median(known)), sum(known) / 60) if known else (None, None)


def answer_rows(study: Study, analysis: Analysis) -> list[list[object]]:
    """Every answer in full, under a row of headings, for a spreadsheet."""
    heads = ["annotator", "round", "place", "document", "shown", "choice", "preferred", "comment", "version", "at"]
    heads.append("seconds")
    heads += ["score"] if len(study.models) == 2 else []
    rows: list[list[object]] = [list(heads)]
    for each in analysis.judgements:
        task = study.annotators[each.annotator - 1].tasks[each.answer.place]
        shown = ", ".join(
            f"{label} = {study.models[model].name}" for label, model in zip(task.choices, task.order, strict=False)
        )
        row = [each.annotator, each.round + 1, each.answer.place + 1, study.documents[each.document], shown]
        row += [each.answer.choice, study.outcomes[each.outcome], _as_words(each.answer.comment), each.answer.version]
        row += [each.answer.answered_at.isoformat(timespec="seconds"), each.answer.seconds]
        rows.append([*row, (1, -1, 0)[each.outcome]] if len(study.models) == 2 else row)
    return rows


def _columns(*titles: str) -> tuple[TableColumn, ...]:
    return tuple(TableColumn(title) for title in titles)


def _interval(interval: Interval | None) -> tuple[Value, Value, Value]:
    return (None, None, None) if interval is None else (interval.value, interval.low, interval.high)


def _as_words(comment: str) -> str:
    """A comment that no spreadsheet takes for a formula."""
    return f"'{comment}" if comment.startswith(("=", "+", "-", "@", "\t", "\r")) else comment
