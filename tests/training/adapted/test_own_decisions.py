"""Annotated texts read by a model: a mention's right person is known after mistakes too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from adapted_corpora import write_adapted_corpora
from marked_texts import marked
from scripted_people import LABELS, ScriptedMemory
from tiny import TINY_RECIPE

from petra.config import AdapterConfig, EncoderConfig, SpanConfig, SupervisionConfig
from petra.corpora.annotated import AnnotatedDocument
from petra.encoder.pretrained import PretrainedEncoder
from petra.linking.linker import Linker
from petra.linking.scorer import initial_weights
from petra.text.tokenize import Tokenizer
from petra.training.adapted.learner import AdaptedLearner
from petra.training.adapted.own_decisions import decisions, own_passages
from petra.training.adapted.passages import AnnotatedPassage, annotated_passage, by_head, decided_passage, previous
from petra.training.adapted.training import Epoch
from petra.training.objective import Hooks
from petra.training.run import run_recipe

CPU = torch.device("cpu")
PARTY = marked(
    "Ada met Mary. She smiled, and Mary thanked her. Mary waved.",
    ("Ada", "name", "ada"),
    ("Mary", "name", "mary"),
    ("She", "pronoun", "ada"),
    ("Mary", "name", "mary"),
    ("her", "pronoun", "ada"),
    ("Mary", "name", "mary"),
)
RIGHT = [1, 2, 1, 2, 1, 2]


@pytest.fixture(scope="module")
def tokenizer(tiny_encoder: Path) -> Tokenizer:
    return Tokenizer.from_folder(tiny_encoder)


def decided(tokenizer: Tokenizer, annotated: AnnotatedDocument, taken_for: list[int]) -> AnnotatedPassage:
    """The passage of a model that takes each mention for the person of this number."""
    document = tokenizer.tokenize(annotated.text)
    kept = by_head(document, annotated)
    linker = Linker(ScriptedMemory(LABELS, strength=1000.0), initial_weights())
    hidden = np.eye(LABELS, dtype=np.float32)[taken_for]
    found = list(decisions(linker, annotated.text, kept, hidden, [None] * len(taken_for)))
    assert [each.person for each in found] == taken_for
    return decided_passage(document, annotated, kept, found)


def right_persons(passage: AnnotatedPassage) -> list[int | None]:
    """For each mention the place of the right person's latest mention, None where that is a new person."""
    rows = passage.comparisons
    found = dict(zip(rows.mention[rows.is_same].tolist(), rows.latest[rows.is_same].tolist(), strict=True))
    return [found.get(mention) for mention in range(len(passage.head))]


def test_right_decisions_give_the_passage_of_teacher_forcing(tokenizer: Tokenizer) -> None:
    ours, forced = decided(tokenizer, PARTY, RIGHT), annotated_passage(tokenizer.tokenize(PARTY.text), PARTY)
    assert (ours.person - 1).tolist() == forced.person.tolist()
    assert ours.is_learned.all()
    for name in ("mention", "latest", "distance", "is_same"):
        assert getattr(ours.comparisons, name).tolist() == getattr(forced.comparisons, name).tolist(), name
    for sparse in ("features", "new_person"):
        for part in ("row", "feature", "value"):
            ours_part, forced_part = (getattr(getattr(it.comparisons, sparse), part) for it in (ours, forced))
            assert ours_part.tolist() == forced_part.tolist()


def test_after_a_mistake_a_person_is_whoever_its_names_are_of(tokenizer: Tokenizer) -> None:
    # "She" goes to Mary, who stays Mary; "her" is Ada's, whose last mention is still her name.
    found = decided(tokenizer, PARTY, [1, 2, 2, 2, 1, 2])
    assert right_persons(found) == [None, None, 0, 2, 0, 3]
    assert previous(found).tolist() == [-1, -1, 1, 2, 0, 3]
    assert found.is_learned.all()


def test_a_second_person_for_somebody_is_wrong(tokenizer: Tokenizer) -> None:
    # The second "Mary" is made a person of her own. The first has as many mentions, and the third "Mary" is hers.
    assert right_persons(decided(tokenizer, PARTY, [1, 2, 1, 3, 1, 2])) == [None, None, 0, 1, 2, 1]


def test_of_somebody_who_was_lost_a_pronoun_teaches_nothing(tokenizer: Tokenizer) -> None:
    # The names of Ada and Mary are made one person, which is Ada until Mary has more names.
    lost = decided(tokenizer, PARTY, [1, 1, 1, 1, 1, 1])
    assert lost.is_learned.tolist() == [True, True, True, True, False, True]
    assert right_persons(lost) == [None, None, 1, None, None, 4]


def test_a_model_reads_many_texts_as_it_reads_one(tiny_encoder: Path) -> None:
    recipe = replace(
        TINY_RECIPE,
        encoder=EncoderConfig(name=str(tiny_encoder), layers=(2, 3), window=40, margin=4),
        adapter=AdapterConfig(rank=2, dropout=0.0),
        spans=SpanConfig(max_width=6, size=8, name_gender=True),
    )
    model = AdaptedLearner(recipe, PretrainedEncoder.load(recipe.encoder), seed=1, steps=1, device=CPU)
    short = marked("Paul left.", ("Paul", "name", "paul"))
    together = list(own_passages(model, [PARTY, short]))
    assert [len(each.head) for each in together] == [6, 1]
    for annotated, ours in zip([PARTY, short], together, strict=True):
        (alone,) = own_passages(model, [annotated])
        assert ours.person.tolist() == alone.person.tolist()
        assert ours.comparisons.is_same.tolist() == alone.comparisons.is_same.tolist()


@pytest.mark.parametrize("own_decisions", [0, 2])
def test_own_decisions_are_learned_from_in_training(tiny_encoder: Path, tmp_path: Path, own_decisions: int) -> None:
    recipe = replace(
        TINY_RECIPE,
        encoder=EncoderConfig(name=str(tiny_encoder), layers=(2, 3), window=40, margin=4),
        training=replace(TINY_RECIPE.training, max_epochs=1),
        adapter=AdapterConfig(rank=2, dropout=0.0),
        spans=SpanConfig(max_width=6, size=8),
        supervision=SupervisionConfig(passages=1, passage_tokens=30, own_decisions=own_decisions, steps=2),
    )
    epochs = list[Epoch]()
    corpora = write_adapted_corpora(tmp_path / "data")
    run_recipe(recipe, corpora, tmp_path / "run", device=CPU, hooks=Hooks(on_epoch=epochs.append))
    assert ("short_link" in epochs[0].losses) == (own_decisions > 0)
