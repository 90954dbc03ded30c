"""GAP instances as training needs them: tokens, the pairs the loss touches, the pairs a score looks at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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


def make_example(instance: GapInstance, document: Document, config: TrainingConfig) -> Example:
    """The example of an instance, given its tokens."""
    a, b, pronoun = (_tokens(instance, document, span) for span in (instance.a, instance.b, instance.pronoun))
    pairs = [
        *(_pair(span[0], later, 1, config.self_link_weight) for span in (a, b, pronoun) for later in span[1:]),
        *_across(a, pronoun, instance.a_coref, config),
        *_across(b, pronoun, instance.b_coref, config),
        *_across(a, b, False, config),  # by design the two names are of different people
    ]
    links = tuple(tuple(_ordered(one, other) for one in name for other in pronoun) for name in (a, b))
    return Example(
        id=instance.id,
        length=len(document),
        labelled=frozenset((*a, *b, *pronoun)),
        pairs=tuple(pairs),
        links=(links[0], links[1]),
    )


def make_examples(
    instances: Sequence[GapInstance], documents: Sequence[Document], config: TrainingConfig
) -> tuple[Example, ...]:
    return tuple(make_example(*both, config) for both in zip(instances, documents, strict=True))


def _tokens(instance: GapInstance, document: Document, span: Span) -> range:
    tokens = document.tokens_in(span.start, span.end)
    if not tokens:
        found = instance.text[span.start : span.end]
        raise DataError(
            f"{instance.id}: the tokenizer finds no token in {found!r}, characters {span.start}-{span.end}."
        )
    return tokens


def _across(ones: range, others: range, same: bool, config: TrainingConfig) -> Iterator[LabelledPair]:
    weight = config.positive_weight if same else config.negative_weight
    for one in ones:
        for other in others:
            if one != other:  # spans that share a token
                yield _pair(one, other, int(same), weight)


def _pair(one: int, other: int, label: int, weight: float) -> LabelledPair:
    first, second = _ordered(one, other)
    return LabelledPair(first=first, second=second, label=label, weight=weight)


def _ordered(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one <= other else (other, one)
