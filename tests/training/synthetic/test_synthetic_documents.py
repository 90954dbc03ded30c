"""Synthetic documents: the same from the same seed, every mention where it says, every answer the same in the twin."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import islice
from random import Random

import pytest

from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.names import Names
from petra.english.vocabulary import listed
from petra.training.synthetic.documents import plans, synthetic_documents
from petra.training.synthetic.people import nouns
from petra.training.synthetic.plans import DocumentPlan, patterns, realise, swapped
from petra.training.synthetic.pronouns import FIRST_AND_SECOND, HE, SHE, THEY_PLURAL
from petra.training.synthetic.realising import Conventions

NAMES = Names(
    female=listed("Ada Bella Cora Dora Edna Flora Greta Hilda Ivy Jo Kit Lee"),
    male=listed("Abel Boris Cyril Duncan Edgar Fred Gus Hector Ivor Jo Kit Lee"),
)


@pytest.fixture(scope="module")
def documents() -> tuple[AnnotatedDocument, ...]:
    return synthetic_documents(NAMES, 5000, seed=3)


@pytest.fixture(scope="module")
def made() -> list[DocumentPlan]:
    return list(islice(plans(NAMES, Random(3), "plan"), 3000))


def test_the_same_seed_makes_the_same_documents() -> None:
    assert synthetic_documents(NAMES, 200, seed=7) == synthetic_documents(NAMES, 200, seed=7)
    assert synthetic_documents(NAMES, 200, seed=7) != synthetic_documents(NAMES, 200, seed=8)


def test_mentions_slice_to_whole_words(documents: tuple[AnnotatedDocument, ...]) -> None:
    for document in documents:
        padded = f" {document.text} "
        for mention in document.mentions:
            words = document.text[mention.start : mention.end]
            assert words
            assert words == words.strip(" ,;:!?\n")
            assert not padded[mention.start].isalnum()
            assert not padded[mention.end + 1].isalnum()


def test_mentions_nest_or_stand_apart(documents: tuple[AnnotatedDocument, ...]) -> None:
    for document in documents:
        assert len({it[:2] for it in document.mentions}) == len(document.mentions), document.text
        for first in document.mentions:
            for second in document.mentions:
                assert not first.start < second.start < first.end < second.end, document.text


def test_no_sign_of_the_pattern_language_is_left(documents: tuple[AnnotatedDocument, ...]) -> None:
    for document in documents:
        assert not set(document.text) & set("{}<>[]|$@^~#"), document.text
        assert "  " not in document.text, document.text
        assert ".." not in document.text, document.text
        assert document.text == document.text.strip(), document.text


def test_every_pronoun_is_of_the_set_its_person_goes_by(made: list[DocumentPlan]) -> None:
    for plan in made:
        document = realise(plan)
        for mention in document.mentions:
            word = document.text[mention.start : mention.end].lower()
            if mention.kind == "pronoun" and word not in {it.lower() for it in FIRST_AND_SECOND}:
                pronouns = plan.pronouns.get(mention.entity, THEY_PLURAL)
                assert word in pronouns.words, document.text


def test_a_twin_gives_the_same_answers(made: list[DocumentPlan]) -> None:
    for plan in made:
        kept, other = realise(plan), realise(swapped(plan))
        assert [(it.kind, it.entity) for it in kept.mentions] == [(it.kind, it.entity) for it in other.mentions]


def test_people_who_only_gender_tells_apart_go_by_different_pronouns(made: list[DocumentPlan]) -> None:
    for plan in made:
        for first, second in plan.distinct:
            if first in plan.people and second in plan.people:
                assert plan.pronouns[first] != plan.pronouns[second]


def test_verbs_agree_with_they(documents: tuple[AnnotatedDocument, ...]) -> None:
    singular = re.compile(
        r"\b(they|we|you|i) (was|is|has|does|goes|likes|lives|keeps|knows|says|owes)\b", re.IGNORECASE
    )
    plural = re.compile(r"\b(he|she|xe|ze|ey|fae) (were|are|have|do)\b", re.IGNORECASE)
    for document in documents:
        text = document.text.replace("I was", "")
        assert not singular.search(text), text
        assert not plural.search(text), text


def test_every_job_is_a_mans_as_often_as_a_womans(made: list[DocumentPlan]) -> None:
    # Only the nouns of people who are not named: the pronoun is all that tells their gender.
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for plan in made:
        for role, persona in plan.people.items():
            if persona.kind == "nominal":
                noun = persona.forms(HE)["short"]
                if noun == persona.forms(SHE)["short"]:
                    counts[noun][plan.pronouns[role].name] += 1
    assert len(counts) > 100
    for noun, count in counts.items():
        assert abs(count["he"] - count["she"]) <= max(4, 0.25 * count.total()), (noun, count)


def test_the_shares_of_singular_they_and_of_neopronouns(made: list[DocumentPlan]) -> None:
    sets = Counter(
        "they" if "they" in names else "neo" if names - {"he", "she"} else "he or she"
        for names in ({it.name for it in plan.pronouns.values()} for plan in made)
    )
    assert 0.08 < sets["they"] / len(made) < 0.15
    assert 0.01 < sets["neo"] / len(made) < 0.04


def test_documents_hardly_repeat(documents: tuple[AnnotatedDocument, ...]) -> None:
    assert len({it.text for it in documents}) == len(documents)
    assert len({it.id for it in documents}) == len(documents)


def test_predicates_can_be_left_unmarked(made: list[DocumentPlan]) -> None:
    bare = Conventions(predicates=False, coordination=False)
    fewer = [len(realise(it).mentions) - len(realise(it, bare).mentions) for it in made]
    assert min(fewer) == 0
    assert max(fewer) > 0


def test_there_are_many_patterns_and_nouns() -> None:
    assert len(patterns()) > 900
    assert len(nouns()["jobs"]) > 100
