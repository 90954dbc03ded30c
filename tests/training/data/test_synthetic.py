from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from supervision_samples import asked, words_of

from petra.corpora.gap import GapInstance, Span, read_gap
from petra.training.data.instances.synthetic import (
    PROPORTIONS,
    answer_of,
    in_proportion,
    order_of,
    people_of,
    synthetic_instances,
)

TEXT = "Ada met Ruth. She left."


@pytest.fixture(scope="module")
def synthetic(data: Path) -> tuple[GapInstance, ...]:
    return synthetic_instances(data, seed=1)


def test_the_names_asked_for_are_found_wherever_they_stand() -> None:
    instance = asked("Ada Vale met Ruth. Vale and Mrs. Ruth Pym left Kew; she waved.", "she", "Ada Vale", "Ruth")
    passage, namings = people_of(instance)
    assert [(it.person.first, passage.text[slice(*passage.span(it.words))]) for it in namings] == [
        ("Ada", "Ada Vale"),
        ("Ruth", "Ruth"),
        ("Ada", "Vale"),
        ("Ruth", "Ruth Pym"),
    ]


def test_names_that_may_be_one_person_s_are_left_alone() -> None:
    assert people_of(asked("Ada Vale met Vale. She left.", "She", "Ada Vale", "Vale"))[1] == ()


def test_order_and_answer_of_an_instance() -> None:
    instance = asked(TEXT, "She", "Ada", "Ruth")
    assert (order_of(instance), answer_of(instance)) == ("ABP", "A")
    assert order_of(replace(instance, pronoun=Span(4, 7))) == "APB"
    assert order_of(replace(instance, pronoun=Span(0, 3), a=Span(4, 7))) == "PAB"
    assert answer_of(replace(instance, a_coref=False)) == "neither"


def test_a_pool_is_cut_to_the_proportions_of_gap() -> None:
    # 683 : 695 : 126 for A, B and neither; A sets the measure, and of "neither" there is less than its share.
    first = asked(TEXT, "She", "Ada", "Ruth")
    second = replace(first, a_coref=False, b_coref=True)
    pool = [first] * 683 + [second] * 1800 + [replace(first, a_coref=False)] * 30
    chosen = in_proportion(pool, Random(1))
    assert Counter(map(answer_of, chosen)) == {"A": 683, "B": 695, "neither": 30}


def test_the_proportions_are_those_of_gap(data: Path) -> None:
    assert Counter((order_of(it), answer_of(it)) for it in read_gap(data, "development")) == PROPORTIONS


def test_thousands_of_instances_in_the_proportions_of_gap(synthetic: tuple[GapInstance, ...]) -> None:
    assert len(synthetic) > 3_500
    assert len({it.id for it in synthetic}) == len(synthetic)
    found = Counter((order_of(it), answer_of(it)) for it in synthetic)
    assert found["ABP", "A"] / len(synthetic) == pytest.approx(0.34, abs=0.03)
    assert found["ABP", "B"] / len(synthetic) == pytest.approx(0.34, abs=0.03)
    assert Counter(it.gender for it in synthetic) == {"feminine": len(synthetic) // 2, "masculine": len(synthetic) // 2}


def test_every_span_of_a_synthetic_instance_holds_its_words(synthetic: tuple[GapInstance, ...]) -> None:
    pronouns = {"masculine": {"he", "him", "his"}, "feminine": {"she", "her", "hers"}}
    for instance in synthetic:
        pronoun, a, b = words_of(instance)
        assert pronoun.lower() in pronouns[instance.gender]
        assert a[0].isupper(), instance.id
        assert b[0].isupper(), instance.id
        assert instance.a.end <= instance.b.start
        assert not instance.a_coref or not instance.b_coref
        assert a.strip() == a
        assert b.strip() == b
        assert 0 < len(instance.text.split()) < 160


def test_the_seed_decides(data: Path, synthetic: tuple[GapInstance, ...]) -> None:
    assert synthetic_instances(data, seed=1) == synthetic
