"""The tables of the study: our numbers, with the published ones beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from petra.config import Variant
from petra.publication.tables import Table, TableColumn, Value, to_csv
from petra.reproduction.analysis import DEGENERATE, at_best_size, cell_use, correlation, cost, degenerate_runs
from petra.reproduction.findings import findings
from petra.reproduction.published import GAP_TEST, GAP_TEST_OTHERS, KL, MODEL_TITLES, SPEARMAN
from petra.reproduction.results import Measure, Results
from petra.reproduction.sections import SECTIONS

_WHO = (TableColumn("Encoder"), TableColumn("Model"))


def findings_table(studies: Sequence[Results]) -> Table:
    """The paper's findings and our verdicts; of a grid made several times over all its runs."""
    rows = [
        (study.title, finding.statement, finding.verdict, finding.evidence)
        for study in studies
        if not study.name
        for finding in findings(study)
    ]
    columns = (TableColumn("Encoder"), TableColumn("The paper finds"), TableColumn("Here"), TableColumn("Evidence"))
    return _table("findings", columns, rows)


def gap_test_table(studies: Sequence[Results]) -> Table:
    """Test F1 of each model at its best size, with the gender split and the published F1."""
    rows: list[tuple[Value, ...]] = []
    for study, model in _models(studies):
        best = at_best_size(study, model)
        cells = best.cells if best else None
        runs = study.at(model, cells) if cells else ()
        genders = [study.mean(model, cells or 0, measure) for measure in ("masculine_f1", "feminine_f1", "bias")]
        rows.append(
            (
                study.title,
                MODEL_TITLES[model],
                best and best.test_f1,
                cells,
                len(runs),
                sum(run.collapsed for run in runs),
                *(mean and mean.mean for mean in genders),
                *GAP_TEST[model],
            )
        )
    unknown: tuple[None, ...] = (None,) * 7
    rows += [("published", name, *unknown, *numbers) for name, numbers in GAP_TEST_OTHERS.items()]
    ours = (
        TableColumn("F1"),
        TableColumn("Cells"),
        TableColumn("Runs"),
        TableColumn("Collapsed"),
        TableColumn("M"),
        TableColumn("F"),
    )
    columns = (*_WHO, *ours, TableColumn("Bias", 2), TableColumn("Paper, BERT base"), TableColumn("Paper, BERT large"))
    notes = (
        "F1 in percent, mean ± standard deviation over the runs with the number of cells that has the highest mean "
        "validation F1. M and F: texts with masculine and with feminine pronouns; bias is F / M.",
    )
    return _table("gap-test", columns, rows, notes)


def validation_table(studies: Sequence[Results]) -> Table:
    """Validation F1 by the number of cells."""
    notes = ("F1 in percent, mean ± standard deviation over runs. The paper has this as a figure, without numbers.",)
    return _by_cells("validation-f1", studies, "validation_f1", notes)


def counting_table(studies: Sequence[Results]) -> Table:
    """Counting error by the number of cells."""
    notes = (
        "People counted too many or too few over the annotated texts, mean ± standard deviation over runs, at the best "
        "threshold for these texts, as in the paper, which has this as a figure without numbers. Counted in the log of "
        "tokens; the counts of models with a span head are of mentions, and no fair comparison.",
    )
    return _with_baselines(
        _by_cells("counting-error", studies, "count_error_best", notes), studies, "error_best_constant"
    )


def two_fold_counting_table(studies: Sequence[Results]) -> Table:
    """Counting error by the number of cells, with thresholds from other texts."""
    notes = ("The same with the threshold chosen on one half of the texts and the error measured on the other.",)
    table = _by_cells("counting-error", studies, "count_error_two_fold", notes)
    table = _with_baselines(table, studies, "error_constant_two_fold")
    return Table(
        name="counting-error-two-fold",
        title="The same, two-fold",
        columns=table.columns,
        rows=table.rows,
        notes=table.notes,
    )


def correlation_table(studies: Sequence[Results]) -> Table:
    """Spearman's correlation of validation F1 with the negative counting error."""
    rows = [
        (
            study.title,
            MODEL_TITLES[model],
            correlation(study, model),
            correlation(study, model, with_collapsed=False),
            len(study.at(model)),
            *SPEARMAN[model],
        )
        for study, model in _models(studies)
    ]
    ours = (TableColumn("Spearman", 2), TableColumn("Without collapsed runs", 2), TableColumn("Runs"))
    columns = (*_WHO, *ours, TableColumn("Paper, BERT base", 2), TableColumn("Paper, BERT large", 2))
    return _table("correlation", columns, rows)


