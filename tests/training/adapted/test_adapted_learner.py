"""A learner step by step: its losses, the weights of linking, the average of its weights, and the batches read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from gap_corpus import write_gap_corpus
from marked_texts import marked
from torch import Tensor
from torch.testing import assert_close

from petra.config import (
    AdapterConfig,
    EncoderConfig,
    MemoryConfig,
    RunConfig,
    SpanConfig,
    SupervisionConfig,
    TrainingConfig,
)
from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.gap import read_gap
from petra.encoder.pretrained import PretrainedEncoder
from petra.linking.scorer import initial_weights
from petra.training.adapted.learner import AdaptedLearner
from petra.training.adapted.model import linking_tensor
from petra.training.adapted.passages import AnnotatedPassage, annotated_passage, distant_passage
from petra.training.data.training_data import LabelledInstance, snippets

CPU = torch.device("cpu")
LATE = marked(
    "Mary told John that he was late.", ("Mary", "name", "mary"), ("John", "name", "john"), ("he", "pronoun", "john")
)
SISTER = marked(
    "Lena and her sister saw Amelia.",
    ("Lena", "name", "lena"),
    ("her sister", "nominal", "sister"),
    (">her", "pronoun", "lena"),
    ("Amelia", "name", "amelia"),
)


def recipe(encoder: Path, ema_decay: float, max_width: int = 0) -> RunConfig:
    return RunConfig(
        name="tiny",
        encoder=EncoderConfig(name=str(encoder), layers=(2, 3), window=40, margin=4),
        memory=MemoryConfig(num_cells=3, hidden_size=12, mlp_size=10),
        training=TrainingConfig(batch_size=4, dropout=0.0, learning_rate=5e-3),
        adapter=AdapterConfig(rank=2, dropout=0.0, ema_decay=ema_decay),
        spans=SpanConfig(max_width=max_width, size=8),
    )


def new_learner(encoder: Path) -> AdaptedLearner:
    config = recipe(encoder, 0.0, max_width=4)
    return AdaptedLearner(config, PretrainedEncoder.load(config.encoder), seed=1, steps=10, device=CPU)


def passage_of(learner: AdaptedLearner, annotated: AnnotatedDocument) -> AnnotatedPassage:
    return annotated_passage(learner.encoder.tokenizer.tokenize(annotated.text), annotated)


def distant_of(learner: AdaptedLearner, annotated: AnnotatedDocument) -> AnnotatedPassage:
    return distant_passage(learner.encoder.tokenizer.tokenize(annotated.text), annotated)


def linking_of(learner: AdaptedLearner) -> dict[str, float]:
    weights = learner.weights.items()
    return {name.removeprefix("linking."): float(weight) for name, weight in weights if name.startswith("linking.")}


def steps(config: RunConfig, data: Path, count: int) -> tuple[AdaptedLearner, list[dict[str, Tensor]]]:
    """A learner after so many steps, and its weights after each."""
    learner = AdaptedLearner(config, PretrainedEncoder.load(config.encoder), seed=1, steps=count + 1, device=CPU)
    ready = snippets(
        config, learner.encoder, [LabelledInstance(instance) for instance in read_gap(data, "development")]
    )
    found = []
    for _ in range(count):
        learner.step(ready[:3], [], 0.5)
        found.append({name: value.clone() for name, value in learner.weights.items()})
    return learner, found


def same(ours: dict[str, Tensor], theirs: dict[str, Tensor]) -> bool:
    return all(torch.allclose(value, theirs[name], atol=1e-7) for name, value in ours.items())


def test_the_average_reaches_back_as_far_as_asked(tiny_encoder: Path, tmp_path: Path) -> None:
    learner, after = steps(recipe(tiny_encoder, 0.6, max_width=4), write_gap_corpus(tmp_path), 4)
    # Of the first two steps the plain mean; then the newest has a share of 0.4, as 1 / 3 would be less.
    average = {name: (value + after[1][name]) / 2 for name, value in after[0].items()}
    for newest in after[2:]:
        average = {name: 0.6 * value + 0.4 * newest[name] for name, value in average.items()}
    assert not same(average, after[-1])
    with learner.averaged():
        assert same(learner.weights, average)
    assert same(learner.weights, after[-1])  # it goes on from where it was


def test_without_an_average_the_newest_weights_are_kept(tiny_encoder: Path, tmp_path: Path) -> None:
    learner, after = steps(recipe(tiny_encoder, 0.0), write_gap_corpus(tmp_path), 2)
    assert not same(after[0], after[1])
    with learner.averaged():
        assert same(learner.weights, after[-1])


def test_windows_are_padded_to_a_shape(tiny_encoder: Path, tmp_path: Path) -> None:
    encoder = PretrainedEncoder.load(recipe(tiny_encoder, 0.0).encoder)
    documents = [encoder.tokenizer.tokenize(each.text) for each in read_gap(write_gap_corpus(tmp_path), "validation")]
    windows = [window for document in documents[:2] for window in encoder.split(document.token_ids)]
    token_ids, attention_mask = encoder.pad(windows, tokens=32, rows=5)
    special = len(encoder.tokenizer.prefix) + len(encoder.tokenizer.suffix)
    assert token_ids.shape == attention_mask.shape == (5, 32 + special)
    assert attention_mask.sum(1).tolist()[:2] == [len(window.token_ids) + special for window in windows]
    assert token_ids[1].tolist() == token_ids[2].tolist() == token_ids[4].tolist()  # the last one fills up
    plain, own = encoder.encode_windows(windows), encoder.features(token_ids, attention_mask.long())
    for alone, padded in zip(plain, encoder.unpad(own, windows), strict=True):
        assert torch.allclose(alone, padded, atol=1e-5)


def test_the_losses_of_a_step_have_names(tiny_encoder: Path, tmp_path: Path) -> None:
    learner = new_learner(tiny_encoder)
    (ready,) = snippets(
        learner.config, learner.encoder, [LabelledInstance(read_gap(write_gap_corpus(tmp_path), "development")[0])]
    )
    late, sister = passage_of(learner, LATE), passage_of(learner, SISTER)
    of_passages, of_short = {"link", "span", "mention", "right"}, {"short_link", "short_span", "short_mention"}
    assert learner.step([ready], [], 0.5).keys() == {"gap"}
    assert learner.step([ready], [late], 0.5).keys() == {"gap"} | of_passages
    losses = learner.step([ready], [late], 0.5, [sister, late])
    assert losses.keys() == {"gap"} | of_passages | of_short | {"short_right"}
    assert all(loss == loss for loss in losses.values())


def test_distant_texts_alone_are_learned_from(tiny_encoder: Path) -> None:
    learner = new_learner(tiny_encoder)
    texts = [distant_of(learner, LATE), distant_of(learner, SISTER)]
    before = {name: value.clone() for name, value in learner.weights.items()}
    losses = [learner.step([], [], 0.5, (), texts) for _ in range(9)]
    assert all(each.keys() == {"distant_link", "distant_right"} for each in losses)
    assert losses[-1]["distant_link"] < losses[0]["distant_link"]
    moved = {name for name, value in learner.weights.items() if not torch.equal(value, before[name])}
    assert any(name.startswith("adapter.") for name in moved)
    # They have no features, and teach no spans.
    assert not any(name.startswith(("linking.", "spans.")) for name in moved)


def test_the_loss_of_distant_texts_is_that_of_their_pronouns(tiny_encoder: Path) -> None:
    # One pronoun each, he of three mentions and her of four: the mean of both, whether read together or alone.
    learner = new_learner(tiny_encoder)
    late, sister = distant_of(learner, LATE), distant_of(learner, SISTER)
    assert (int(late.is_learned.sum()), int(sister.is_learned.sum())) == (1, 1)
    learner.encoder.model.eval()

    def link(*texts: AnnotatedPassage) -> Tensor:
        encoded = [learner.encode([each]) for each in texts]  # padding would show in bfloat16
        return learner.distant_loss(texts, torch.cat(encoded), lambda hidden: hidden)[0]

    assert_close(link(late, sister), (link(late) + link(sister)) / 2)


def test_distant_texts_count_by_their_weight(tiny_encoder: Path) -> None:
    gradients = []
    for weight in (0.01, 0.005):  # so small that the gradient is not clipped
        learner = new_learner(tiny_encoder)
        learner.config = replace(learner.config, supervision=SupervisionConfig(distant_weight=weight))
        learner.step([], [], 0.5, (), [distant_of(learner, LATE)])
        gradients.append(torch.cat([it.grad.flatten() for it in learner.parameters if it.grad is not None]))
    assert gradients[0].any()
    assert_close(gradients[1], gradients[0] / 2)


def test_a_short_text_and_a_passage_teach_the_same(tiny_encoder: Path, tmp_path: Path) -> None:
    data = write_gap_corpus(tmp_path)
    learned = []
    for as_short in (False, True):
        learner = new_learner(tiny_encoder)
        for module in learner.encoder.model.modules():  # drops other features of a batch of another shape
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0
        ready = snippets(learner.config, learner.encoder, [LabelledInstance(it) for it in read_gap(data, "validation")])
        texts = [passage_of(learner, LATE), passage_of(learner, SISTER)]
        losses = learner.step(ready, [], 0.5, texts) if as_short else learner.step(ready, texts, 0.5)
        learned.append({name.removeprefix("short_"): float(loss) for name, loss in losses.items()})
    assert learned[0] == pytest.approx(learned[1], abs=1e-4)


def test_links_of_many_passages_are_those_of_each(tiny_encoder: Path) -> None:
    # The loss is a mean over mentions: 3 of one passage, 4 of the other.
    learner = new_learner(tiny_encoder)
    late, sister = passage_of(learner, LATE), passage_of(learner, SISTER)
    learner.encoder.model.eval()
    one, other = (learner.passage_losses([each], learner.encode([each])) for each in (late, sister))
    both = learner.passage_losses([late, sister], learner.encode([late, sister]))
    assert_close(both.link, (3 * one.link + 4 * other.link) / 7)
    assert_close(both.right, (3 * one.right + 4 * other.right) / 7)


def test_features_outweigh_the_memory(tiny_encoder: Path) -> None:
    # Mary is new for sure, John has another name, and he is of John's gender, not of Mary's: 100 times what names tell.
    learner = new_learner(tiny_encoder)
    late = passage_of(learner, LATE)
    weights = dict.fromkeys(initial_weights(), 0.0) | {"unrelated_name": -100.0, "gender_agreement": 100.0}
    learner.linking = torch.nn.Parameter(linking_tensor(weights, CPU))
    sure = learner.passage_losses([late], learner.encode([late]))
    assert float(sure.right) == 1
    assert float(sure.link.detach()) == pytest.approx(0, abs=1e-6)
    learner.linking = torch.nn.Parameter(linking_tensor(weights | {"gender_conflict": 400.0}, CPU))
    wrong = learner.passage_losses([late], learner.encode([late]))
    assert float(wrong.right) == pytest.approx(2 / 3)  # he is taken for Mary; John keeps to his name


def test_a_step_moves_the_weights_of_the_features_it_saw(tiny_encoder: Path, tmp_path: Path) -> None:
    learner = new_learner(tiny_encoder)
    ready = snippets(
        learner.config,
        learner.encoder,
        [LabelledInstance(instance) for instance in read_gap(write_gap_corpus(tmp_path), "validation")],
    )
    assert linking_of(learner) == pytest.approx(dict(initial_weights()))
    with torch.no_grad():
        learner.linking.zero_()
    for _ in range(2):  # the learning rate begins at 0
        learner.step(ready, [passage_of(learner, LATE)], 0.5)
    weights = linking_of(learner)
    # Who is not meant has a conflict of gender, who is meant agrees: the former falls, the latter rises.
    assert weights["gender_conflict"] < 0 < weights["gender_agreement"]
    assert weights["unrelated_name"] < 0 < weights["new_name"]  # John is not Mary, but new
    assert weights["new_pronoun"] < 0  # he is not new
    seen = {"gender_conflict", "gender_agreement", "unrelated_name", "new_name", "new_pronoun", "often_mentioned"}
    seen |= {"last_mentioned", "mentioned_before_last", "number_agreement"}
    assert {name for name, weight in weights.items() if weight} == seen


def test_a_model_without_weights_of_linking_begins_with_the_initial_ones(tiny_encoder: Path) -> None:
    learner, other = new_learner(tiny_encoder), new_learner(tiny_encoder)
    weights = {name: value + 1 for name, value in other.weights.items()}
    learner.initialise_from(weights)
    assert linking_of(learner) == pytest.approx({name: value + 1 for name, value in initial_weights().items()})
    learner.initialise_from({name: value for name, value in weights.items() if not name.startswith("linking.")})
    assert linking_of(learner) == pytest.approx(dict(initial_weights()))
