"""GAP instances over tokens: the token pairs of the loss, and those that answer for a name in a score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from petra.config import TrainingConfig
from petra.corpora.gap import GapInstance, Span
from petra.errors import DataError
from petra.text.document import Document


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelledPair:
    """Two tokens of a text, the earlier first, and whether they are of one person."""

    first: int
    second: int
    label: int
    weight: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """One GAP instance over the tokens of its document."""

    id: str
    length: int  # tokens
    labelled: frozenset[int]  # tokens inside the three spans
    pairs: tuple[LabelledPair, ...]  # what the coreference loss is summed over
    links: tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]  # token pairs of A and of B with the pronoun


def make_example(
    instance: GapInstance,
    document: Document,
    config: TrainingConfig,
    *,
    all_pairs: bool = False,
    heads_only: bool = False,
    soft_labels: tuple[float, float] | None = None,
) -> Example:
    """The example of an instance, given its tokens.

    With ``all_pairs`` its pairs are those that ``training/pair_loss.py`` weights otherwise
    than all the other pairs of the text. With ``heads_only`` the last token of a span stands for
    the span in training, and its other tokens count as unlabelled. ``soft_labels`` are the
    probabilities that A and B are right, in place of the instance's own labels.
    """
    a, b, pronoun = (_tokens(instance, document, span) for span in (instance.a, instance.b, instance.pronoun))
    links = tuple(tuple(_ordered(one, other) for one in name for other in pronoun) for name in (a, b))
    if heads_only:
        a, b, pronoun = a[-1:], b[-1:], pronoun[-1:]
    spans, weight = (a, b, pronoun), config.self_link_weight
    labels = (float(instance.a_coref), float(instance.b_coref)) if soft_labels is None else soft_labels
    pairs = (*_soft_pairs(a, pronoun, labels[0], config), *_soft_pairs(b, pronoun, labels[1], config))
    if all_pairs:
        within = (_pair(*both, 1, weight) for span in spans for both in combinations(span, 2))
        pairs = _without_conflicts((*within, *pairs))
    else:
        within = (_pair(span[0], later, 1, weight) for span in spans for later in span[1:])
        pairs = (*within, *pairs, *_across(a, b, False, config))  # by design the two names are of different people
    return Example(
        id=instance.id,
        length=len(document),
        labelled=frozenset((*a, *b, *pronoun)),
        pairs=pairs,
        links=(links[0], links[1]),
    )


def make_examples(
    instances: Sequence[GapInstance], documents: Sequence[Document], config: TrainingConfig, *, all_pairs: bool = False
) -> tuple[Example, ...]:
    return tuple(make_example(*both, config, all_pairs=all_pairs) for both in zip(instances, documents, strict=True))


def _tokens(instance: GapInstance, document: Document, span: Span) -> range:
    tokens = document.tokens_in(span.start, span.end)
    if not tokens:
        found = instance.text[span.start : span.end]
        raise DataError(
            f"{instance.id}: the tokenizer finds no token in {found!r}, characters {span.start}-{span.end}."
        )
    return tokens


def _soft_pairs(ones: range, others: range, probability: float, config: TrainingConfig) -> Iterator[LabelledPair]:
    """The token pairs of two spans with a soft label: positive pairs weighted by it, negative ones by the rest."""
    for same, part in ((True, probability), (False, 1 - probability)):
        if part:
            for pair in _across(ones, others, same, config):
                yield replace(pair, weight=part * pair.weight)


def _across(ones: range, others: range, same: bool, config: TrainingConfig) -> Iterator[LabelledPair]:
    weight = config.positive_weight if same else config.negative_weight
    for one in ones:
        for other in others:
            if one != other:  # spans that share a token
                yield _pair(one, other, int(same), weight)


def _without_conflicts(pairs: Sequence[LabelledPair]) -> tuple[LabelledPair, ...]:
    """Each two tokens once, also where spans share tokens: a link comes before none, the pronoun's before a span's."""
    of_tokens = {(pair.first, pair.second): pair for pair in sorted(pairs, key=lambda pair: pair.label)}
    return tuple(of_tokens.values())


def _pair(one: int, other: int, label: int, weight: float) -> LabelledPair:
    first, second = _ordered(one, other)
    return LabelledPair(first=first, second=second, label=label, weight=weight)


def _ordered(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one <= other else (other, one)
