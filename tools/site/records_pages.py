"""Model cards and results, from the records that training and evaluation leave."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_SCORES: Final = {  # what a key of a record is called, in the order of a card
    "test_f1": "GAP test, F1",
    "test_precision": "GAP test, precision",
    "test_recall": "GAP test, recall",
    "masculine_f1": "GAP test, F1 of masculine pronouns",
    "feminine_f1": "GAP test, F1 of feminine pronouns",
    "bias": "GAP test, bias (feminine / masculine)",
    "at_most_one_test_f1": "GAP test, F1 with at most one name",
    "validation_f1": "GAP validation, F1",
    "count_error_best": "counting error, best case",
    "count_error_two_fold": "counting error, two-fold",
    "litbank_test_mention_f1": "LitBank test, mention F1",
    "litbank_test_muc": "LitBank test, MUC F1",
    "litbank_test_b_cubed": "LitBank test, B³ F1",
    "litbank_test_ceaf_e": "LitBank test, CEAF-e F1",
    "litbank_test_conll": "LitBank test, CoNLL F1",
    "litbank_test_lea": "LitBank test, LEA F1",
    "litbank_validation_conll": "LitBank validation, CoNLL F1",
    "gum_dev_mention_f1": "GUM development by head, mention F1",
    "gum_dev_conll": "GUM development by head, CoNLL F1",
    "winobias_dev.type1.pro": "WinoBias development, type 1, with the stereotype",
    "winobias_dev.type1.anti": "WinoBias development, type 1, against it",
    "winobias_dev.type2.pro": "WinoBias development, type 2, with the stereotype",
    "winobias_dev.type2.anti": "WinoBias development, type 2, against it",
}


def cards_page(root: Path) -> str:
    """A card for each model that comes with the package."""
    parts = ["# Model cards\n", "Made from the records of the models; F1 and WinoBias in percent.\n"]
    folders = sorted((root / "src/petra/models").iterdir(), key=lambda folder: (folder.name != "base", folder.name))
    parts += [_card(root, folder) for folder in folders if (folder / "record.json").is_file()]
    return "\n".join(parts)


def _card(root: Path, folder: Path) -> str:
    record = json.loads((folder / "record.json").read_text(encoding="utf-8"))
    config = tomllib.loads((folder / "config.toml").read_text(encoding="utf-8"))
    result = root / f"results/gap-{folder.name}.json"
    runs = json.loads(result.read_text(encoding="utf-8"))["runs"] if result.is_file() else []
    scores = flat(record) | (flat(runs[0]) if len(runs) == 1 else {})
    size = (folder / "model.safetensors").stat().st_size / 1e6
    facts = {
        "encoder": f"{config['encoder']['name']}, layers {_shown(config['encoder']['layers'])}",
        "memory": f"{config['memory'].get('num_cells', 10)} cells, {config['memory'].get('variant', 'vanilla')}",
        "weights": f"{size:.1f} MB, SHA-256 `{record['sha256']}`",
        "licence": record["licence"],
        "recipe": f"[{record['recipe']}](../{record['recipe']})",
        "threshold of links": record["threshold"],
        "threshold of decisions": record["people_threshold"],
    }
    parts = [
        f"## {record['name']}\n",
        f"{record['title']}.\n",
        table(["", record["name"]], facts.items()),
        f"**Data.** {record['data'].rstrip('.')}.\n",
        table(["score", record["name"]], ((label, scores[key]) for key, label in _SCORES.items() if key in scores)),
    ]
    if (folder / "backends.json").is_file():
        backends = json.loads((folder / "backends.json").read_text(encoding="utf-8"))["backends"]
        rows = ((name, *found["scores"].values()) for name, found in backends.items())
        labels = [_SCORES.get(key.replace("gap_", ""), key) for key in next(iter(backends.values()))["scores"]]
        parts.append(table(["back end of the encoder", *labels], rows))
    if record.get("note"):
        parts.append(f"**Notes.** {record['note']}\n")
    return "\n".join(parts)


def results_page(root: Path) -> str:
    """What was measured: every record under results/, with how it was made."""
    records = {path: json.loads(path.read_text(encoding="utf-8")) for path in sorted((root / "results").glob("*.json"))}
    overview = [
        (
            f"[{path.stem}](#{path.stem})",
            found["encoder"],
            found["cells"],
            len(found["runs"]),
            f"{found['mean_test_f1']:.1f} ± {found['std_test_f1']:.1f}"
            if len(found["runs"]) > 1
            else f"{found['mean_test_f1']:.1f}",
        )
        for path, found in records.items()
        if "mean_test_f1" in found
    ]
    parts = [
        "# Results\n",
        "Made from the records under `results/`. The paper's study has [its own report](../results/paper/report.md).\n",
        table(["record", "encoder", "cells", "runs", "GAP test F1"], overview),
        *(_result(root, path, found) for path, found in records.items()),
    ]
    return "\n".join(parts)


def _result(root: Path, path: Path, found: Mapping[str, Any]) -> str:
    place = path.relative_to(root).as_posix()
    parts = [f"## {path.stem}\n", f"`{place}`, of `{found['model']}`.\n"]
    parts += [
        f"**{key.capitalize()}.** {found[key].rstrip('.')}.\n"
        for key in ("hardware", "command", "note")
        if key in found
    ]
    runs = [flat(run) for run in found.get("runs", ())]
    if runs:
        keys = list(dict.fromkeys(key for run in runs for key in run))
        parts.append(table(keys, ([run.get(key, "") for key in keys] for run in runs)))
    elif "novels" in found:
        novels = {**found["novels"], "mean": found["mean"]}
        keys = list(found["mean"])
        parts.append(table(["novel", *keys], ([name, *(novel[key] for key in keys)] for name, novel in novels.items())))
    else:
        counted = {key: len(value) if isinstance(value, list) else value for key, value in found.items()}
        left_out = ("schema", "model", "hardware", "command", "note")
        parts.append(
            table(["key", "value"], ((key, value) for key, value in flat(counted).items() if key not in left_out))
        )
    return "\n".join(parts)


def flat(values: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Nested values by their paths; of a list of objects, as one for each epoch, the last."""
    found: dict[str, Any] = {}
    for key, value in values.items():
        name = f"{before}{key}"
        if isinstance(value, Mapping):
            found |= flat(value, f"{name}.")
        elif isinstance(value, list) and value and isinstance(value[-1], Mapping):
            found |= flat(value[-1], f"{name}.last.")
        else:
            found[name] = value
    return found


def table(head: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown."""
    lines = [list(map(_shown, row)) for row in (head, *rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    return str(value).replace("|", "\\|").replace("\n", " ")
