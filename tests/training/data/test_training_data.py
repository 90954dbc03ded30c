"""Annotated corpora as training takes them: passages, short parts, synthetic documents and what is held out."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from adapted_corpora import write_adapted_corpora
from marked_texts import marked
from tiny import TINY_RECIPE

from petra.config import EncoderConfig, RunConfig, SupervisionConfig
from petra.corpora.litbank import read_litbank
from petra.text.tokenize import Tokenizer
from petra.training.adapted.passages import FEATURE_NAMES, AnnotatedPassage
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


def test_distant_texts_are_passages_of_unlabelled_text(tokenizer: Tokenizer, corpora: Path, tmp_path: Path) -> None:
    for folder in corpora.iterdir():
        (tmp_path / folder.name).symlink_to(folder)
    (tmp_path / "wikitext2").mkdir()
    # The second text has more tokens than a window: 10 and 20 times 3.
    long = f"Lena Brook met Paul Shepherd and {'told him and ' * 20}was late."
    lines = f" = Kew =\n\nLena Brook met Paul Shepherd. She told him.\n\n = Ayr =\n\n{long}\n"
    (tmp_path / "wikitext2/part.raw.gz").write_bytes(gzip.compress(lines.encode()))
    assert not read_training_data(recipe(passages=1), tokenizer, tmp_path).distant
    asked = recipe(distant_texts=2)
    roomy = replace(asked, encoder=replace(asked.encoder, window=100))
    assert {len(it.head) for it in read_training_data(roomy, tokenizer, tmp_path).distant} == {4, 22}
    distant = read_training_data(asked, tokenizer, tmp_path).distant
    assert distant
    for passage in distant:
        assert passage.kind.tolist() == [0, 0, 2, 2]  # Lena Brook, Paul Shepherd, She, him
        assert passage.person.tolist() == [0, 1, 0, 1]
        assert passage.is_learned.tolist() == [False, False, True, True]


def test_own_decisions_are_made_on_parts_that_fit_a_window(tokenizer: Tokenizer, corpora: Path) -> None:
    found = read_training_data(recipe(own_decisions=2), tokenizer, corpora).documents["corpora"]
    assert found
    assert all(document.mentions for document in found)
    assert all(len(tokenizer.tokenize(document.text)) <= WINDOW for document in found)


# Of a woman and a man in 41 words, and in ten.
MIXED = " ".join(["Mrs. Vale met Mr. Pym. She told him."] * 5 + ["It rained."])
BOTH_GENDERS = marked(
    MIXED, *[("Mrs. Vale", "name", "vale"), ("Mr. Pym", "name", "pym"), ("She", "pronoun", "vale")] * 5
)


def test_texts_of_women_and_men_are_learned_a_second_time_as_of_one_gender(
    tokenizer: Tokenizer, corpora: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = replace(BOTH_GENDERS, text=MIXED[:22], mentions=BOTH_GENDERS.mentions[:2])
    women = marked(" ".join(["Mrs. Vale was late."] * 10), *[("Mrs. Vale", "name", "vale")] * 10)
    texts = {"training": (BOTH_GENDERS, short, women), "held_out": (BOTH_GENDERS,)}
    monkeypatch.setattr("petra.training.data.training_data.written_documents", texts.get)
    asked = replace(
        recipe(short_texts=2, written_texts=True), encoder=EncoderConfig(layers=(1, 3), window=200, margin=4)
    )
    conflict = FEATURE_NAMES.index("gender_conflict")

    def conflicts(passages: Sequence[AnnotatedPassage]) -> list[bool]:
        return [conflict in passage.comparisons.features.feature for passage in passages]

    plain = read_training_data(asked, tokenizer, corpora)
    assert conflicts(plain.short_written) == [True, True, False]
    twice = replace(asked, supervision=replace(asked.supervision, one_gender=True))
    found = read_training_data(twice, tokenizer, corpora)
    assert conflicts(found.short_written) == [True, True, False, False]
    assert found.short_written[3].token_ids.tolist() == found.short_written[0].token_ids.tolist()
    assert len(found.held_out["written"]) == 1  # what is held out is as it is


def test_written_texts_longer_than_a_window_are_passages(
    tokenizer: Tokenizer, corpora: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"training": (BOTH_GENDERS, replace(BOTH_GENDERS, text=MIXED[:22], mentions=BOTH_GENDERS.mentions[:2]))}
    monkeypatch.setattr("petra.training.data.training_data.written_documents", lambda part: texts.get(part, ()))
    asked = recipe(passages=1, passage_tokens=80, short_texts=2, written_texts=True)
    found = read_training_data(asked, tokenizer, corpora)
    assert [len(passage.head) for passage in found.short_written] == [2]
    assert [len(passage.head) for passage in found.passages[-3:]] == [15, 15, 15]  # as often as others are cut
    assert len(found.passages[-1]) > WINDOW


def drawn(data: TrainingData, config: RunConfig, steps: int) -> list[tuple[list[int], list[int]]]:
    """The passages of some steps, long and short, by their places in the pools, which follow each other."""
    pools = (*data.passages, *data.short_parts, *data.short_synthetic)
    places = {id(passage): place for place, passage in enumerate(pools)}
    found = islice(data.draw_passages(config, np.random.default_rng(0)), steps)
    return [([places[id(each)] for each in step.long], [places[id(each)] for each in step.short]) for step in found]


def pools(
    read: TrainingData, long: int, parts: int, synthetic: int, written: int = 0, distant: int = 0
) -> TrainingData:
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
        short_written=some(written),
        distant=some(distant),
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


def test_half_of_the_short_texts_are_written(read: TrainingData) -> None:
    # Of seven short texts three are written; of the other four two are parts.
    data = pools(read, 0, 9, 9, written=9)
    (step,) = islice(data.draw_passages(recipe(short_texts=7), np.random.default_rng(0)), 1)
    of_pools = [
        sum(any(each is it for it in pool) for each in step.short)
        for pool in (data.short_written, data.short_parts, data.short_synthetic)
    ]
    assert of_pools == [3, 2, 2]


def test_distant_texts_are_drawn_beside_the_others(read: TrainingData) -> None:
    data = pools(read, 1, 1, 1, distant=4)
    steps = [*islice(data.draw_passages(recipe(passages=1, distant_texts=2), np.random.default_rng(0)), 4)]
    assert all((len(step.long), len(step.short), len(step.distant)) == (1, 0, 2) for step in steps)
    first, second = ([id(each) for step in half for each in step.distant] for half in (steps[:2], steps[2:]))
    assert {*first} == {*second} == {id(each) for each in data.distant}  # all of the pool before any again


def test_an_epoch_of_so_many_steps_is_without_gap(corpora: Path, tokenizer: Tokenizer) -> None:
    data, random = read_training_data(recipe(synthetic=2), tokenizer, corpora), np.random.default_rng(0)
    assert len(data.training) == 6
    asked = recipe(passages=1)  # batches of 4
    assert (data.steps(asked), len(data.epoch(asked, random))) == (2, 6)
    asked = recipe(passages=1, steps=5)
    assert (data.steps(asked), len(data.epoch(asked, random))) == (5, 0)


def test_without_synthetic_documents_short_texts_are_parts(read: TrainingData) -> None:
    (_, short), *_ = drawn(pools(read, 1, 5, 0), recipe(passages=1, short_texts=4), 1)
    assert len(set(short)) == 4
    assert {*short} < {*range(1, 6)}


def test_what_is_not_asked_for_is_not_drawn(read: TrainingData) -> None:
    assert drawn(pools(read, 1, 1, 1), recipe(passages=1), 2) == [([0], []), ([0], [])]
    assert drawn(pools(read, 0, 0, 0), recipe(passages=1, short_texts=2), 1) == [([], [])]
