"""Small GAP files and instances, written by hand."""

from __future__ import annotations

from pathlib import Path

from petra.corpora.gap import GAP_COLUMNS, GapInstance, Span

TEXT = 'Ada Vale met Ruth Pym in "Kew". She waved.'


def row(**columns: str) -> dict[str, str]:
    """A sound row about Ada Vale, Ruth Pym and She, with the given columns changed (- is written _)."""
    sound = {
        "ID": "sample-1",
        "Text": TEXT,
        "Pronoun": "She",
        "Pronoun-offset": "32",
        "A": "Ada Vale",
        "A-offset": "0",
        "A-coref": "TRUE",
        "B": "Ruth Pym",
        "B-offset": "13",
        "B-coref": "FALSE",
        "URL": "https://example.org/Ada",
    }
    return sound | {name.replace("_", "-"): value for name, value in columns.items()}


def write_gap(path: Path, *rows: dict[str, str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ["\t".join(GAP_COLUMNS), *("\t".join(values[name] for name in GAP_COLUMNS) for values in rows)]
    path.write_bytes(("\n".join(lines) + "\n").encode())
    return path


def instance(a_coref: bool, b_coref: bool, gender: str = "feminine", name: str = "sample-1") -> GapInstance:
    return GapInstance(
        id=name,
        text=TEXT,
        pronoun=Span(32, 35),
        a=Span(0, 8),
        b=Span(13, 21),
        a_coref=a_coref,
        b_coref=b_coref,
        gender="masculine" if gender == "masculine" else "feminine",
        url="https://example.org/Ada",
    )
