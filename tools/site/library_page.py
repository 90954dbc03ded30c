"""The reference of the library: a directive of mkdocstrings for each public name."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

_BESIDE = {  # what the pages of docs/ describe besides the names of ``petra`` itself
    "Integrations": (
        "petra.integrations.spacy.PetraComponent",
        "petra.integrations.spacy.displacy_options",
        "petra.integrations.spacy.register",
        "petra.integrations.ray.track_dataset",
        "petra.integrations.ray.track_files",
    ),
    "Stored logs": ("petra.log.storage.load", "petra.log.storage.save"),
}


def library_page(root: Path) -> str:  # noqa: ARG001
    """The public names of ``petra``, functions and classes first, then the errors."""
    import petra

    names = [name for name in petra.__all__ if not name.startswith("_")]
    places = {name: f"{getattr(petra, name).__module__}.{name}" for name in names}
    errors = [places[name] for name in names if name.endswith("Error")]
    others = [places[name] for name in names if not name.endswith("Error")]
    sections = {"The package": sorted(others, key=_by_use), **_BESIDE, "Errors": tuple(errors)}
    parts = ["# The library\n", "What `import petra` offers, and what other pages name beside it.\n"]
    for title, members in sections.items():
        parts.append(f"## {title}\n")
        parts += [f"::: {member}\n" for member in members]
    return "\n".join(parts)


def _by_use(place: str) -> tuple[bool, bool, str]:
    """Functions before classes, and of these what is called before what comes out."""
    module, _, name = place.rpartition(".")
    value = getattr(importlib.import_module(module), name)
    return inspect.isclass(value), not module.startswith("petra.tracker"), name
