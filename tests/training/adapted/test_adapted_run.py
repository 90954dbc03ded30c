"""Adapted models trained on small corpora of our own: adapter, memory and span head learn together."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from adapted_corpora import write_adapted_corpora
from numpy.testing import assert_allclose
from tiny import tiny_bert

import petra
from petra.config import (
    AdapterConfig,
    EncoderConfig,
    MemoryConfig,
    RunConfig,
    SpanConfig,
    SupervisionConfig,
    TrainingConfig,
)
from petra.corpora.gap import read_gap
from petra.linking.scorer import feature_weights, initial_weights
from petra.text.tokenize import Tokenizer
from petra.trained import load_trained, save_trained
from petra.training.adapted.batches import labelled_spans, make_batch
from petra.training.adapted.model import adapted_model
from petra.training.adapted.passages import FEATURE_NAMES
from petra.training.adapted.training import Epoch
from petra.training.adapted.validation import link_probabilities
from petra.training.data.pseudo_labels import pseudo_label, undo_loss_weights
from petra.training.data.training_data import LabelledInstance, TrainingData, read_training_data, snippets
from petra.training.objective import Hooks
from petra.training.run import run_recipe

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_adapted_corpora(tmp_path_factory.mktemp("data"))


def config(encoder: Path) -> RunConfig:
    return RunConfig(
        name="tiny",
        seeds=(1,),
        encoder=EncoderConfig(name=str(encoder), layers=(2, 3), window=20, margin=4),
        memory=MemoryConfig(num_cells=3, hidden_size=12, mlp_size=10),
        training=TrainingConfig(
            max_epochs=24,
            batch_size=4,
            learning_rate=5e-3,
            dropout=0.0,
            temperature=0.1,
            tempered_noise=False,
            mention_loss_weight=0.0,
        ),
        adapter=AdapterConfig(rank=2, dropout=0.0, learning_rate=5e-3),
        spans=SpanConfig(max_width=6, size=8),
        supervision=SupervisionConfig(passages=1, passage_tokens=30, mention_weight=1.0),
    )


def with_short_texts(encoder: Path) -> RunConfig:
    """The recipe with windows that hold short texts, and passages of several windows."""
    recipe = config(encoder)
    supervision = replace(recipe.supervision, passage_tokens=100, short_texts=2, synthetic_documents=60)
    return replace(recipe, encoder=replace(recipe.encoder, window=64), supervision=supervision)


@pytest.fixture(scope="module")
def roomy_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny encoder with room for longer windows."""
    return tiny_bert(tmp_path_factory.mktemp("encoder") / "roomy-bert", positions=72)


@pytest.fixture(scope="module")
def trained(corpora: Path, roomy_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Epoch]]:
    """The folder of a trained seed, and its epochs."""
    folder, epochs = tmp_path_factory.mktemp("adapted"), list[Epoch]()
    run_recipe(with_short_texts(roomy_encoder), corpora, folder, device=CPU, hooks=Hooks(on_epoch=epochs.append))
    return folder, epochs


