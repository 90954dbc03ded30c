"""What adapted models learn from: GAP, self-made and believed instances, and passages of LitBank."""

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
from petra.training.adapted.passages import Passage, whole_passage
from petra.training.examples import make_example
from petra.training.supervision.swapper import Swapper

FOLD = 0  # of LitBank
_MOST_PARAGRAPHS = 3  # of an article, read together where there are no labels


class Labelled(NamedTuple):
    """An instance, and the probabilities that A and B are right where its own labels are not meant."""

    instance: GapInstance
    beliefs: tuple[float, float] | None = None


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Material:
    """What adapted models learn from and are chosen by."""

    training: Sequence[GapInstance]
    validation: Sequence[GapInstance]
    made: Sequence[Labelled] = ()
    believed: Sequence[Labelled] = ()
    swapper: Swapper | None = None
    litbank: Mapping[Part, Sequence[Passage]] = field(default_factory=dict)
    unlabelled: Sequence[str] = ()  # texts on which another model is imitated

    def epoch_size(self, config: RunConfig) -> int:
        """The number of instances in an epoch."""
        wanted = config.supervision
        return len(self.training) + min(wanted.made, len(self.made)) + min(wanted.believed, len(self.believed))

    def epoch(self, config: RunConfig, random: np.random.Generator) -> list[Labelled]:
        """The instances of an epoch: all of GAP and some of the others, a share of them swapped."""
        chosen = [Labelled(instance) for instance in self.training]
        for pool, wanted in ((self.made, config.supervision.made), (self.believed, config.supervision.believed)):
            chosen += _of_both_genders(pool, wanted, random)
        if self.swapper is None:
            return chosen
        swapped = random.random(len(chosen)) < config.supervision.swapped
        return [
            labelled._replace(instance=self.swapper.swap(labelled.instance, random)) if is_swapped else labelled
            for labelled, is_swapped in zip(chosen, swapped.tolist(), strict=True)
        ]


def _of_both_genders(pool: Sequence[Labelled], wanted: int, random: np.random.Generator) -> list[Labelled]:
    """So many of a pool, half of them with feminine pronouns as far as there are such, and likewise masculine."""
    order = [pool[index] for index in random.permutation(len(pool)).tolist()]
    less, more = sorted(
        ([each for each in order if each.instance.gender == gender] for gender in ("feminine", "masculine")), key=len
    )
    fewer = min(len(less), wanted // 2)
    return [*less[:fewer], *more[: wanted - fewer]]


def read_material(
    config: RunConfig,
    encoder: PretrainedEncoder,
    data: Path,
    *,
    made: Sequence[Labelled] = (),
    believed: Sequence[Labelled] = (),
) -> Material:
    """Read what a recipe asks for; instances that take long to make are given."""
    litbank: dict[Part, Sequence[Passage]] = {}
    if config.supervision.passages:
        for part in ("training", "validation"):
            documents = read_litbank(data, part, FOLD)
            litbank[part] = [whole_passage(encoder.tokenizer.tokenize(each.text), each) for each in documents]
    training = read_gap(data, "development")
    return Material(
        training=training,
        validation=read_gap(data, "validation"),
        made=made,
        believed=believed,
        swapper=Swapper.read(data, training) if config.supervision.swapped else None,
        litbank=litbank,
        unlabelled=_unlabelled(data, config.training.shuffle_seed) if config.imitation.model else (),
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


def snippets(config: RunConfig, encoder: PretrainedEncoder, instances: Sequence[Labelled]) -> list[Snippet]:
    """Instances ready to be read."""
    made = []
    for instance, beliefs in instances:
        document = encoder.tokenizer.tokenize(instance.text)
        example = make_example(instance, document, config.training, heads_only=True, beliefs=beliefs)
        made.append(Snippet(document, example, labelled_spans(instance, document, config.spans.max_width)))
    return made
