"""Pages by Jinja2, with autoescape: what comes from the user never becomes markup.

A room with pages keeps its templates in its folder ``templates``. Values are escaped as they
are filled in, unless they are ``Markup``, which was made here.
"""

from __future__ import annotations

import re
from functools import cached_property
from html import escape
from importlib import resources

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from petra.report.values.summaries import counted

# What HTML cannot hold: control characters and halves of surrogate pairs.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff]")


class Templates:
    """The templates of some rooms, by their packages; of one name, that of the first room."""

    def __init__(self, *rooms: str) -> None:
        self._rooms = rooms

    def fill(self, template: str, /, **values: object) -> Markup:
        """A template with values; one that it asks for and is not given is an error."""
        return Markup(self._environment.get_template(template).render(values))

    @cached_property
    def _environment(self) -> Environment:
        environment = Environment(
            loader=ChoiceLoader([PackageLoader(room) for room in self._rooms]),
            autoescape=True,
            undefined=StrictUndefined,
            finalize=_escaped_value,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        environment.filters["counted"] = counted
        environment.filters["grouped"] = lambda number: f"{number:,}"
        environment.filters["quoted"] = repr
        return environment


def asset(room: str, *path: str) -> str:
    """A file of a room, by its package and the way to it from there."""
    return resources.files(room).joinpath(*path).read_text(encoding="utf-8")


def printable(text: str) -> str:
    """A text with a sign in place of each character that HTML cannot hold."""
    return _UNPRINTABLE.sub("\ufffd", text)


def escaped(text: str) -> Markup:
    """A text of the user's as HTML shows it."""
    return Markup(escape(printable(text)))


def _escaped_value(value: object) -> object:
    """What a template shows of a value."""
    return value if isinstance(value, Markup) else escaped(str(value))
