"""A text with what was found in it, by a model just now or read from a file, and its exports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from petra.domain import Person, Quotation
from petra.english.chapters import Chapter, find_chapters
from petra.people.cast import find_cast
from petra.report.export.format import ExportOptions, Files, NetworkKind, TableName, Within, find_format, format_names

if TYPE_CHECKING:
    import pandas
    import polars


class Exports:
    """The exports of what was found in a text (docs/exports.md); offsets in them are those of the text.

    A format without a method of its own is called by its name as well: ``to_NAME(options)`` is
    its main file.
    """

    __slots__ = ()

    if not TYPE_CHECKING:  # to a type checker only the methods below are known

        def __getattr__(self, name: str) -> Callable[..., str]:
            if name.startswith("to_") and name[3:] in format_names():
                return partial(_main, self, name[3:])
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def tracked_text(self) -> TrackedText:
        """What the exports are made from."""
        raise NotImplementedError

    def export(self, name: str, options: ExportOptions | None = None) -> Files:
        """The files of a format by the endings of their names, the main one first."""
        return find_format(name).files(self.tracked_text, options or ExportOptions())

    def to_csv(self, table: TableName = "mentions") -> str:
        """The mentions, people or quotations as CSV with a line of headings."""
        return _main(self, "csv", ExportOptions(table=table))

    def to_tsv(self, table: TableName = "mentions") -> str:
        """The same separated by tabs."""
        return _main(self, "tsv", ExportOptions(table=table))

    def to_pandas(self, table: TableName = "mentions") -> pandas.DataFrame:
        """The same as a frame of pandas, which has to be installed."""
        from petra.report.export.frames import pandas_frame

        return pandas_frame(self.tracked_text, table)

    def to_polars(self, table: TableName = "mentions") -> polars.DataFrame:
        """The same as a frame of polars, which has to be installed."""
        from petra.report.export.frames import polars_frame

        return polars_frame(self.tracked_text, table)

    def to_jsonl(self) -> str:
        """A line of JSON with the text in it."""
        return _main(self, "jsonl")

    def to_conll2012(self) -> str:
        """Coreference as in the CoNLL-2012 shared task."""
        return _main(self, "conll2012")

    def to_corefud(self) -> str:
        """CoNLL-U with coreference as in CorefUD."""
        return _main(self, "corefud")

    def to_brat(self) -> Files:
        """Standoff annotation of brat: the text, the annotation and the settings for it."""
        return find_format("brat").files(self.tracked_text, ExportOptions())

    def to_webanno(self) -> str:
        """WebAnno TSV 3.3, for WebAnno and INCEpTION."""
        return _main(self, "webanno")

    def to_tei(self) -> str:
        """A TEI document."""
        return _main(self, "tei")

    def to_booknlp(self) -> Files:
        """The files of BookNLP."""
        return find_format("booknlp").files(self.tracked_text, ExportOptions())

    def to_graphml(
        self, *, network: NetworkKind = "company", within: Within = "paragraph", everybody: bool = False
    ) -> str:
        """Who is mentioned with whom, or speaks to whom, as a network in GraphML."""
        return _main(self, "graphml", ExportOptions(network=network, within=within, everybody=everybody))

    def to_gexf(
        self, *, network: NetworkKind = "company", within: Within = "paragraph", everybody: bool = False
    ) -> str:
        """The same network in GEXF, for Gephi."""
        return _main(self, "gexf", ExportOptions(network=network, within=within, everybody=everybody))

    def to_resolved(self) -> str:
        """The text with names for pronouns."""
        return _main(self, "resolved")


@dataclass(frozen=True, kw_only=True, eq=False)
class TrackedText(Exports):
    """A text, its people and its quotations."""

    source: str | None  # where the text came from
    model: str
    text: str
    num_tokens: int
    people: tuple[Person, ...]
    quotations: tuple[Quotation, ...]

    @property
    def tracked_text(self) -> TrackedText:
        return self

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        """The chapters of the text; none if it has no headings."""
        return find_chapters(self.text)

    @cached_property
    def cast(self) -> tuple[Person, ...]:
        """The people who have a name or come again, apart from those mentioned in passing."""
        return find_cast(self.people, self.text)

    def to_dict(self) -> dict[str, Any]:
        """The people and quotations as plain values of the schema ``petra.tracking/1``."""
        from petra.report.values.as_json import tracking_json

        return tracking_json(
            source=self.source,
            model=self.model,
            text=self.text,
            num_tokens=self.num_tokens,
            people=self.people,
            quotations=self.quotations,
        )


def _main(found: Exports, name: str, options: ExportOptions | None = None) -> str:
    """The main file of a format."""
    return next(iter(find_format(name).files(found.tracked_text, options or ExportOptions()).values()))
