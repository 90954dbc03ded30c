"""The source of the functions that the page of the paper names beside its equations."""

from __future__ import annotations

import importlib
import inspect
import re

_ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \| `(petra(?:\.\w+)+)` \|$", flags=re.MULTILINE)


def with_sources(markdown: str) -> str:
    """The page with a section that has, for each row of its table of equations, the function's source."""
    rows = _ROW.findall(markdown)
    if not rows:
        raise ValueError("The page of the paper has no table of equations with functions.")
    parts = [_section(*row) for row in rows if inspect.isfunction(_named(row[2]))]
    return "\n".join([markdown.rstrip(), "", "## The functions of the equations", "", *parts])


def _section(number: str, what: str, name: str) -> str:
    source = inspect.cleandoc(inspect.getsource(_named(name)))
    return f"### {number}: `{name.rpartition('.')[2]}`\n\n{what}\n\n```python\n{source}\n```\n"


def _named(name: str) -> object:
    module, _, member = name.rpartition(".")
    return getattr(importlib.import_module(module), member)
