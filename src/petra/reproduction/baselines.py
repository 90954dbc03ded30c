"""The baselines of counting in a study's folder: worked out where the corpora are, kept beside the records."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from petra.errors import DataError
from petra.evaluation.count_baselines import CountBaselines, read_count_baselines
from petra.runtime.files import write_atomically

SCHEMA = "petra.count-baselines/1"


def kept_baselines(out: Path, data: Path | None) -> CountBaselines | None:
    """The baselines that are kept in a study's folder, else those of the data folder; None without either."""
    path = out / "baselines.json"
    if path.exists():
        return _read(path)
    if data is None:
        return None
    try:
        found = read_count_baselines(data)
    except DataError:
        return None
    content = {"schema": SCHEMA, **asdict(found)}
    write_atomically(path, (json.dumps(content, indent=2) + "\n").encode())
    return found


def _read(path: Path) -> CountBaselines:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        return CountBaselines(**{name: values[name] for name in CountBaselines.__slots__})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(
            f"{path} cannot be read as baselines of counting ({error!r:.100}). Remove it, and it is made again."
        ) from None
