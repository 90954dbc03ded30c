from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petra.runtime.ahead import Beside, ahead


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


def test_lists_are_made_beside_one_another() -> None:
    may_go_on = threading.Event()

    def slow() -> Iterator[int]:
        yield 1
        assert may_go_on.wait(10)
        yield 2

    with Beside() as beside:
        first, second = beside.start(slow()), beside.start([3])
        may_go_on.set()  # the first was begun, and nobody waited for it
        assert (first(), second()) == ([1, 2], [3])


def test_what_goes_wrong_beside_is_raised_where_the_items_are_wanted() -> None:
    with Beside() as beside:
        made = beside.start(1 // item for item in (1, 0))
        with pytest.raises(ZeroDivisionError):
            made()


def test_nothing_goes_on_beside_when_it_is_not_wanted() -> None:
    is_begun = threading.Event()

    def endless() -> Iterator[int]:
        while True:
            is_begun.set()
            yield 1

    with Beside() as beside:
        beside.start(endless())
        assert is_begun.wait(10)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("petra-beside")]
