"""The record of a shipped model: every score that its page shows, measured and written in one go.

python -m petra.evaluation.model_record base --results results

measures ``base`` on GAP, its counting, LitBank, GUM and WinoBias, and writes the scores to the
model's own ``record.json`` and, with its recipe, to ``results/gap-base.json``.
"""

from __future__ import annotations

import argparse
import json
import platform
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from petra.corpora.places import data_folder
from petra.evaluation.gum import evaluate_gum
from petra.evaluation.litbank import evaluate_litbank
from petra.evaluation.runs import evaluate_count, evaluate_gap
from petra.evaluation.winobias import evaluate_winobias
from petra.runtime.files import write_atomically
from petra.tracker import Tracker, load
from petra.trained import RECORD, model_folder, read_config, read_record

_IDENTITY = ("schema", "name", "sha256", "config_sha256", "title", "recipe", "data", "licence", "note")


def model_scores(tracker: Tracker, data: Path) -> dict[str, Any]:
    """The scores of a model, by the names that records have for them. The test parts are read."""
    gap = evaluate_gap(tracker, data, "test")
    by_mention = evaluate_gap(tracker, data, "test", by_mention=True)
    count = evaluate_count(tracker, data).score
    litbank_validation, litbank = (evaluate_litbank(tracker, data, split).score for split in ("validation", "test"))
    gum = evaluate_gum(tracker, data, "dev").score.head
    winobias = evaluate_winobias(tracker, data, "dev").accuracy.items()
    scores: dict[str, Any] = {
        "threshold": gap.threshold,
        "validation_f1": gap.validation_f1,
        "test_f1": gap.score.overall.f1,
        "test_precision": gap.score.overall.precision,
        "test_recall": gap.score.overall.recall,
        "masculine_f1": gap.score.masculine.f1,
        "feminine_f1": gap.score.feminine.f1,
        "bias": gap.score.bias,
        "at_most_one_test_f1": gap.score_at_most_one.overall.f1,
        "mention_validation_f1": by_mention.validation_f1,
        "mention_test_f1": by_mention.score.overall.f1,
        "count_error_best": count.error_best,
        "count_error_two_fold": count.error_two_fold,
        "litbank_validation_conll": litbank_validation.conll,
        "litbank_test_mention_f1": litbank.mentions.f1,
        "litbank_test_muc": litbank.muc.f1,
        "litbank_test_b_cubed": litbank.b_cubed.f1,
        "litbank_test_ceaf_e": litbank.ceaf_e.f1,
        "litbank_test_conll": litbank.conll,
        "litbank_test_lea": litbank.lea.f1,
        "gum_dev_mention_f1": gum.mentions.f1,
        "gum_dev_conll": gum.conll,
        "winobias_dev": {
            f"type{type_}": {side: round(share, 1) for side, share in its.items()} for type_, its in winobias
        },
    }
    return {
        name: round(value, 3 if name == "bias" else 2) if isinstance(value, float) else value
        for name, value in scores.items()
    }


def result_of(record: Mapping[str, Any], folder: Path, *, hardware: str, command: str) -> dict[str, Any]:
    """The result (schema petra.result/1) of a shipped model, a run of its own.

    An adapted model learns for all epochs of its recipe; how many seconds is in the record, if that was kept.
    """
    config = read_config(folder)
    run = {"epochs": config.training.max_epochs, "seconds": None}
    run |= {name: value for name, value in record.items() if name not in _IDENTITY}
    return {
        "schema": "petra.result/1",
        "model": record["name"],
        "recipe": config.to_toml(),
        "encoder": config.encoder.name,
        "layers": list(config.encoder.layers),
        "cells": config.memory.num_cells,
        "runs": [run],
        "mean_test_f1": run["test_f1"],
        "std_test_f1": 0.0,
        "hardware": hardware,
        "command": command,
        "note": record.get("note", ""),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m petra.evaluation.model_record", description=__doc__)
    parser.add_argument("model", help="a model by name or folder")
    parser.add_argument("--results", type=Path, required=True, metavar="DIR", help="where gap-MODEL.json is written")
    parser.add_argument("--data", type=Path, help="the corpora (default: PETRA_DATA)")
    asked = parser.parse_args()
    folder = model_folder(asked.model)
    tracker = load(asked.model, device="cpu")
    record = {**read_record(folder), **model_scores(tracker, data_folder(asked.data))}
    hardware = f"{platform.machine()} CPU, encoder by {tracker.encoder.backend.name}"
    command = shlex.join(["python", "-m", "petra.evaluation.model_record", *sys.argv[1:]])
    result = result_of(record, folder, hardware=hardware, command=command)
    for path, values in ((folder / RECORD, record), (asked.results / f"gap-{record['name']}.json", result)):
        write_atomically(path, (json.dumps(values, indent=2) + "\n").encode())


if __name__ == "__main__":
    main()
