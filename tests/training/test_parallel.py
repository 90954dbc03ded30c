"""Work shared among processes gives what a plain loop gives."""

from __future__ import annotations

import os

import pytest

from petra.training.parallel import in_parallel

# Python 3.12 and later warn of any fork beside threads.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


@pytest.fixture
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 1}, raising=False)


def square(number: int) -> int:
    return number * number


def process(number: int) -> int:
    return os.getpid()


def reciprocal(number: int) -> float:
    return 1 / number


@pytest.mark.usefixtures("two_cores")
@pytest.mark.parametrize("items", [0, 1, 199, 200, 1001])
def test_the_results_are_those_of_a_loop_in_order(items: int) -> None:
    numbers = list(range(items))
    assert in_parallel(square, numbers) == [number * number for number in numbers]


@pytest.mark.usefixtures("two_cores")
def test_only_many_items_are_shared_among_processes() -> None:
    assert set(in_parallel(process, range(100))) == {os.getpid()}
    assert os.getpid() not in in_parallel(process, range(1000))


def test_one_core_shares_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0}, raising=False)
    assert set(in_parallel(process, range(1000))) == {os.getpid()}


@pytest.mark.usefixtures("two_cores")
def test_an_error_of_another_process_is_raised_here() -> None:
    with pytest.raises(ZeroDivisionError):
        in_parallel(reciprocal, range(1000))
