from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petra.runtime.ahead import ahead


@given(st.lists(st.integers(), max_size=20), st.integers(1, 3))
def test_the_items_come_in_their_order(items: list[int], most: int) -> None:
    assert list(ahead(items, most)) == items


def test_an_error_comes_after_the_items_before_it() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise ZeroDivisionError("at the second")

    found = ahead(items())
    assert next(found) == 1
    with pytest.raises(ZeroDivisionError, match="at the second"):
        next(found)


def test_no_more_is_made_than_may_wait() -> None:
    made: list[int] = []
    is_used = threading.Event()

    def items() -> Iterator[int]:
        for item in range(10):
            made.append(item)
            if item == 3:
                is_used.set()
            yield item

    found = ahead(items(), most=2)
    assert next(found) == 0
    assert is_used.wait(10)  # 1 and 2 wait, 3 has no room
    assert made == [0, 1, 2, 3]
    assert list(found) == list(range(1, 10))


def test_the_thread_ends_when_the_items_are_not_wanted() -> None:
    def endless() -> Iterator[int]:
        while True:
            yield 1

    found = ahead(endless())
    assert next(found) == 1
    found.close()  # type: ignore[attr-defined]
    assert not [thread for thread in threading.enumerate() if thread.name == "petra-ahead"]
