"""Mentions matched by their head word: a mention is found if its head is, however far its span reaches.

Corpora disagree on where a mention ends (a relative clause, an apposition, a title) and
hardly on which word stands for the person. A mention found and a mention annotated are
the same if their spans are, or if their head words stand at the same place of the text.
The head of an annotated mention is the corpus's where it has one; every other head is
that of ``petra.english.heads``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from petra.corpora.annotated import AnnotatedDocument
from petra.domain import Offsets, Person
from petra.english.heads import head_span
from petra.evaluation.coreference import CoreferenceScore, score_coreference


def score_people_by_head(
    documents: Sequence[AnnotatedDocument], found: Iterable[tuple[Person, ...]]
) -> CoreferenceScore:
    """The scores of the people found in each document, in the same order, with mentions matched by their heads."""
    return score_coreference(
        _with_names_of_the_annotation(document, people) for document, people in zip(documents, found, strict=True)
    )


def head_in_text(text: str, span: Offsets) -> Offsets:
    """Where the head word of a mention stands in the text that the mention is a span of."""
    start, end = head_span(text[slice(*span)])
    return span[0] + start, span[0] + end


def overlap(one: Offsets, other: Offsets) -> bool:
    """Whether two spans have a character in common. Two head words that have are the same word, cut differently."""
    return one[0] < other[1] and other[0] < one[1]


def match_by_head(annotated: dict[Offsets, Offsets], found: dict[Offsets, Offsets]) -> dict[Offsets, Offsets]:
    """The annotated span of each span found that has one; both sides are given with the heads of their spans.

    Each mention is matched once: equal spans first, then equal heads, with the nearest
    bounds first.
    """
    matched = {span: span for span in found if span in annotated}
    pairs = [
        (abs(span[0] - gold[0]) + abs(span[1] - gold[1]), span, gold)
        for gold, gold_head in annotated.items()
        if gold not in matched
        for span, head in found.items()
        if span not in matched and overlap(head, gold_head)
    ]
    taken: set[Offsets] = set()
    for _, span, gold in sorted(pairs):
        if span not in matched and gold not in taken:
            matched[span] = gold
            taken.add(gold)
    return matched


def _with_names_of_the_annotation(
    document: AnnotatedDocument, people: tuple[Person, ...]
) -> tuple[list[list[Offsets]], list[list[Offsets | tuple[str, Offsets]]]]:
    """Both sides as partitions of spans: a mention that was matched has the annotated span on both."""
    annotated = {
        (it.start, it.end): it.head or head_in_text(document.text, (it.start, it.end)) for it in document.mentions
    }
    spans = [[(it.start, it.end) for it in person.mentions] for person in people]
    matched = match_by_head(annotated, {span: head_in_text(document.text, span) for person in spans for span in person})
    key = [[(it.start, it.end) for it in person] for person in document.people]
    # A span without a match gets a name that no annotated mention has.
    return key, [[matched.get(span, ("unmatched", span)) for span in person] for person in spans]