@pytest.fixture
def data_with_texts(corpora: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpora, and a text without labels that tells whom its pronouns mean."""
    folder = tmp_path_factory.mktemp("texts")
    for corpus in corpora.iterdir():
        (folder / corpus.name).symlink_to(corpus)
    (folder / "wikitext2").mkdir()
    lines = b" = Kew =\n\nLena Brook met Paul Shepherd. She told him.\n"
    (folder / "wikitext2/part.raw.gz").write_bytes(gzip.compress(lines))
    return folder


def test_mentions_spans_and_links_are_learned_from_passages(trained: tuple[Path, list[Epoch]]) -> None:
    _, epochs = trained
    assert [epoch.epoch for epoch in epochs] == list(range(1, 25))
    for loss in ("link", "span", "mention"):
        assert epochs[-1].losses[loss] < epochs[0].losses[loss], loss
        assert epochs[-1].losses[f"short_{loss}"] < epochs[0].losses[f"short_{loss}"], loss
    assert all(epoch.validation.links_right.keys() == {"litbank", "gum"} for epoch in epochs)


def test_links_of_pronouns_are_learned_from_gap(corpora: Path, tiny_encoder: Path, tmp_path: Path) -> None:
    recipe = replace(config(tiny_encoder), supervision=SupervisionConfig())
    epochs = list[Epoch]()
    run_recipe(recipe, corpora, tmp_path, device=CPU, hooks=Hooks(on_epoch=epochs.append))
    assert epochs[-1].losses.keys() == {"gap"}
    assert epochs[-1].losses["gap"] < epochs[0].losses["gap"]


def test_an_epoch_of_so_many_steps_learns_without_gap(
    roomy_encoder: Path, tmp_path: Path, data_with_texts: Path
) -> None:
    recipe = with_short_texts(roomy_encoder)
    supervision = replace(recipe.supervision, synthetic_documents=0, steps=3, distant_texts=2)
    recipe = replace(recipe, training=replace(recipe.training, max_epochs=2), supervision=supervision)
    epochs, batches = list[Epoch](), list[tuple[int, int]]()
    hooks = Hooks(on_epoch=epochs.append, on_batch=lambda done, whole: batches.append((done, whole)))
    run_recipe(recipe, data_with_texts, tmp_path, device=CPU, hooks=hooks)
    assert batches == 2 * [(1, 3), (2, 3), (3, 3)]
    names = {"link", "span", "mention", "right"}
    expected = names | {f"short_{name}" for name in names} | {"distant_link", "distant_right"}
    assert all(epoch.losses.keys() == expected for epoch in epochs)
    assert all("distant_link" in epoch.line and "gap" not in epoch.line for epoch in epochs)
    assert load_trained(tmp_path / "seed-1").config.supervision.steps == 3


def test_the_best_epoch_is_kept_with_all_its_parts(trained: tuple[Path, list[Epoch]]) -> None:
    folder, epochs = trained
    model = load_trained(folder / "seed-1")
    best = max(epochs, key=lambda epoch: (epoch.validation.overall, epoch.epoch))
    assert model.record["best_epoch"] == best.epoch
    assert model.record["validation_f1"] == best.validation.f1
    assert model.record["links_right"] == best.validation.links_right
    parts = {name.partition(".")[0] for name in model.weights if "." in name}
    assert parts == {"adapter", "spans", "linking"}
    assert model.memory_weights.keys() < model.weights.keys()
    assert model.weights["adapter.encoder.layer.0.attention.self.query.a"].any()


def test_the_weights_of_linking_are_learned_and_kept(trained: tuple[Path, list[Epoch]], corpora: Path) -> None:
    folder, _ = trained
    model = load_trained(folder / "seed-1")
    data = read_training_data(model.config, Tokenizer.from_folder(Path(model.config.encoder.name)), corpora)
    compared = [it.comparisons for it in (*data.passages, *data.short_parts, *data.short_synthetic)]
    rows = [features for each in compared for features in (each.features, each.new_person)]
    seen = {FEATURE_NAMES[feature] for features in rows for feature in features.feature.tolist()}
    learned, initial = feature_weights(model.weights), initial_weights()
    moved = {name for name, weight in learned.items() if weight != pytest.approx(initial[name], abs=1e-6)}
    assert {"gender_conflict", "new_name", "last_mentioned"} <= moved <= seen
    assert learned.keys() == initial.keys()
    assert adapted_model(model, CPU).linking.tolist() == pytest.approx([learned[name] for name in FEATURE_NAMES])


def test_a_kept_model_links_with_its_own_weights(trained: tuple[Path, list[Epoch]], tmp_path: Path) -> None:
    folder, _ = trained
    model = load_trained(folder / "seed-1")
    found = {}
    for weight in (-1000.0, 1000.0):  # nobody is new, if others are known; or everybody
        new = {f"linking.new_{kind}": torch.tensor(weight) for kind in ("name", "nominal", "pronoun")}
        more = {"spans.out_bias": model.weights["spans.out_bias"] + 6}  # so that there are some mentions
        save_trained(tmp_path / f"{weight}", replace(model, weights={**model.weights, **new, **more}))
        tracking = petra.load(tmp_path / f"{weight}", device="cpu").track("Ada Vale met Paul Brook. He told Lena.")
        found[weight] = [len(person.mentions) for person in tracking.people]
    assert sum(found[1000.0]) > 1
    assert set(found[1000.0]) == {1}
    assert len(found[-1000.0]) < len(found[1000.0])


def test_a_kept_model_reads_and_tracks(trained: tuple[Path, list[Epoch]], corpora: Path) -> None:
    folder, _ = trained
    model = load_trained(folder / "seed-1")
    links = link_probabilities(adapted_model(model, CPU), read_gap(corpora, "validation"))
    assert links.shape == (3, 2)
    tracker = petra.load(folder / "seed-1", device="cpu")
    log = next(tracker.logs([read_gap(corpora, "validation")[0].text]))
    instance = read_gap(corpora, "validation")[0]
    # One reads in half precision what the encoder says, the other skips tokens that hardly matter.
    assert log.link_probability(instance.a, instance.pronoun) == pytest.approx(links[0, 0], abs=0.03)


def test_a_seed_that_is_there_is_not_trained_again(
    trained: tuple[Path, list[Epoch]], corpora: Path, roomy_encoder: Path
) -> None:
    folder, _ = trained
    again = list[Epoch]()
    recipe = with_short_texts(roomy_encoder)
    result = run_recipe(recipe, corpora, folder, device=CPU, hooks=Hooks(on_epoch=again.append))
    assert not again
    (run,) = result["runs"]
    assert load_trained(folder / "seed-1").record.items() >= run.items()


def test_the_weights_of_right_and_wrong_links_are_undone() -> None:
    # Where p = 1/2, P_CL is 5 * 1/2 / (5 * 1/2 + 50 * 1/2) = 1/11.
    links = np.array([[1 / 11, 0.0], [1.0, 0.5]])
    assert_allclose(undo_loss_weights(links, TrainingConfig()), [[0.5, 0.0], [1.0, 10 / 11]])


def test_soft_labels_are_the_probabilities_of_the_teachers(trained: tuple[Path, list[Epoch]], corpora: Path) -> None:
    folder, _ = trained
    instances = read_gap(corpora, "validation")
    found = pseudo_label([folder / "seed-1"], instances, CPU)
    links = link_probabilities(adapted_model(load_trained(folder / "seed-1"), CPU), instances)
    assert [labelled.instance for labelled in found] == instances
    assert_allclose([labelled.soft_labels for labelled in found], undo_loss_weights(links, TrainingConfig()))


def test_a_soft_label_is_two_pairs_of_shared_weight(corpora: Path, tiny_encoder: Path) -> None:
    from petra.encoder.pretrained import PretrainedEncoder

    recipe = config(tiny_encoder)
    encoder = PretrainedEncoder.load(recipe.encoder)
    (instance, *_) = read_gap(corpora, "development")
    (ready,) = snippets(recipe, encoder, [LabelledInstance(instance, (0.2, 1.0))])
    # A and the pronoun: linked by 0.2 of 5, not by 0.8 of 50. B: linked. A and B: never.
    assert [(pair.label, pair.weight) for pair in ready.example.pairs] == [
        (1, pytest.approx(1.0)),
        (0, pytest.approx(40.0)),
        (1, 5.0),
        (0, 50.0),
    ]
    batch = make_batch([ready.example], 2, CPU)
    assert batch.real.shape == (batch.real.shape[0], 2)
    assert batch.pairs.weight.sum(1).tolist() == [pytest.approx(96.0), 0.0]


def test_an_instance_labels_spans(corpora: Path, tiny_encoder: Path) -> None:
    from petra.encoder.pretrained import PretrainedEncoder

    encoder = PretrainedEncoder.load(config(tiny_encoder).encoder)
    instance = read_gap(corpora, "development")[0]  # Amelia Shepherd met Lena Brook, and she was ...
    document = encoder.tokenizer.tokenize(instance.text)
    spans = labelled_spans(instance, document, 24)
    words = [(instance.text[document.starts[it.first] : document.ends[it.last]], it.kind) for it in spans]
    assert words == [
        ("Amelia Shepherd", 1),
        ("Amelia", 0),
        ("Shepherd", 0),
        ("Lena Brook", 1),
        ("Lena", 0),
        ("Brook", 0),
        ("she", 3),
    ]
    assert len(labelled_spans(instance, document, 1)) < len(spans)  # wider ones are left out


def test_an_epoch_has_all_of_gap_and_some_of_the_rest(corpora: Path, tiny_encoder: Path) -> None:
    recipe = config(tiny_encoder)
    recipe = replace(recipe, supervision=replace(recipe.supervision, synthetic=2, pseudo_labels=5))
    training = read_gap(corpora, "development")
    synthetic = [LabelledInstance(replace(it, id=f"synthetic-{it.id}")) for it in training]
    data = TrainingData(
        training=training,
        validation=(),
        synthetic=synthetic,
        pseudo_labelled=[LabelledInstance(training[0], (0.5, 0.5))],
    )
    epoch = data.epoch(recipe, np.random.default_rng(0))
    assert len(epoch) == 6 + 2 + 1
    assert data.steps(recipe) == 3  # 9 instances in batches of 4
    assert [labelled.instance for labelled in epoch[:6]] == training
    assert sum(labelled.instance.id.startswith("synthetic") for labelled in epoch) == 2
    assert epoch[-1].soft_labels == (0.5, 0.5)


def test_half_of_what_is_drawn_is_feminine(corpora: Path, tiny_encoder: Path) -> None:
    recipe = config(tiny_encoder)
    recipe = replace(recipe, supervision=replace(recipe.supervision, synthetic=4, pseudo_labels=9))
    (instance, *_) = read_gap(corpora, "development")
    women, men = (replace(instance, gender=gender) for gender in ("feminine", "masculine"))
    data = TrainingData(
        training=(),
        validation=(),
        synthetic=[LabelledInstance(women)] * 9 + [LabelledInstance(men)] * 2,
        pseudo_labelled=[LabelledInstance(men)] * 9,
    )
    epoch = data.epoch(recipe, np.random.default_rng(0))
    assert [labelled.instance.gender for labelled in epoch] == ["masculine"] * 2 + ["feminine"] * 2 + ["masculine"] * 9


def test_a_share_of_an_epoch_is_swapped(corpora: Path, tiny_encoder: Path) -> None:
    recipe = config(tiny_encoder)
    recipe = replace(recipe, supervision=replace(recipe.supervision, swapped=1.0))
    data = read_training_data(recipe, Tokenizer.from_folder(tiny_encoder), corpora)
    first, second = (data.epoch(recipe, np.random.default_rng(seed)) for seed in (0, 1))
    changed = [labelled.instance.text != it.text for labelled, it in zip(first, data.training, strict=True)]
    assert sum(changed) >= 4
    assert first != second
    for (labelled, _), it in zip(first, data.training, strict=True):
        assert (labelled.a_coref, labelled.b_coref) == (it.a_coref, it.b_coref)
        assert labelled.text[labelled.pronoun.start : labelled.pronoun.end].isalpha()
