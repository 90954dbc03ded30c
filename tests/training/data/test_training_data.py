"""Annotated corpora as training takes them: passages, short parts, synthetic documents and what is held out."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from adapted_corpora import write_adapted_corpora
from tiny import TINY_RECIPE

from petra.config import EncoderConfig, RunConfig, SupervisionConfig
from petra.corpora.litbank import read_litbank
from petra.text.tokenize import Tokenizer
from petra.training.adapted.passages import AnnotatedPassage
from petra.training.data.training_data import TrainingData, read_training_data

WINDOW = 64


def recipe(**supervision: int) -> RunConfig:
    return replace(
        TINY_RECIPE,
        encoder=EncoderConfig(layers=(1, 3), window=WINDOW, margin=4),
        supervision=SupervisionConfig(**supervision),  # type: ignore[arg-type]
    )


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_adapted_corpora(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def tokenizer(tiny_encoder: Path) -> Tokenizer:
    return Tokenizer.from_folder(tiny_encoder)


@pytest.fixture(scope="module")
def read(tokenizer: Tokenizer, corpora: Path) -> TrainingData:
    asked = recipe(passages=2, passage_tokens=80, short_texts=3, synthetic_documents=60)
    return read_training_data(asked, tokenizer, corpora)


def test_a_description_is_of_the_person_it_describes(corpora: Path, read: TrainingData) -> None:
    # Ada Vale, her brother, I, a nurse (the predicate of I), she, him, her, her brother.
    (apart,) = read_litbank(corpora, "validation")
    (joined,) = read_litbank(corpora, "validation", join_descriptions=True)
    words = [[joined.text[it.start : it.end] for it in person] for person in joined.people]
    assert words == [["Ada Vale", "I", "a nurse", "she", "her"], ["Ada Vale's brother", "him", "her brother"]]
    assert [it[:3] for it in joined.mentions] == [it[:3] for it in apart.mentions]
    (held_out,) = read.held_out["litbank"]
    assert held_out.person.tolist() == [0, 1, 0, 0, 0, 1, 0, 1]


def test_passages_are_of_novels_and_of_other_genres(read: TrainingData) -> None:
    # Each document is cut three times: the samples of LitBank, one with 4 mentions in 8 tokens, and twice that of GUM.
    (litbank,), (gum,) = read.held_out["litbank"], read.held_out["gum"]
    assert sum(len(each.head) for each in read.passages) == 3 * (len(litbank.head) + 4 + 2 * len(gum.head))
    assert sum(len(each) for each in read.passages) == 3 * (len(litbank) + 8 + 2 * len(gum))


def test_short_texts_fit_into_a_window(read: TrainingData) -> None:
    for passage in (*read.short_parts, *read.short_synthetic):
        assert 0 < len(passage.head) <= len(passage) <= WINDOW
    assert read.short_parts
    assert 0 < len(read.short_synthetic) < 60  # the longer ones are left out


def test_without_passages_no_annotated_corpus_is_read(tokenizer: Tokenizer, tmp_path: Path, corpora: Path) -> None:
    (tmp_path / "gap").symlink_to(corpora / "gap")
    found = read_training_data(recipe(), tokenizer, tmp_path)
    assert (found.passages, found.short_parts, found.short_synthetic, found.held_out) == ((), (), (), {})


def drawn(data: TrainingData, config: RunConfig, steps: int) -> list[tuple[list[int], list[int]]]:
    """The passages of some steps, long and short, by their places in the pools, which follow each other."""
    pools = (*data.passages, *data.short_parts, *data.short_synthetic)
    places = {id(passage): place for place, passage in enumerate(pools)}
    found = islice(data.draw_passages(config, np.random.default_rng(0)), steps)
    return [([places[id(each)] for each in step.long], [places[id(each)] for each in step.short]) for step in found]


def pools(read: TrainingData, long: int, parts: int, synthetic: int) -> TrainingData:
    """Pools of so many passages each."""
    (passage,) = read.held_out["litbank"]

    def some(count: int) -> list[AnnotatedPassage]:
        return [replace(passage) for _ in range(count)]

    return TrainingData(
        training=(),
        validation=(),
        passages=some(long),
        short_parts=some(parts),
        short_synthetic=some(synthetic),
    )


def test_a_step_has_passages_and_half_of_its_short_texts_are_synthetic(read: TrainingData) -> None:
    steps = drawn(pools(read, 4, 3, 4), recipe(passages=2, short_texts=3), 6)
    assert all((len(long), len(short)) == (2, 3) for long, short in steps)
    for pool, places in (
        (range(4), [place for long, _ in steps for place in long]),
        (range(4, 7), [short[0] for _, short in steps]),  # half of three, rounded down
        (range(7, 11), [place for _, short in steps for place in short[1:]]),
    ):
        passes = [places[first : first + len(pool)] for first in range(0, len(places), len(pool))]
        assert all(sorted(each) == list(pool) for each in passes)  # all of a pool before any again
        assert len({*map(tuple, passes)}) > 1  # in another order


def test_without_synthetic_documents_short_texts_are_parts(read: TrainingData) -> None:
    (_, short), *_ = drawn(pools(read, 1, 5, 0), recipe(passages=1, short_texts=4), 1)
    assert len(set(short)) == 4
    assert {*short} < {*range(1, 6)}


def test_what_is_not_asked_for_is_not_drawn(read: TrainingData) -> None:
    assert drawn(pools(read, 1, 1, 1), recipe(passages=1), 2) == [([0], []), ([0], [])]
    assert drawn(pools(read, 0, 0, 0), recipe(passages=1, short_texts=2), 1) == [([], [])]
