from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from petra.encoder.pretrained import batches


def test_items_of_similar_length_go_together() -> None:
    # Sorted: 1, 2, 8, 9. Two of 9 are 18 tokens, three of 8 would be 24.
    assert list(batches([9, 1, 8, 2], 18)) == [[1, 3], [2, 0]]


def test_a_long_item_goes_alone() -> None:
    assert list(batches([30, 3], 10)) == [[1], [0]]


@given(st.lists(st.integers(1, 30)), st.integers(1, 60))
def test_every_item_is_in_one_batch_within_the_budget(lengths: list[int], budget: int) -> None:
    found = list(batches(lengths, budget))
    assert sorted(item for batch in found for item in batch) == list(range(len(lengths)))
    for batch in found:
        assert len(batch) == 1 or len(batch) * max(lengths[item] for item in batch) <= budget
