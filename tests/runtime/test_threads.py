from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
import torch

from petra.runtime.threads import one_thread


@pytest.fixture(autouse=True)
def several_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    yield
    torch.set_num_threads(before)


def test_the_number_is_one_inside_and_the_old_one_afterwards() -> None:
    with one_thread():
        assert torch.get_num_threads() == 1
        with one_thread():
            assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == 3


def test_the_old_number_comes_back_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), one_thread():
        raise ZeroDivisionError
    assert torch.get_num_threads() == 3


def test_two_at_a_time_leave_the_old_number() -> None:
    # The second enters while the first is inside, and leaves after it.
    entered, left = threading.Event(), threading.Event()

    def second() -> None:
        with one_thread():
            entered.set()
            left.wait()

    other = threading.Thread(target=second)
    with one_thread():
        other.start()
        entered.wait()
    left.set()
    other.join()
    assert torch.get_num_threads() == 3
    found: list[int] = []
    fresh = threading.Thread(target=lambda: found.append(torch.get_num_threads()))
    fresh.start()
    fresh.join()
    assert found == [3]
