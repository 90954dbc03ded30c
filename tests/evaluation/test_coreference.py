from __future__ import annotations

from dataclasses import fields
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petra.evaluation.coreference import CoreferenceScore, score_coreference
from petra.evaluation.rates import Rates


def people(written: str) -> list[set[str]]:
    """People of one-letter mentions: "abc de" are two people."""
    return [set(person) for person in written.split()]


def score(key: str, response: str) -> CoreferenceScore:
    return score_coreference([(people(key), people(response))])


def rates(precision: float, recall: float) -> Rates:
    """By hand, as fractions of 1."""
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    near = (pytest.approx(100 * value) for value in (precision, recall, f1))
    return Rates(**dict(zip(("precision", "recall", "f1"), near, strict=True)))


def test_the_example_of_the_reference_scorer() -> None:
    # Key abc, defg; response ab, cd, fghi: e is missed, h and i are invented.
    # MUC: abc falls into ab | c, keeping 1 of 2 links; defg into d | e | fg, keeping 1 of 3: R = 2/5.
    #   ab keeps 1 of 1; cd falls into c | d, 0 of 1; fghi into fg | h | i, 1 of 3: P = 2/5.
    # B-cubed: R = (2/3 + 2/3 + 1/3 + 1/4 + 0 + 2/4 + 2/4) / 7 = (35/12) / 7.
    #   P = (2/2 + 2/2 + 1/2 + 1/2 + 2/4 + 2/4 + 0 + 0) / 8 = 4/8.
    # CEAF-e: abc-ab 4/5 and defg-fghi 4/8 are the best pairs, 1.3 in all: R = 1.3/2, P = 1.3/3.
    # LEA: abc has 1 of 3 links, defg 1 of 6: R = (3 * 1/3 + 4 * 1/6) / 7 = (5/3) / 7.
    #   ab 1 of 1, cd 0 of 1, fghi 1 of 6: P = (2 * 1 + 2 * 0 + 4 * 1/6) / 8 = (8/3) / 8.
    # Mentions: six are in both, a b c d f g: R = 6/7, P = 6/8.
    found = score("abc defg", "ab cd fghi")
    assert found.muc == rates(2 / 5, 2 / 5)
    assert found.b_cubed == rates(4 / 8, 35 / 12 / 7)
    assert found.ceaf_e == rates(1.3 / 3, 1.3 / 2)
    assert found.lea == rates(8 / 3 / 8, 5 / 3 / 7)
    assert found.mentions == rates(6 / 8, 6 / 7)
    assert found.conll == pytest.approx((40 + 100 * 5 / 11 + 52) / 3)  # B-cubed: 2 * 5/12 * 1/2 / (11/12)
    assert found.documents == 1


def test_two_people_taken_for_one() -> None:
    # MUC: no link of ab or cd is lost, R = 2/2; abcd falls into ab | cd: P = 2/3.
    # B-cubed: R = 1; P = 4 * (2/4) / 4. CEAF-e: one pair, 2 * 2/6: R = (2/3)/2, P = (2/3)/1.
    # LEA: R = 1; abcd has 2 of 6 links: P = 4 * (2/6) / 4.
    found = score("ab cd", "abcd")
    assert found.muc == rates(2 / 3, 1)
    assert found.b_cubed == rates(1 / 2, 1)
    assert found.ceaf_e == rates(2 / 3, 1 / 3)
    assert found.lea == rates(1 / 3, 1)


def test_people_of_one_mention_count() -> None:
    # Key a, bc; response a, b: c is missed.
    # MUC: R = 0/1; singletons have no links, P is 0 of nothing. B-cubed: R = (1 + 1/2 + 0) / 3, P = 2/2.
    # CEAF-e: 1 + 2/3: R = P = (5/3)/2.
    # LEA: a is alone in both, bc has 0 of 1 links: R = 1/3; b is alone in the response only: P = 1/2.
    found = score("a bc", "a b")
    assert found.muc == rates(0, 0)
    assert found.b_cubed == rates(1, 1 / 2)
    assert found.ceaf_e == rates(5 / 6, 5 / 6)
    assert found.lea == rates(1 / 2, 1 / 3)


def test_the_best_matching_is_not_the_greedy_one() -> None:
    # abcde-abcfg 6/10 is the likest pair and leaves fg-de, 0; abcde-de 4/7 and fg-abcfg 4/7 together make more.
    assert score("abcde fg", "abcfg de").ceaf_e == rates(4 / 7, 4 / 7)


def test_documents_are_summed_before_they_are_divided() -> None:
    # ab found whole (2 mentions), cdefgh not at all (6): R = 2/8, not (1 + 0) / 2.
    found = score_coreference([(people("ab"), people("ab")), (people("cdefgh"), [])])
    assert found.b_cubed == rates(1, 2 / 8)
    assert found.muc == rates(1, 1 / 6)
    assert found.documents == 2


@pytest.mark.parametrize(("key", "response"), [("", ""), ("ab", ""), ("", "ab")])
def test_nothing_scores_nothing(key: str, response: str) -> None:
    found = score(key, response)
    assert {each.f1 for each in measures(found).values()} == {0.0}
    assert found.conll == 0.0


def test_a_mention_of_two_people_is_an_error() -> None:
    with pytest.raises(ValueError, match="The mention b is of two people"):
        score("ab bc", "")


def measures(found: CoreferenceScore) -> dict[str, Rates]:
    return {it.name: getattr(found, it.name) for it in fields(found) if it.name != "documents"}


@st.composite
def partitions(draw: st.DrawFn) -> list[set[int]]:
    """Some of eight mentions, each given to one of five people."""
    owners = draw(st.dictionaries(st.integers(0, 7), st.integers(0, 4), min_size=1))
    return [{mention for mention, owner in owners.items() if owner == person} for person in sorted({*owners.values()})]


@given(partitions(), partitions())
def test_the_score_is_full_only_for_the_same_people(key: list[set[int]], response: list[set[int]]) -> None:
    found = score_coreference([(key, response)])
    same = {frozenset(person) for person in key} == {frozenset(person) for person in response}
    for rates in (found.b_cubed, found.ceaf_e, found.lea):
        assert (rates.f1 > 100 - 1e-9) == same
    if same and any(len(person) > 1 for person in key):
        assert found.muc.f1 == 100


@given(partitions(), partitions())
def test_precision_is_recall_the_other_way_round(key: list[set[int]], response: list[set[int]]) -> None:
    there = measures(score_coreference([(key, response)]))
    back = measures(score_coreference([(response, key)]))
    for name, found in there.items():
        assert found.precision == pytest.approx(back[name].recall)
        assert found.f1 == pytest.approx(back[name].f1)
        assert 0 <= found.recall <= 100 + 1e-9


@given(st.lists(st.tuples(partitions(), partitions()), min_size=1, max_size=4), st.randoms())
def test_order_does_not_matter(documents: list[tuple[list[set[int]], list[set[int]]]], random: Random) -> None:
    shuffled = [(random.sample(key, len(key)), random.sample(found, len(found))) for key, found in documents]
    random.shuffle(shuffled)
    there, back = (measures(score_coreference(given)) for given in (documents, shuffled))
    for name, found in there.items():
        assert (found.precision, found.recall) == pytest.approx((back[name].precision, back[name].recall))
