from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from listed_people import ByHand, person, span
from pdnc_samples import write_pdnc

from petra.corpora.pdnc import Novel, NovelMention, read_pdnc
from petra.domain import Person
from petra.evaluation.as_json import books_run_as_json
from petra.evaluation.books import evaluate_books, kind_of, match_characters, score_novel


def found(text: str) -> tuple[Person, ...]:
    """Ada by her name, the first "you" and "my"; Tom by "I", "Tom" and her father's "he"; the last "you" is apart."""
    return (
        person(1, text, span(text, "Vale"), span(text, "you"), span(text, "my")),
        person(
            2, text, *(span(text, words, after="Tom") for words in ("I", "Tom", "Lark")), span(text, "he", after="Has")
        ),
        person(3, text, span(text, "you", after="all")),
    )


@pytest.fixture
def novel(tmp_path: Path) -> Novel:
    write_pdnc(tmp_path)
    return next(read_pdnc(tmp_path))


@dataclass
class SpokenQuotation:
    start: int
    end: int
    speaker: int | None


@dataclass
class FoundWithQuotations:
    people: tuple[Person, ...]
    quotations: tuple[SpokenQuotation, ...]


def test_mentions_go_to_the_person_matched_with_the_character(novel: Novel, tmp_path: Path) -> None:
    run = evaluate_books(ByHand(found), tmp_path)
    result = books_run_as_json(run)
    scores = result["novels"]["TheCafe"]
    # Ada is person 1 (2 of 3), Tom person 2; "my father" was not found, and "he" is with Tom.
    assert (scores["names"], scores["you"], scores["third_person"], scores["nominals"]) == (100, 50, 0, 0)
    # B-cubed recall: (2 * 2/3 + 1/3 + 2 * 1 + 2 * 1/2) / 7 = 2/3; precision: (2 + 1 + 2 * 2/3 + 1/3 + 1) / 7 = 17/21.
    assert scores["b_cubed"] == pytest.approx(200 * (2 / 3) * (17 / 21) / (2 / 3 + 17 / 21))
    assert scores["major_share"] == pytest.approx(200 / 3)
    assert scores["major"] == [
        {"name": "Ada Vale", "shown": "Vale", "share": pytest.approx(200 / 3), "purity": 100, "listed": False}
    ]
    assert result["mean"] == {name: value for name, value in scores.items() if name != "major"}


def test_speakers_are_who_says_i(novel: Novel, tmp_path: Path) -> None:
    # Tom says I and Ada my; nobody does in the third quotation, which does not count.
    scores = books_run_as_json(evaluate_books(ByHand(found), tmp_path))["mean"]
    assert (scores["speakers_explicit"], scores["speakers_anaphoric"], scores["speakers_implicit"]) == (100, 100, 0)
    assert scores["speakers"] == 100


def test_speakers_are_those_of_the_quotations_found_where_there_are_some(novel: Novel) -> None:
    spoken = [
        SpokenQuotation(it.parts[0][0] - 1, it.parts[-1][1] + 1, speaker)
        for it, speaker in zip(novel.quotations, (2, None, 2, 1), strict=True)
    ]
    score = score_novel(novel, FoundWithQuotations(found(novel.text), tuple(spoken)))
    shares = score.speakers_by_type
    assert [(shares[it].right, shares[it].all) for it in ("explicit", "anaphoric", "implicit")] == [
        (1, 1),
        (0, 1),
        (2, 2),
    ]


def test_each_person_is_matched_with_one_character() -> None:
    # Person 1 covers both; three mentions of Tom there outweigh Ada's two, who has one elsewhere.
    people = {"ada": (1, 1, 2), "tom": (1, 1, 1)}
    person_of = {
        NovelMention(place, place + 1, name): person
        for name, found in people.items()
        for place, person in enumerate(found, start=10 * len(name) + ord(name[0]))
    }
    assert match_characters(person_of, person_of) == {"ada": 2, "tom": 1}


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("You", "you"),
        ("her", "third_person"),
        ("they", None),
        ("it", None),
        ("Poor Miss Vale", "names"),
        ("my dear Ada", "names"),
        ("My dear", "nominals"),
        ("your mother", "nominals"),
        ("Sir", "nominals"),
        ("Mr. Lark", "names"),
    ],
)
def test_kinds_are_told_by_the_words(words: str, kind: str | None) -> None:
    assert kind_of(words) == kind
