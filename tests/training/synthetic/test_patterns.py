"""The language of the patterns: what one line becomes."""

from __future__ import annotations

from random import Random

import pytest

from petra.corpora.names import Names
from petra.errors import DataError
from petra.training.synthetic.grammar import chosen, parse
from petra.training.synthetic.people import Casting, Noun, Persona, PersonaName, with_article
from petra.training.synthetic.plans import DocumentPlan, counterfactual, lexicon, make_plan, patterns, realise
from petra.training.synthetic.pronouns import HE, NEOPRONOUNS, SHE, THEY, PronounSet, agreeing

MARY = Persona(
    called=PersonaName(
        givens=("Mark", "Mary", "Max"),
        family="van der Berg",
        style="full",
        family_first=False,
        later_family=True,
        middle="K",
        office="Dr.",
        nickname="Ace",
        married=True,
    ),
    job="engineer",
)
NURSE = Persona(called=Noun(nouns=("nurse", "nurse", "nurse"), adjective="", tail="", definite=False), job="nurse")


def written(pattern: str, a: PronounSet = SHE, b: PronounSet = HE) -> list[tuple[str, str, str]]:
    """Every mention of a pattern: its words, its kind and its person."""
    document = realise(plan(pattern, a, b))
    return [(document.text[it.start : it.end], it.kind, it.entity) for it in document.mentions]


def plan(pattern: str, a: PronounSet = SHE, b: PronounSet = HE) -> DocumentPlan:
    return DocumentPlan(
        id="plan",
        category="test",
        parts=parse(pattern),
        people={"A": MARY, "B": NURSE},
        pronouns={"A": a, "B": b},
        distinct=(),
        singular_they=True,
        announced=True,
        lower=False,
        curly=False,
    )


def test_a_person_is_named_whole_at_first_and_shorter_later() -> None:
    assert written("{A} met {B}. {A} left {B}.") == [
        ("Mary van der Berg", "name", "A"),
        ("a nurse", "nominal", "B"),
        ("Van der Berg", "name", "A"),
        ("the nurse", "nominal", "B"),
    ]


def test_a_phrase_holds_its_possessor() -> None:
    assert written("{B: {A.his} brother/sister/sibling} laughed.") == [
        ("Her", "pronoun", "A"),
        ("Her brother", "nominal", "B"),
    ]


def test_people_joined_are_a_person_of_their_own() -> None:
    assert written("{A+B} said {A+B.he} were late.") == [
        ("Mary van der Berg", "name", "A"),
        ("Mary van der Berg and a nurse", "nominal", "A+B"),
        ("a nurse", "nominal", "B"),
        ("they", "pronoun", "A+B"),
    ]


def test_verbs_and_words_follow_the_pronouns() -> None:
    pattern = "{A.he} <is> tired and <watches> {B: the man/woman/person}."
    assert realise(plan(pattern)).text == "She is tired and watches the man."
    assert realise(counterfactual(plan(pattern), {"A": THEY, "B": SHE})).text == "They are tired and watch the woman."


def test_capital_letters_stand_where_a_sentence_or_a_quotation_begins() -> None:
    document = realise(plan('{B} stopped. "{B.you} are late," said {A}. "who are you?" {B.he} asked. {B.he} left.'))
    assert document.text == 'A nurse stopped. "You are late," said Mary van der Berg. "Who are you?" he asked. He left.'


def test_a_verb_loses_its_ending_after_they() -> None:
    assert [agreeing(it, THEY) for it in ("was", "has", "carries", "watches", "gives", "goes")] == [
        "were", "have", "carry", "watch", "give", "go",
    ]  # fmt: skip
    assert agreeing("was", NEOPRONOUNS[0]) == "was"


@pytest.mark.parametrize(
    ("noun", "expected"), [("engineer", "an engineer"), ("heir", "an heir"), ("usher", "an usher")]
)
def test_the_article_before_a_noun(noun: str, expected: str) -> None:
    assert with_article(noun) == expected


def test_an_entry_is_not_drawn_twice_and_takes_its_people() -> None:
    entries = {"act": ("{X} saw {Y}.", "{Y} met {X}.")}
    drawn = chosen("$act(A,B) $act(A,B)", entries, Random(1))
    assert drawn in ("{A} saw {B}. {B} met {A}.", "{B} met {A}. {A} saw {B}.")


@pytest.mark.parametrize("pattern", ["{A", "{B: the man", "end}", "$nothing"])
def test_a_pattern_that_cannot_be_read_is_an_error(pattern: str) -> None:
    with pytest.raises(DataError):
        parse(chosen(pattern, lexicon(), Random(1)))


def test_every_pattern_can_be_written() -> None:
    names = Names(female=frozenset(("Ada", "Jo")), male=frozenset(("Abel", "Jo")))
    rng = Random(5)
    casting = Casting(names, rng)
    for pattern in patterns():
        made = make_plan(pattern, casting, rng, "plan")
        for pronouns in (HE, SHE, THEY):
            assert realise(counterfactual(made, dict.fromkeys(made.people, pronouns))).text
