"""The table of formats: whatever module in ``formats`` has a ``FORMAT``.

A new format is a new module there.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from petra.errors import ConfigError
from petra.report.export import formats

if TYPE_CHECKING:
    from petra.report.export.tracked import TrackedText

TableName = Literal["mentions", "people", "quotations"]
EXPORTED_TABLES: tuple[TableName, ...] = ("mentions", "people", "quotations")
NetworkKind = Literal["company", "speech"]
Within = Literal["sentence", "paragraph", "chapter"] | int  # a number is one of words


@dataclass(frozen=True, kw_only=True, slots=True)
class ExportOptions:
    """What may be chosen of some formats; the others do not ask."""

    table: TableName = "mentions"  # the main one of csv and tsv
    network: NetworkKind = "company"  # of graphml and gexf: who is mentioned with whom, or who speaks to whom
    within: Within = "paragraph"  # what two people have to be mentioned in to be in company
    everybody: bool = False  # in the network, and not the cast alone

    def __post_init__(self) -> None:
        if isinstance(self.within, int) and self.within < 1:
            raise ConfigError(f"A window of {self.within} words holds nobody; choose 1 or more.")


Files = Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Format:
    """How to write down what was found in a text.

    ``files`` gives the content of each file by the ending of its name, ".people.csv"; the
    first is the main one. A key without a dot in front is a file's whole name. In a format
    that ``can_be_joined``, the main files of several texts may follow each other in one file.
    """

    about: str  # in a line, for people who know the format
    files: Callable[[TrackedText, ExportOptions], Files]
    can_be_joined: bool = False


def format_names() -> list[str]:
    """The names of all formats. No format is imported for it."""
    return sorted(module.name for module in pkgutil.iter_modules(formats.__path__))


def find_format(name: str) -> Format:
    """The format of a name."""
    if name not in format_names():
        raise ConfigError(f"No format named {name!r}. There are: {', '.join(format_names())}.")
    found = importlib.import_module(f"{formats.__name__}.{name}").FORMAT
    assert isinstance(found, Format)
    return found