def cell_use_table(studies: Sequence[Results]) -> Table:
    """How far the overwrite distribution is from uniform."""
    rows = [
        (
            study.title,
            MODEL_TITLES[model],
            *(cell_use(study, model) or (None, None, 0)),
            degenerate_runs(study, model),
            len(study.at(model)),
            *KL[model],
        )
        for study, model in _models(studies)
    ]
    divergences = (TableColumn("KL, best runs", 2), TableColumn("KL, worst runs", 2), TableColumn("Sizes"))
    ours = (*divergences, TableColumn("Degenerate"), TableColumn("Runs"))
    columns = (*_WHO, *ours, TableColumn("Paper, best", 2), TableColumn("Paper, worst", 2))
    notes = (
        "KL divergence, in nats, of the average overwrite distribution over cells from the uniform one, for the best "
        "and the worst run of each size by validation F1, averaged over sizes. Degenerate: runs that put more than "
        f"{DEGENERATE:.0%} of all that they write into one cell. They stay in every number.",
    )
    return _table("cell-use", columns, rows, notes)


def cost_table(studies: Sequence[Results]) -> Table:
    """Parameters and training times."""
    rows: list[tuple[Value, ...]] = []
    for study, model in _models(studies):
        found = cost(study, model)
        own = found or (None,) * 6
        rows.append((study.title, MODEL_TITLES[model], *own))
    columns = (
        *_WHO,
        TableColumn("Parameters, fewest cells"),
        TableColumn("most cells"),
        TableColumn("Epochs a run"),
        TableColumn("Seconds, all runs"),
        TableColumn("Seconds an epoch and model", 3),
        TableColumn("Hardware"),
    )
    notes = ("Parameters of the memory model alone; the encoder is frozen. Runs train side by side.",)
    return _table("cost", columns, rows, notes)


def runs_csv(studies: Sequence[Results]) -> str:
    """Every run with its numbers, one a line."""
    heads: list[str] = []
    lines = []
    for study in studies:
        for record in () if study.parts else study.records:  # the parts have them
            values: dict[str, Any] = {"grid": study.name} if study.name else {}
            values |= {
                name: value
                for name, value in record.to_dict().items()
                if not isinstance(value, (list, tuple)) and name not in ("schema", "recipe", "command")
            }
            heads = heads or list(values)
            lines.append([values[name] for name in heads])
    return to_csv([heads, *lines])


TABLES: Final[Mapping[str, Sequence[Callable[[Sequence[Results]], Table]]]] = {
    "findings": (findings_table,),
    "gap-test": (gap_test_table,),
    "validation-f1": (validation_table,),
    "counting-error": (counting_table, two_fold_counting_table),
    "correlation": (correlation_table,),
    "cell-use": (cell_use_table,),
    "cost": (cost_table,),
}


def _models(studies: Sequence[Results]) -> Iterator[tuple[Results, Variant]]:
    for study in studies:
        for model in study.models:
            yield study, model


def _by_cells(name: str, studies: Sequence[Results], measure: Measure, notes: tuple[str, ...]) -> Table:
    models = tuple(dict.fromkeys(model for _, model in _models(studies)))
    rows = [
        (study.title, cells, *(study.mean(model, cells, measure) for model in models))
        for study in studies
        for cells in study.cells
    ]
    columns = (TableColumn("Encoder"), TableColumn("Cells"), *(TableColumn(MODEL_TITLES[model]) for model in models))
    return _table(name, columns, rows, notes)


def _with_baselines(table: Table, studies: Sequence[Results], constant: str) -> Table:
    """The table with two columns for what counting costs without a model, where that is known."""
    baselines = studies[0].baselines
    if baselines is None:
        return table
    columns = (TableColumn(f"Always {baselines.best_constant}"), TableColumn("Names once"))
    costs = (getattr(baselines, constant), baselines.error_names)
    note = (
        "Without a model: the best constant, and each name counted once "
        "(petra.evaluation.count_baselines). Above the constant a model tells nothing of how many people there are."
    )
    return replace(
        table,
        columns=(*table.columns, *columns),
        rows=tuple((*row, *costs) for row in table.rows),
        notes=(*table.notes, note),
    )


def _table(
    name: str, columns: tuple[TableColumn, ...], rows: Sequence[tuple[Value, ...]], notes: tuple[str, ...] = ()
) -> Table:
    return Table(name=name, title=SECTIONS[name], columns=columns, rows=tuple(rows), notes=notes)
