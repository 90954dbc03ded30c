from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from petra.encoder.pretrained import batches


def test_items_of_the_same_length_go_together() -> None:
    # Two of 8 are 16 tokens, and a third would make 24.
    assert list(batches([8, 2, 8, 2, 8], 18)) == [[1, 3], [0, 2], [4]]


def test_a_long_item_goes_alone() -> None:
    assert list(batches([30, 3, 30], 10)) == [[1], [0], [2]]


@given(st.lists(st.integers(1, 30)), st.integers(1, 60))
def test_every_item_is_in_one_batch_within_the_budget(lengths: list[int], budget: int) -> None:
    found = list(batches(lengths, budget))
    assert sorted(item for batch in found for item in batch) == list(range(len(lengths)))
    for batch in found:
        assert len({lengths[item] for item in batch}) == 1
        assert len(batch) == 1 or sum(lengths[item] for item in batch) <= budget
