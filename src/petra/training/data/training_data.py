"""Training data of adapted models: GAP, synthetic and pseudo-labelled instances, and annotated passages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from petra.config import RunConfig, SupervisionConfig
from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.gap import GapInstance, read_gap
from petra.corpora.gum import read_gum
from petra.corpora.litbank import read_litbank
from petra.corpora.names import read_names
from petra.corpora.wikitext import read_wikitext
from petra.encoder.pretrained import PretrainedEncoder
from petra.text.tokenize import Tokenizer
from petra.training.adapted.batches import Snippet, labelled_spans
from petra.training.adapted.passages import AnnotatedPassage, annotated_passage, long_parts, short_parts
from petra.training.data.instances.swapper import Swapper
from petra.training.data.written_texts import written_documents
from petra.training.examples import make_example
from petra.training.parallel import in_parallel
from petra.training.synthetic.documents import synthetic_documents

FOLD = 0  # of LitBank
_CUTS = 3  # of each annotated document into long passages, at other places each time
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
    passages: Sequence[AnnotatedPassage] = ()  # long ones, of LitBank and GUM
    short_parts: Sequence[AnnotatedPassage] = ()  # parts of a few sentences of the same documents
    short_synthetic: Sequence[AnnotatedPassage] = ()
    short_written: Sequence[AnnotatedPassage] = ()
    held_out: Mapping[str, Sequence[AnnotatedPassage]] = field(default_factory=dict)  # by corpus
    unlabelled: Sequence[str] = ()  # texts for distillation

    def epoch_size(self, config: RunConfig) -> int:
        """The number of instances in an epoch."""
        wanted = config.supervision
        synthetic = min(wanted.synthetic, len(self.synthetic))
        return len(self.training) + synthetic + min(wanted.pseudo_labels, len(self.pseudo_labelled))

    def epoch(self, config: RunConfig, random: np.random.Generator) -> list[LabelledInstance]:
        """The instances of an epoch: all of GAP and some of the others, a share of them swapped."""
        chosen = [LabelledInstance(instance) for instance in self.training]
        chosen += balanced_sample(self.synthetic, config.supervision.synthetic, random)
        chosen += balanced_sample(self.pseudo_labelled, config.supervision.pseudo_labels, random)
        if self.swapper is None:
            return chosen
        swapped = random.random(len(chosen)) < config.supervision.swapped
        return [
            labelled._replace(instance=self.swapper.swap(labelled.instance, random)) if is_swapped else labelled
            for labelled, is_swapped in zip(chosen, swapped.tolist(), strict=True)
        ]

    def draw_passages(self, config: RunConfig, random: np.random.Generator) -> PassageDraw:
        """The passages and short texts of each step, without end."""
        return PassageDraw(self, config.supervision, random)


class Passages(NamedTuple):
    """The annotated passages of one step."""

    long: list[AnnotatedPassage]
    short: list[AnnotatedPassage]


class PassageDraw(Iterator[Passages]):
    """Draws passages and short texts step by step: all of a pool, before it starts again in another order."""

    def __init__(self, data: TrainingData, wanted: SupervisionConfig, random: np.random.Generator) -> None:
        self._pools = {
            "long": data.passages,
            "parts": data.short_parts,
            "written": data.short_written,
            "synthetic": data.short_synthetic,
        }
        self._wanted, self._random = wanted, random
        self.remaining: dict[str, list[int]] = {name: [] for name in self._pools}  # places still to come of this pass

    def __next__(self) -> Passages:
        texts = self._wanted.short_texts
        long = self._take("long", self._wanted.passages)
        written = self._take("written", texts // 2)
        rest = texts - len(written)
        short = self._take("parts", rest // 2 if self._pools["synthetic"] else rest)
        return Passages(long, [*written, *short, *self._take("synthetic", rest - len(short))])

    def _take(self, name: str, count: int) -> list[AnnotatedPassage]:
        pool, taken = self._pools[name], list[AnnotatedPassage]()
        while pool and len(taken) < count:
            if not self.remaining[name]:
                self.remaining[name] = self._random.permutation(len(pool)).tolist()
            taken.append(pool[self.remaining[name].pop(0)])
        return taken


def balanced_sample(
    pool: Sequence[LabelledInstance], wanted: int, random: np.random.Generator
) -> list[LabelledInstance]:
    """A sample of a pool, half with feminine and half with masculine pronouns as far as the pool has them."""
    order = [pool[index] for index in random.permutation(len(pool)).tolist()]
    less, more = sorted(
        ([each for each in order if each.instance.gender == gender] for gender in ("feminine", "masculine")), key=len
    )
    fewer = min(len(less), wanted // 2)
    return [*less[:fewer], *more[: wanted - fewer]]


def read_training_data(
    config: RunConfig,
    tokenizer: Tokenizer,
    data: Path,
    *,
    synthetic: Sequence[LabelledInstance] = (),
    pseudo_labelled: Sequence[LabelledInstance] = (),
) -> TrainingData:
    """Read the corpora a recipe asks for; synthetic and pseudo-labelled instances, which take long, are given."""
    wanted, training = config.supervision, read_gap(data, "development")
    annotated = _annotated(config, tokenizer, data) if wanted.passages or wanted.short_texts else {}
    return TrainingData(
        training=training,
        validation=read_gap(data, "validation"),
        synthetic=synthetic,
        pseudo_labelled=pseudo_labelled,
        swapper=Swapper.read(data, training) if config.supervision.swapped else None,
        **annotated,
        unlabelled=_unlabelled(data, config.training.shuffle_seed) if config.distillation.teacher else (),
    )


def _annotated(config: RunConfig, tokenizer: Tokenizer, data: Path) -> dict[str, Any]:
    """The passages of annotated corpora: to learn from, in long and short parts, and held out."""
    wanted, random = config.supervision, np.random.default_rng(config.training.shuffle_seed)
    documents = [*read_litbank(data, "training", FOLD, join_descriptions=True), *read_gum(data, "train")]
    tokenize = tokenizer.tokenize
    long = [
        part
        for document in documents
        for _ in range(_CUTS)
        for part in long_parts(document, wanted.passage_tokens, tokenize, random)
    ]
    short = [part for document in documents for part in short_parts(document, random)] if wanted.short_texts else []
    synthetic = synthetic_documents(read_names(data), wanted.synthetic_documents, config.training.shuffle_seed)
    written = written_documents("training") if wanted.written_texts else ()
    held_out = {"litbank": read_litbank(data, "validation", FOLD, join_descriptions=True), "gum": read_gum(data, "dev")}
    if wanted.written_texts:
        held_out["written"] = written_documents("held_out")

    def passages(parts: Sequence[AnnotatedDocument], most_tokens: int | None = None) -> list[AnnotatedPassage]:
        made = in_parallel(partial(_passage, tokenizer, config.spans.name_gender), parts)
        return [each for each in made if len(each.head) and (most_tokens is None or len(each) <= most_tokens)]

    window = config.encoder.window
    short_written = passages(written)
    longer_written = [each for each in short_written if len(each) > window]
    return {
        "passages": [*passages(long), *_CUTS * longer_written],
        "short_parts": passages(short, window),
        "short_synthetic": passages(synthetic, window),
        "short_written": [each for each in short_written if len(each) <= window],
        "held_out": {corpus: passages(documents) for corpus, documents in held_out.items()},
    }


def _passage(tokenizer: Tokenizer, name_gender: bool, annotated: AnnotatedDocument) -> AnnotatedPassage:
    return annotated_passage(tokenizer.tokenize(annotated.text), annotated, name_gender=name_gender)


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
