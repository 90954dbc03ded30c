from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest
import torch

from petra.errors import ConfigError
from petra.runtime.threads import num_threads, one_thread, use_threads


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


def test_the_number_is_the_one_given_or_that_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PETRA_THREADS", raising=False)
    use_threads()
    assert num_threads() == 3  # as it was
    monkeypatch.setenv("PETRA_THREADS", "2")
    use_threads()
    assert num_threads() == torch.get_num_threads() == 2
    use_threads(4)
    assert num_threads() == 4
    with one_thread():
        assert num_threads() == 4  # the encoder's, which may compute beside the block


@pytest.mark.parametrize("given", ["0", "-1", "two", "1.5"])
def test_a_number_that_is_none_is_refused(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETRA_THREADS", given)
    with pytest.raises(ConfigError, match="PETRA_THREADS"):
        use_threads()
    with pytest.raises(ConfigError, match="1 or more"):
        use_threads(0)


# Python 3.12 warns of every fork beside threads.
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_forked_process_computes_with_one_thread() -> None:
    square = torch.ones(400, 400)
    assert (square @ square)[0, 0] == 400
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        use_threads(2)  # is not heeded here
        os.write(writing, f"{int((square @ square)[0, 0])} {torch.get_num_threads()} {num_threads()}".encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reading, 20) == b"400 1 1"
