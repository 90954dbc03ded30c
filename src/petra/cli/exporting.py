"""Writing exports: to stdout, or to the files that OUT names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from petra.cli.console import remark
from petra.cli.outputs import OutputPlaces, output_path
from petra.cli.texts import STDIN
from petra.errors import ConfigError, PetraError
from petra.report.export.format import ExportOptions, find_format, format_names

if TYPE_CHECKING:
    from petra.report.export.tracked import Exports

_NAMES = ", ".join(format_names())

FormatOption = Annotated[
    str | None, typer.Option("--to", metavar="FORMAT", help=f"Write another format (docs/exports.md): {_NAMES}.")
]
ExportOutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="OUT",
        parser=output_path,
        help="File for what --to writes, with others beside it if the format has several; a folder for several texts.",
    ),
]


class Exporter:
    """Writes texts in a format: to files, or the main file of each to stdout."""

    def __init__(self, name: str, out: Path | None, options: ExportOptions, sources: Sequence[Path]) -> None:
        try:
            self._format = find_format(name)
        except ConfigError as error:
            raise typer.BadParameter(str(error), param_hint="--to") from None
        several = len(sources) > 1
        if out is None and several and not self._format.can_be_joined:
            raise typer.BadParameter(f"Several texts do not fit one file of {name}: name a folder.", param_hint="--out")
        if out == STDIN:
            raise typer.BadParameter("- is no file to write to; without --out the result goes to stdout.")
        self._name = name
        self._out = out
        self._options = options
        self._sources = sources
        self._places: OutputPlaces | None = None
        self._following: list[bytes] = []  # texts for one file, in which they follow each other

    def write(self, source: Path, tracked: Exports, inputs: Iterable[Path]) -> None:
        """Write one text. Inputs stay as they are: one that already holds what would be written is left alone."""
        from petra.runtime.files import write_atomically

        files = {
            name: content.encode("utf-8", "replace")
            for name, content in tracked.export(self._name, self._options).items()
        }
        if self._out is None:
            typer.echo(next(iter(files.values())), nl=False)
            return
        kept = {file.resolve() for file in inputs if file.is_file()}
        if self._is_joined(next(iter(files))):
            if self._out.resolve() in kept:
                raise _in_the_way(self._out)
            self._following.append(next(iter(files.values())))
            return
        main = self._main_place(source, next(iter(files)), len(files))
        places = [_beside(main, next(iter(files)), name) for name in files]
        for place, content in zip(places, files.values(), strict=True):
            if place.resolve() in kept and place.read_bytes() != content:
                raise _in_the_way(place)
        written: list[str] = []
        for place, content in zip(places, files.values(), strict=True):
            if place.resolve() not in kept:
                write_atomically(place, content)
                written.append(place.name if written else str(place))
        remark(f"{self._name} written to {', '.join(written)}.")

    def close(self) -> None:
        """Write the file of texts that follow each other, if there is one."""
        from petra.runtime.files import write_atomically

        if self._out is not None and self._following:
            write_atomically(self._out, b"".join(self._following))
            remark(f"{self._name} of {len(self._following):,} texts written to {self._out}.")

    def _is_joined(self, ending: str) -> bool:
        """Whether several texts go into the file OUT, which is named as such."""
        assert self._out is not None
        return (
            self._format.can_be_joined
            and len(self._sources) > 1
            and self._out.suffix == Path(f"x{ending}").suffix
            and not self._out.is_dir()
        )

    def _main_place(self, source: Path, ending: str, number: int) -> Path:
        assert self._out is not None
        if self._places is None:
            # A format of several files fills a folder, unless OUT is named like its main file.
            is_folder = len(self._sources) > 1 or (number > 1 and self._out.suffix != Path(f"x{ending}").suffix)
            self._places = OutputPlaces(self._out, ending, "export", self._sources, several=is_folder)
        return self._places.of(source)


def _in_the_way(place: Path) -> PetraError:
    return PetraError(f"{place} would be overwritten, and is what is read. Give another place with --out.")


def _beside(main: Path, ending: str, name: str) -> Path:
    """The place of a file of the format, given that of the main one and its ending."""
    if not name.startswith("."):
        return main.with_name(name)
    return main.with_name(main.name.removesuffix(ending) + name) if name != ending else main
