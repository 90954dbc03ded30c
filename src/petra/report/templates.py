"""HTML pages put together from the files in ``page/``; what comes from the user never becomes markup."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from importlib import resources

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
# What HTML cannot hold: control characters and halves of surrogate pairs.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff]")


def part(name: str, room: str = "") -> str:
    """A file of ``page/`` or of another room."""
    room = room or f"page/{ {'.html': 'templates', '.css': 'styles', '.js': 'scripts'}[name[name.rindex('.') :]] }"
    return (resources.files("petra.report") / room / name).read_text(encoding="utf-8")


def filled(template: str, values: Mapping[str, str]) -> str:
    """A template with its ``{{placeholders}}`` filled in."""
    # In one pass, so that a placeholder in the user's text stays what it is.
    return _PLACEHOLDER.sub(lambda found: values[found[1]], template)


def printable(text: str) -> str:
    """A text with a sign in place of each character that HTML cannot hold."""
    return _UNPRINTABLE.sub("\ufffd", text)


def escaped(text: str) -> str:
    """A text of the user's as HTML shows it."""
    return escape(printable(text))
