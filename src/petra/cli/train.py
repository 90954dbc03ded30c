"""``petra train``: models from a recipe."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from petra.cli.console import remark, show, show_json
from petra.cli.options import DataOption, DeviceOption, JsonOption

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from petra.training.objective import Hooks


def train(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for the models, metrics and checkpoint.")],
    recipe: Annotated[
        Path | None, typer.Argument(metavar="[RECIPE]", help="A recipe, as in recipes/.", show_default=False)
    ] = None,
    annotations: Annotated[
        Path | None,
        typer.Option(
            "--annotations", metavar="DIR", help="Let a model learn from texts that you annotated, instead of a recipe."
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", "-m", help="Model that learns from --annotations (default: base).")
    ] = None,
    seeds: Annotated[str | None, typer.Option("--seeds", help="Seeds instead of the recipe's, as 1,2,3.")] = None,
    stage: Annotated[str | None, typer.Option("--stage", help="Run only this stage of a recipe with stages.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint in --out.")] = False,
    test: Annotated[
        bool, typer.Option("--test", help="Score the test split at the end; do so once, for a final record.")
    ] = False,
    device: DeviceOption = None,
    data: DataOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train the seeds of a recipe, stage by stage.

    Each seed is kept at its best validation epoch, as a model folder that
    `petra track --model` reads; one that is in --out already is not trained again. Ctrl-C
    loses no more than the epoch it falls into. Seeds of a recipe with frozen features learn
    side by side, those of a recipe with an adapter one after the other; of several that began with
    one model the mean is made too.

    With --annotations a model learns from the texts of a folder, in minutes on a CPU. A fifth of them is held
    out; the scores on it before and after are shown, and the model is written to --out.
    """
    if (recipe is None) == (annotations is None):
        raise typer.BadParameter("Give a RECIPE, or a folder of annotated texts with --annotations.")
    if annotations is not None:
        given = {"--seeds": seeds, "--stage": stage, "--resume": resume, "--test": test, "--data": data}
        if unused := [option for option, value in given.items() if value]:
            raise typer.BadParameter("Annotated texts are learned from at once.", param_hint=unused[0])
        _learn_annotations(annotations, model, out, device, as_json)
        return
    if model is not None:
        raise typer.BadParameter("A recipe says which model it trains.", param_hint="--model")
    assert recipe is not None
    import shlex

    from petra.config import Recipe
    from petra.corpora.places import data_folder
    from petra.report.tables.runs import runs_table
    from petra.runtime.devices import choose_device

    whole = Recipe.read(recipe)
    if seeds is not None:
        whole = whole.with_seeds(_numbers(seeds), stage)
    folder, place = data_folder(data), choose_device(device)

    from petra.training.run import run_recipe

    options = {"--seeds": seeds, "--stage": stage, "--device": device}
    asked = [word for option, value in options.items() if value for word in (option, value)] + ["--test"] * test
    if resume and not any(out.rglob("*checkpoint.safetensors")):
        remark(f"{out} holds no checkpoint; the training begins.")
    with _shown() as hooks:
        result = run_recipe(
            whole,
            folder,
            out,
            device=place,
            only=stage,
            resume=resume,
            score_test=test,
            command=shlex.join(["petra", "train", str(recipe), "--out", str(out), *asked]),
            hooks=hooks,
        )
    if as_json:
        show_json(result)
    else:
        show(runs_table(result))
        models = out if stage in (None, whole.stages[-1].name) else out / stage
        mean = f" their mean in {models / 'mean'}," if "mean" in result else ""
        remark(f"The models are in {models}/seed-*,{mean} the result in {models / 'result.json'}.")


def _learn_annotations(folder: Path, model: str | None, out: Path, device: str | None, as_json: bool) -> None:
    """Let a model learn from annotated texts, and show what it gained."""
    from rich.table import Table

    from petra.cli.console import progress
    from petra.corpora.annotations.folder import read_annotations
    from petra.errors import ConfigError
    from petra.runtime.devices import choose_device
    from petra.trained import is_model, load_trained, save_trained

    if is_model(str(out)):
        raise ConfigError(f"{out} holds a model already. Give another --out.")
    documents = read_annotations(folder)
    trained, place = load_trained(model), choose_device(device)

    from petra.training.annotations import fine_tune

    with progress(f"{trained.name} learns from {len(documents)} texts") as report:
        tuned = fine_tune(trained, documents, name=out.name, device=place, report=report)
    save_trained(out, tuned.model)
    if as_json:
        show_json(tuned.model.record["fine_tuned"])
        return
    table = Table("On texts held out", "before", "after")
    for what, before, after in (
        ("CoNLL F1, by head words", tuned.before.head.conll, tuned.after.head.conll),
        ("CoNLL F1, by exact spans", tuned.before.exact.conll, tuned.after.exact.conll),
        ("F1 of mentions, by exact spans", tuned.before.exact.mentions.f1, tuned.after.exact.mentions.f1),
    ):
        table.add_row(what, f"{before:.1f}", f"{after:.1f}")
    show(table)
    counts = ", ".join(f"{len(some)} {what.replace('_', ' ')}" for what, some in tuned.parts._asdict().items())
    remark(f"Texts: {counts}.{'' if tuned.share else ' What was learned did not help and is left out.'}")
    remark(f"The model is in {out}: petra track --model {out} FILE")


def _numbers(seeds: str) -> tuple[int, ...]:
    try:
        return tuple(int(seed) for seed in seeds.split(","))
    except ValueError:
        raise typer.BadParameter(f"{seeds!r}: give whole numbers with commas between, as 1,2,3.") from None


class _shown:  # noqa: N801
    """Progress on stderr while a recipe runs: a bar on a terminal, a line per epoch everywhere."""

    def __enter__(self) -> Hooks:
        from rich.console import Console
        from rich.progress import Progress

        from petra.training.objective import Hooks

        console = Console(stderr=True)
        self._bar: Progress = Progress(console=console, transient=True, disable=not console.is_terminal)
        self._bar.start()
        self._task: TaskID = self._bar.add_task("Preparing", total=None)
        return Hooks(
            on_fetch=lambda done, whole: self._update("Fetching the encoder", done, whole),
            on_encode=lambda split, done, whole: self._update(f"Encoding {split}", done, whole),
            on_distillation=lambda done, whole: self._update("Distilling", done, whole),
            on_batch=lambda done, whole: self._update("Epoch", done, whole),
            on_epoch=lambda summary: remark(summary.line),
        )

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._bar.stop()
        if kind is KeyboardInterrupt:
            remark("Stopped. The same command with --resume goes on after the last whole epoch.")

    def _update(self, what: str, done: int, whole: int) -> None:
        self._bar.update(self._task, description=what, completed=done, total=whole)
