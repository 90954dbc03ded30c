from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from tiny_corpus import FEATURES, TinyCorpus, tiny_corpus, tiny_learner, tiny_recipe
from torch.testing import assert_close

from petra.config import MemoryConfig, Variant
from petra.log.memory_log import MemoryLog
from petra.memory.gates import Gates
from petra.memory.models import make_model
from petra.memory.network import Network
from petra.training import learner as learner_module
from petra.training.examples import Example
from petra.training.learner import CorpusReader, Learner

RATES = torch.tensor([1e-2, 1e-2])


def reading_network() -> Network:
    """Two models that decide plainly, so that links differ."""
    network = Network(MemoryConfig(num_cells=3, hidden_size=8, mlp_size=8), FEATURES, seeds=(1, 2))
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.mul_(4)
    return network


def with_long_names(corpus: TinyCorpus) -> TinyCorpus:
    """The corpus with A, B and the pronoun two tokens long where there is room."""

    def pairs(example: Example, name: int) -> tuple[tuple[int, int], ...]:
        [(first, second)] = example.links[name]
        firsts, seconds = ({at, min(at + 1, example.length - 1)} for at in (first, second))
        return tuple((min(one, other), max(one, other)) for one in sorted(firsts) for other in sorted(seconds))

    return replace(corpus, examples=tuple(replace(it, links=(pairs(it, 0), pairs(it, 1))) for it in corpus.examples))


def log_of(gates: Gates, model: int, length: int) -> MemoryLog:
    """The log of a text read alone, whose tokens are characters."""
    e, c, o, u = (values[model, :length, 0].numpy() for values in gates)
    return MemoryLog(
        text="x" * length,
        model="tiny",
        threshold=0.5,
        starts=np.arange(length),
        ends=np.arange(1, length + 1),
        words=np.arange(length),
        mention_prob=e,
        coref_prob=c,
        overwrite_prob=o,
        usage=u,
    )


def test_links_of_spans_are_those_of_the_log() -> None:
    corpus, network = with_long_names(tiny_corpus(10, seed=3)), reading_network()
    found = CorpusReader(network, corpus.batcher(4)).link_probabilities()  # (2, 10, 2)
    assert found.std() > 0.01
    for text, example in enumerate(corpus.examples):
        features = torch.from_numpy(corpus.rows[corpus.bounds[text] : corpus.bounds[text + 1]]).float()
        with torch.no_grad():
            gates = network.read(features[None, :, None], torch.ones(example.length, 1, dtype=torch.bool))
        for model in range(2):
            log = log_of(gates, model, example.length)
            for name, links in enumerate(example.links):
                span, pronoun = ((min(ends), max(ends) + 1) for ends in zip(*links, strict=True))
                assert found[model, text, name] == pytest.approx(log.link_probability(span, pronoun), abs=1e-5)


def test_gates_come_with_the_numbers_of_their_texts() -> None:
    corpus, network = tiny_corpus(5, seed=3), reading_network()
    seen = []
    for members, gates in CorpusReader(network, corpus.batcher(2)).gates():
        for column, text in enumerate(members):
            real = gates.mention_prob[0, :, column] > 0
            assert int(real.sum()) == corpus.examples[text].length
        seen += members
    assert sorted(seen) == list(range(5))


def test_a_step_is_decided_by_the_seed() -> None:
    corpus, config = tiny_corpus(16, seed=0), tiny_recipe(seeds=(1, 2))
    [batch] = corpus.batcher(16).training(epoch=0, seed=0)
    losses = []
    for _ in range(2):
        learner = tiny_learner(config, corpus)
        losses.append([learner.step(batch, 1.0, RATES) for _ in range(2)])
    assert torch.equal(torch.stack(losses[0]), torch.stack(losses[1]))
    assert not torch.equal(losses[0][0], losses[0][1])


def test_a_model_draws_its_own_random_numbers() -> None:
    corpus = tiny_corpus(16, seed=0)
    [batch] = corpus.batcher(16).training(epoch=0, seed=0)
    together = tiny_learner(tiny_recipe(seeds=(1, 2)), corpus).step(batch, 1.0, RATES)
    alone = tiny_learner(tiny_recipe(seeds=(2,)), corpus).step(batch, 1.0, RATES[:1])
    assert_close(together[1:], alone, atol=1e-6, rtol=1e-6)


@pytest.mark.parametrize(
    ("variant", "loss", "others"),
    [
        ("vanilla", "coreference_loss", ["all_pairs_loss"]),
        ("referential-reader", "all_pairs_loss", ["coreference_loss", "mention_loss"]),
    ],
)
def test_each_kind_of_model_learns_by_its_own_loss(
    monkeypatch: pytest.MonkeyPatch, variant: Variant, loss: str, others: list[str]
) -> None:
    for other in others:
        monkeypatch.delattr(learner_module, other)
    used: list[torch.Tensor] = []
    compute = getattr(learner_module, loss)

    def noted(*arguments: object) -> torch.Tensor:
        used.append(compute(*arguments))
        return used[-1]

    monkeypatch.setattr(learner_module, loss, noted)
    corpus, config = tiny_corpus(16, seed=0), tiny_recipe()
    network = make_model(replace(config.memory, variant=variant), FEATURES, seeds=config.seeds)
    training = replace(config.training, mention_loss_weight=0.0, feature_dropout=0.5)
    learner = Learner(network, corpus.batcher(16), training, config.seeds)
    [batch] = corpus.batcher(16).training(epoch=0, seed=0)
    assert_close(learner.step(batch, 1.0, RATES), used[0].detach())


def test_texts_that_only_fill_up_a_batch_teach_nothing() -> None:
    # Twelve texts in a batch for 16: what stands in the four empty columns is the corpus's first row.
    config, corpus = tiny_recipe(seeds=(1, 2), dropout=0.0), tiny_corpus(12, seed=0)
    changed = replace(corpus, rows=np.concatenate([np.full((1, FEATURES), 9, np.float16), corpus.rows]))
    changed = replace(changed, bounds=corpus.bounds + 1)  # a row that belongs to no text, before all others

    def learned(of: TinyCorpus) -> Learner:
        learner = tiny_learner(config, of)
        for batch in learner.batcher.training(epoch=0, seed=0):
            learner.step(batch, 1.0, RATES)
        return learner

    pairs = zip(learned(corpus).network.parameters(), learned(changed).network.parameters(), strict=True)
    assert all(torch.equal(one, other) for one, other in pairs)
