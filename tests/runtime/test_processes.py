from __future__ import annotations

import os
import threading

import pytest

from petra.runtime.processes import PerProcess


def test_a_value_is_made_once() -> None:
    made: list[int] = []

    def make() -> object:
        made.append(1)
        return object()

    value = PerProcess(make)
    assert not made
    first = value.get()
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(value.get())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [each is first for each in found] == [True] * 4
    assert made == [1]


# Python 3.12 warns of every fork beside threads.
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_another_process_has_its_own() -> None:
    value = PerProcess(os.getpid)
    assert value.get() == os.getpid()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:  # the forked process
        os.write(writing, b"own" if value.get() == os.getpid() else b"other")
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reading, 5) == b"own"
