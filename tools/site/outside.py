"""Links of pages to files outside docs/."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

_LINK = re.compile(r"(\]\()(?:\.\./)+([^)#:\s]+)")  # from a page of docs/ upwards
_ANY = re.compile(r"\]\(([^)#:\s]+)")


def rewritten(markdown: str) -> str:
    """The links that leave docs/, to the same place below the root of the site."""
    return _LINK.sub(r"\1\2", markdown)


def linked_outside(root: Path, pages: Mapping[Path, str]) -> list[Path]:
    """The files that pages link to and that are no pages of docs/, and those that these link to in turn.

    Pages are given with their place and their text, since some are generated.
    """
    found: set[Path] = set()
    coming = list(pages.items())
    while coming:
        page, text = coming.pop()
        for link in _ANY.findall(text):
            path = (page.parent / link).resolve()
            if path.is_file() and path not in found and root in path.parents and root / "docs" not in path.parents:
                found.add(path)
                coming += [(path, path.read_text(encoding="utf-8"))] if path.suffix == ".md" else []
    return sorted(found)
