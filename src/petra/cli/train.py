"""``petra train``: models from a recipe."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from petra.cli.console import remark, show, show_json
from petra.cli.options import DataOption, DeviceOption, JsonOption

if TYPE_CHECKING:
    import torch
    from rich.progress import Progress, TaskID

    from petra.config import RunConfig
    from petra.training.loop import EpochReport
    from petra.training.references import References
    from petra.training.run import Hooks


def train(
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help="A recipe, as in recipes/.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for the models, metrics and checkpoint.")],
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
    """Train the seeds of a recipe together, on GAP.

    Each seed is kept at its best validation epoch, as a model folder that
    `petra track --model` reads. Ctrl-C loses no more than the epoch it falls into. The
    seeds of a recipe with an adapter are trained one after the other, and one that is
    interrupted begins anew.
    """
    import shlex

    from petra.config import Recipe, Stage
    from petra.corpora.places import data_folder
    from petra.errors import ConfigError
    from petra.runtime.devices import choose_device

    whole = Recipe.read(recipe)
    if seeds is not None:
        whole = whole.with_seeds(_numbers(seeds), stage)
    if (out / "checkpoint.safetensors").exists() and not resume:
        raise ConfigError(f"{out} holds a training run already. Give --resume to go on with it, or another --out.")
    folder = data_folder(data)
    place = choose_device(device)

    from petra.training.run import run_recipe
    from petra.training.stages import run_stages

    asked = [*(["--seeds", seeds] if seeds else []), *(["--stage", stage] if stage else [])]
    asked += [*(["--device", device] if device else []), *["--test"] * test]

    def run_stage(part: Stage, out: Path, references: References) -> None:
        if part.config.adapter.rank:
            _train_adapted(part.config, folder, out, place, as_json, references)
            return
        if resume and not (out / "checkpoint.safetensors").exists():
            remark(f"{out} holds no checkpoint; the training begins.")
        with _shown() as hooks:
            result = run_recipe(
                part.config,
                folder,
                out,
                device=place,
                resume=resume,
                score_test=test,
                command=shlex.join(["petra", "train", str(recipe), "--out", str(out), *asked]),
                hooks=hooks,
            )
        if as_json:
            show_json(result)
        else:
            from petra.report.runs import runs_table

            show(runs_table(result))
            remark(f"The models are in {out}/seed-*, the result in {out / 'result.json'}.")

    run_stages(whole, out, run_stage, only=stage)


def _train_adapted(
    config: RunConfig, data: Path, out: Path, device: torch.device, as_json: bool, references: References
) -> None:
    """Train the seeds of a recipe with an adapter that have no model in ``out`` yet."""
    from petra.cli.console import progress
    from petra.training.adapted.run import Epoch, run_adapted_recipe

    def show_epoch(epoch: Epoch) -> None:
        scores = epoch.validation
        by_corpus = "".join(
            f"; {corpus} spans {scores.span_f1[corpus]:.1f}, links {right:.1f}"
            for corpus, right in scores.links_right.items()
        )
        remark(
            f"seed {epoch.seed}, epoch {epoch.epoch:3d}  {epoch.seconds:6.1f} s  loss {epoch.losses['gap']:.4f}  "
            f"validation F1 {scores.f1:.1f}{by_corpus}"
        )

    with progress("Preparing") as report:
        records = run_adapted_recipe(
            config,
            data,
            out,
            device=device,
            references=references,
            report=report,
            on_distillation=report,
            on_epoch=show_epoch,
        )
    if as_json:
        show_json({"recipe": config.to_toml(), "runs": records})
    remark(f"The models are in {out}/seed-*. Score one with: petra evaluate gap --model {out}/seed-{config.seeds[0]}")


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

        from petra.training.run import Hooks

        console = Console(stderr=True)
        self._bar: Progress = Progress(console=console, transient=True, disable=not console.is_terminal)
        self._bar.start()
        self._task: TaskID = self._bar.add_task("Preparing", total=None)
        return Hooks(
            on_fetch=lambda done, whole: self._update("Fetching the encoder", done, whole),
            on_encode=lambda split, done, whole: self._update(f"Encoding {split}", done, whole),
            on_batch=lambda done, whole: self._update("Epoch", done, whole),
            on_epoch=self._epoch,
        )

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._bar.stop()
        if kind is KeyboardInterrupt:
            remark("Stopped. The same command with --resume goes on after the last whole epoch.")

    def _update(self, what: str, done: int, whole: int) -> None:
        self._bar.update(self._task, description=what, completed=done, total=whole)

    def _epoch(self, report: EpochReport) -> None:
        scores = " ".join(
            f"{f1:5.1f}{'.' if stopped else ' '}"
            for f1, stopped in zip(report.validation_f1, report.stopped, strict=True)
        )
        loss = sum(report.losses) / len(report.losses)
        remark(f"epoch {report.epoch:3d}  {report.seconds:6.1f} s  loss {loss:.4f}  validation F1 {scores}")
