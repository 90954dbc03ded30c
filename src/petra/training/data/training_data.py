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
from petra.training.adapted.passages import (
    AnnotatedPassage,
    annotated_passage,
    distant_passage,
    long_parts,
    person_genders,
    short_parts,
)
from petra.training.data.distant_supervision import distant_documents
from petra.training.data.instances.swapper import Swapper
from petra.training.data.rows import MOST_WORDS, unrelated_rows
from petra.training.data.written_texts import written_documents
from petra.training.examples import make_example
from petra.training.parallel import in_parallel
from petra.training.synthetic.documents import synthetic_documents

FOLD = 0  # of LitBank
_CUTS = 3  # of each annotated document into long passages, at other places each time
_LEAST_WORDS = 40  # of a text that is also learned as of one gender
_FEWER = 5  # of so many written texts held out one is read with own decisions after each epoch
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
    rows: Sequence[AnnotatedPassage] = ()
    distant: Sequence[AnnotatedPassage] = ()
    documents: Mapping[str, Sequence[AnnotatedDocument]] = field(default_factory=dict)  # for own decisions, by kind
    held_out: Mapping[str, Sequence[AnnotatedPassage]] = field(default_factory=dict)  # by corpus
    read_itself: Mapping[str, Sequence[AnnotatedDocument]] = field(default_factory=dict)  # held out, by corpus
    unlabelled: Sequence[str] = ()  # texts for distillation

    def steps(self, config: RunConfig) -> int:
        """The number of steps in an epoch."""
        wanted = config.supervision
        synthetic = min(wanted.synthetic, len(self.synthetic))
        instances = len(self.training) + synthetic + min(wanted.pseudo_labels, len(self.pseudo_labelled))
        return wanted.steps or -(-instances // config.training.batch_size)

    def epoch(self, config: RunConfig, random: np.random.Generator) -> list[LabelledInstance]:
        """The instances of an epoch: all of GAP and some of the others, a share of them swapped; none without GAP."""
        if config.supervision.steps:
            return []
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
    distant: list[AnnotatedPassage]


class PassageDraw(Iterator[Passages]):
    """Draws passages and short texts step by step: all of a pool, before it starts again in another order."""

    def __init__(self, data: TrainingData, wanted: SupervisionConfig, random: np.random.Generator) -> None:
        self._pools: dict[str, Sequence[AnnotatedPassage]] = {
            "long": data.passages,
            "parts": data.short_parts,
            "written": data.short_written,
            "synthetic": data.short_synthetic,
            "rows": data.rows,
            "distant": data.distant,
            "own": (),
        }
        self._wanted, self._random = wanted, random
        self.remaining: dict[str, list[int]] = {name: [] for name in self._pools}  # places still to come of this pass

    def __next__(self) -> Passages:
        texts = self._wanted.short_texts
        long = self._take("long", self._wanted.passages)
        written = self._take("written", texts // 2)
        rest = texts - len(written)
        short = self._take("parts", rest // 2 if self._pools["synthetic"] else rest)
        synthetic = self._take("synthetic", rest - len(short))
        rows = self._take("rows", self._wanted.rows)
        own = self._take("own", self._wanted.own_decisions)
        distant = self._take("distant", self._wanted.distant_texts)
        return Passages(long, [*written, *short, *synthetic, *rows, *own], distant)

    def replace_own(self, own: Sequence[AnnotatedPassage]) -> None:
        """Draw from these texts with own decisions from now on."""
        self._pools["own"], self.remaining["own"] = own, []

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
    is_annotated = wanted.passages or wanted.short_texts or wanted.rows or wanted.own_decisions or wanted.distant_texts
    annotated = _annotated(config, tokenizer, data) if is_annotated else {}
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
    learned = written_documents("training") if wanted.written_texts or wanted.rows else ()
    written = learned if wanted.written_texts else ()
    rows = list(unrelated_rows(_short(learned), random)) if wanted.rows else []
    held_out = {"litbank": read_litbank(data, "validation", FOLD, join_descriptions=True), "gum": read_gum(data, "dev")}
    if wanted.written_texts:
        held_out["written"] = written_documents("held_out")

    def passages(parts: Sequence[AnnotatedDocument], *, one_gender: bool = False) -> list[AnnotatedPassage]:
        chosen = [part for part in parts if part.mentions]
        made = in_parallel(partial(_passage, tokenizer, config.spans.name_gender, False), chosen)
        if one_gender and wanted.one_gender:
            mixed = [part for part in chosen if _is_mixed(part)]
            made += in_parallel(partial(_passage, tokenizer, config.spans.name_gender, True), mixed)
        return made

    window = config.encoder.window
    short_written = passages(written, one_gender=True)
    own = {"written": written, "rows": rows, "corpora": documents} if wanted.own_decisions else {}
    # Features of a frozen encoder need no more memory for a long text than for several short ones.
    longest_own = max(window, wanted.passage_tokens) if config.adapter.frozen else window
    distant = distant_documents(data, config.training.shuffle_seed) if wanted.distant_texts else []
    return {
        "passages": [*passages(long, one_gender=True), *_CUTS * _longer(short_written, window)],
        "short_parts": _shorter(passages(short, one_gender=True), window),
        "short_synthetic": _shorter(passages(synthetic), window),
        "short_written": _shorter(short_written, window),
        "rows": passages(rows, one_gender=True),
        "distant": [
            each
            for each in _shorter(in_parallel(partial(_distant_passage, tokenizer), distant), window)
            if each.is_learned.any()  # else another mention has the head of its only pronoun
        ],
        "documents": {
            kind: [part for each in those for part in long_parts(each, longest_own, tokenize, random) if part.mentions]
            for kind, those in own.items()
            if those
        },
        "held_out": {corpus: passages(documents) for corpus, documents in held_out.items()},
        "read_itself": _read_itself(held_out, wanted) if wanted.own_decisions else {},
    }


def _read_itself(
    held_out: Mapping[str, Sequence[AnnotatedDocument]], wanted: SupervisionConfig
) -> dict[str, Sequence[AnnotatedDocument]]:
    """The documents held out that a model reads by itself: of the written ones a part, alone and in rows."""
    written = held_out.get("written", ())[::_FEWER]
    found = dict(held_out)
    if written:
        found["written"] = written
        if wanted.rows:
            found["rows"] = list(unrelated_rows(_short(written), np.random.default_rng(FOLD)))
    return found


def _short(documents: Sequence[AnnotatedDocument]) -> list[AnnotatedDocument]:
    return [document for document in documents if len(document.text.split()) <= MOST_WORDS]


def _shorter(passages: Sequence[AnnotatedPassage], window: int) -> list[AnnotatedPassage]:
    return [each for each in passages if len(each) <= window]


def _longer(passages: Sequence[AnnotatedPassage], window: int) -> list[AnnotatedPassage]:
    return [each for each in passages if len(each) > window]


def _passage(
    tokenizer: Tokenizer, name_gender: bool, one_gender: bool, annotated: AnnotatedDocument
) -> AnnotatedPassage:
    document = tokenizer.tokenize(annotated.text)
    return annotated_passage(document, annotated, name_gender=name_gender, one_gender=one_gender)


def _distant_passage(tokenizer: Tokenizer, annotated: AnnotatedDocument) -> AnnotatedPassage:
    return distant_passage(tokenizer.tokenize(annotated.text), annotated)


def _is_mixed(annotated: AnnotatedDocument) -> bool:
    """Whether there are women and men in a text of so many words that not gender alone tells them apart."""
    return len(annotated.text.split()) >= _LEAST_WORDS and len({*person_genders(annotated).values()}) > 1


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
