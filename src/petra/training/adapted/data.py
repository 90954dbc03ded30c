"""Training data of adapted models: GAP, synthetic and pseudo-labelled instances, and passages of LitBank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from petra.config import RunConfig
from petra.corpora.gap import GapInstance, read_gap
from petra.corpora.litbank import Part, read_litbank
from petra.corpora.wikitext import read_wikitext
from petra.encoder.pretrained import PretrainedEncoder
from petra.training.adapted.batches import Snippet, labelled_spans
from petra.training.adapted.passages import AnnotatedPassage, whole_passage
from petra.training.examples import make_example
from petra.training.supervision.swapper import Swapper

FOLD = 0  # of LitBank
_MOST_PARAGRAPHS = 3  # of an article, read together where there are no labels


class LabelledInstance(NamedTuple):
    """An instance, and soft labels in place of its own: the probabilities that A and B are right."""

    instance: GapInstance
    soft_labels: tuple[float, float] | None = None


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class TrainingData:
    """The training and validation data of adapted models."""

    training: Sequence[GapInstance]
    validation: Sequence[GapInstance]
    synthetic: Sequence[LabelledInstance] = ()
    pseudo_labelled: Sequence[LabelledInstance] = ()
    swapper: Swapper | None = None
    litbank: Mapping[Part, Sequence[AnnotatedPassage]] = field(default_factory=dict)
    unlabelled: Sequence[str] = ()  # texts for distillation

    def epoch_size(self, config: RunConfig) -> int:
        """The number of instances in an epoch."""
        wanted = config.supervision
        synthetic = min(wanted.synthetic, len(self.synthetic))
        return len(self.training) + synthetic + min(wanted.pseudo_labels, len(self.pseudo_labelled))

    def epoch(self, config: RunConfig, random: np.random.Generator) -> list[LabelledInstance]:
        """The instances of an epoch: all of GAP and some of the others, a share of them swapped."""
        chosen = [LabelledInstance(instance) for instance in self.training]
        chosen += _sample(self.synthetic, config.supervision.synthetic, random)
        chosen += _sample(self.pseudo_labelled, config.supervision.pseudo_labels, random)
        if self.swapper is None:
            return chosen
        swapped = random.random(len(chosen)) < config.supervision.swapped
        return [
            labelled._replace(instance=self.swapper.swap(labelled.instance, random)) if is_swapped else labelled
            for labelled, is_swapped in zip(chosen, swapped.tolist(), strict=True)
        ]


def _sample(pool: Sequence[LabelledInstance], wanted: int, random: np.random.Generator) -> list[LabelledInstance]:
    """A sample of a pool, half with feminine and half with masculine pronouns as far as the pool has them."""
    order = [pool[index] for index in random.permutation(len(pool)).tolist()]
    less, more = sorted(
        ([each for each in order if each.instance.gender == gender] for gender in ("feminine", "masculine")), key=len
    )
    fewer = min(len(less), wanted // 2)
    return [*less[:fewer], *more[: wanted - fewer]]


def read_training_data(
    config: RunConfig,
    encoder: PretrainedEncoder,
    data: Path,
    *,
    synthetic: Sequence[LabelledInstance] = (),
    pseudo_labelled: Sequence[LabelledInstance] = (),
) -> TrainingData:
    """Read the corpora a recipe asks for; synthetic and pseudo-labelled instances, which take long, are given."""
    litbank: dict[Part, Sequence[AnnotatedPassage]] = {}
    if config.supervision.passages:
        for part in ("training", "validation"):
            documents = read_litbank(data, part, FOLD)
            litbank[part] = [whole_passage(encoder.tokenizer.tokenize(each.text), each) for each in documents]
    training = read_gap(data, "development")
    return TrainingData(
        training=training,
        validation=read_gap(data, "validation"),
        synthetic=synthetic,
        pseudo_labelled=pseudo_labelled,
        swapper=Swapper.read(data, training) if config.supervision.swapped else None,
        litbank=litbank,
        unlabelled=_unlabelled(data, config.training.shuffle_seed) if config.distillation.teacher else (),
    )


def _unlabelled(data: Path, seed: int) -> list[str]:
    """WikiText-2 in pieces of one to three paragraphs, and the training texts of GAP and LitBank."""
    random = np.random.default_rng(seed)
    texts = [instance.text for instance in read_gap(data, "development")]
    texts += [document.text for document in read_litbank(data, "training", FOLD)]
    for article in read_wikitext(data):
        first = 0
        while first < len(article.paragraphs):
            last = first + 1 + int(random.integers(_MOST_PARAGRAPHS))
            texts.append("\n".join(article.paragraphs[first:last]))
            first = last
    return texts


def snippets(config: RunConfig, encoder: PretrainedEncoder, instances: Sequence[LabelledInstance]) -> list[Snippet]:
    """Instances tokenized, with the labels of their tokens and spans."""
    tokenized = []
    for instance, soft_labels in instances:
        document = encoder.tokenizer.tokenize(instance.text)
        example = make_example(instance, document, config.training, heads_only=True, soft_labels=soft_labels)
        tokenized.append(Snippet(document, example, labelled_spans(instance, document, config.spans.max_width)))
    return tokenized
