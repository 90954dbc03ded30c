"""Which windows of many documents are encoded together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from petra.text.document import Document


def batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Numbers of items of similar length, in batches of at most budget tokens with the padding.

    An item longer than the budget is a batch of its own.
    """
    batch: list[int] = []
    for item in sorted(range(len(lengths)), key=lambda item: lengths[item]):  # so the last of a batch is its longest
        if batch and (len(batch) + 1) * lengths[item] > budget:
            yield batch
            batch = []
        batch.append(item)
    if batch:
        yield batch


def groups(documents: Iterable[Document], budget: int) -> Iterator[list[Document]]:
    """Consecutive documents that together have about budget tokens, however many there are in all."""
    group: list[Document] = []
    tokens = 0
    for document in documents:
        group.append(document)
        tokens += len(document)
        if tokens >= budget:
            yield group
            group, tokens = [], 0
    if group:
        yield group
