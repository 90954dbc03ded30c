"""The scores in a result are those of the models that were kept, worked out anew from their folders and logs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gap_corpus import write_gap_corpus
from numpy.typing import NDArray

from petra.config import EncoderConfig, MemoryConfig, RunConfig, TrainingConfig
from petra.corpora.gap import gold_labels, read_gap
from petra.corpora.people_counts import read_people_counts
from petra.encoder.features import cached_features
from petra.encoder.pretrained import PretrainedEncoder
from petra.evaluation.gap_score import decide, score_gap
from petra.evaluation.people_count import CountScore, score_counts
from petra.evaluation.runs import link_probabilities
from petra.evaluation.thresholds import THRESHOLDS
from petra.log.memory_log import MemoryLog
from petra.memory.network import Network
from petra.people.counting import count_people
from petra.trained import load_trained
from petra.training.frozen import corpus as corpus_module
from petra.training.run import run_recipe


class FolderReader:
    """The model of a folder, reading one text after the other."""

    def __init__(self, folder: Path) -> None:
        model = load_trained(folder)
        self.name = model.name
        self._encoder = PretrainedEncoder.load(model.config.encoder)
        self._network = Network(model.config.memory, self._encoder.size)
        self._network.load_state_dict(dict(model.weights))

    def logs(self, texts: Sequence[str], *, cells: int | None = None) -> Iterator[MemoryLog]:
        for text in texts:
            document = self._encoder.tokenizer.tokenize(text)
            features = torch.from_numpy(np.array(cached_features(self._encoder, [document])[0])).float()
            with torch.no_grad():
                gates = self._network.read(features[None, :, None], torch.ones(len(document), 1, dtype=torch.bool))
            e, c, o, u = (values[0, :, 0].numpy() for values in gates)
            yield MemoryLog(
                text=text,
                model=self.name,
                threshold=0.5,
                starts=document.starts,
                ends=document.ends,
                words=document.words,
                mention_prob=e,
                coref_prob=c,
                overwrite_prob=o,
                usage=u,
            )


class Carried:
    """A recipe carried out, and what its people were counted from."""

    def __init__(self, encoder: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.data, self.out = write_gap_corpus(folder / "data"), folder / "out"
        self.counted: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []

        def kept(predicted: NDArray[np.int64], gold: NDArray[np.int64]) -> CountScore:
            self.counted.append((predicted, gold))
            return score_counts(predicted, gold)

        monkeypatch.setattr(corpus_module, "score_counts", kept)
        config = RunConfig(
            name="tiny",
            seeds=(1, 2),
            encoder=EncoderConfig(name=str(encoder), layers=(2, 3), window=40, margin=8),
            memory=MemoryConfig(num_cells=3, hidden_size=8, mlp_size=8),
            training=TrainingConfig(max_epochs=3, batch_size=4, learning_rate=1e-2),
        )
        result = run_recipe(config, self.data, self.out, device=torch.device("cpu"), score_test=True)
        self.runs: list[dict[str, Any]] = result["runs"]

    def reader(self, run: dict[str, Any]) -> FolderReader:
        return FolderReader(self.out / f"seed-{run['seed']}")


@pytest.fixture
def carried(tiny_encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Carried:
    monkeypatch.setenv("PETRA_HOME", str(tmp_path / "home"))
    return Carried(tiny_encoder, tmp_path, monkeypatch)


def test_people_are_counted_in_the_annotated_texts(carried: Carried) -> None:
    rows = read_people_counts(carried.data)
    for run, (predicted, gold) in zip(carried.runs, carried.counted, strict=True):
        logs = carried.reader(run).logs([row.text for row in rows])
        expected = np.stack([count_people(log, THRESHOLDS) for log in logs], axis=1)  # (100, texts)
        assert not np.array_equal(expected[:, 0], expected[:, 1])  # so that it matters which texts are counted
        assert np.array_equal(predicted, expected)
        assert gold.tolist() == [row.count for row in rows]
        score = score_counts(expected, gold)
        assert (run["count_error_best"], run["count_error_two_fold"]) == (score.error_best, score.error_two_fold)


def test_the_test_split_is_scored_at_the_threshold_of_validation(carried: Carried) -> None:
    instances = read_gap(carried.data, "test")
    assert gold_labels(instances).any()
    for run in carried.runs:
        logs = carried.reader(run).logs([instance.text for instance in instances])
        _, links = link_probabilities(logs, instances)
        score = score_gap(decide(links, run["threshold"]), instances)
        assert run["test_f1"] == pytest.approx(score.overall.f1, abs=0.01)
        assert run["masculine_f1"] == pytest.approx(score.masculine.f1, abs=0.01)
        assert run["feminine_f1"] == pytest.approx(score.feminine.f1, abs=0.01)
