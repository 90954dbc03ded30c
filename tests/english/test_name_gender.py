from __future__ import annotations

import pytest

from petra.english.name_gender import feminine_log_odds, folded, given_name_prob, runs


@pytest.mark.parametrize("name", ["Ada", "Ingrid", "Beatriz", "Zeynep", "Amara", "Hiroko"])
def test_names_of_women(name: str) -> None:
    assert feminine_log_odds(name) > 1


@pytest.mark.parametrize("name", ["Tom", "Hassan", "Matteo", "Piotr", "Mikkel", "Kenji"])
def test_names_of_men(name: str) -> None:
    assert feminine_log_odds(name) < -1


def test_names_that_both_bear_tell_little() -> None:
    for name in ("Kim", "Robin", "Noor"):
        assert abs(feminine_log_odds(name)) < 2


def test_given_names_and_surnames() -> None:
    assert min(map(given_name_prob, ("Ada", "Ingrid", "Matteo"))) > 0.9
    assert max(map(given_name_prob, ("Zielinski", "Chowdhury", "Bingley"))) < 0.1


def test_accents_and_capitals_make_no_difference() -> None:
    assert folded("Zoë") == "zoe"
    assert folded("Łukasz") == "lukasz"
    assert feminine_log_odds("ZOË") == feminine_log_odds("zoe")


def test_the_runs_of_a_short_name() -> None:
    # ^al, al$, ^al$, ^a, al, l$: runs of two letters and more, the whole among them.
    assert len(runs("al")) == 6
    assert runs("") == runs("")
