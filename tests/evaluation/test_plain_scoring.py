from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import pytest

from petra import Tracker
from petra.corpora.annotated import GoldMention
from petra.domain import Mention, Person
from petra.evaluation.as_json import plain_run_as_json
from petra.evaluation.plain.scoring import TAGS, evaluate_plain, long_texts, short_texts


@dataclass
class Found:
    people: tuple[Person, ...]


class Annotator:
    """A model that finds what the annotation has, or only some kinds of it."""

    name = "by-hand"

    def __init__(self, *kinds: str) -> None:
        self._kinds = kinds
        self._texts = {text.document.text: text.document for text in (*short_texts(), *long_texts())}

    def track_many(
        self, texts: Iterable[str], *, cells: int | None = None, threshold: float | None = None
    ) -> Iterator[Found]:
        for text in texts:
            chosen = ([it for it in person if it.kind in self._kinds] for person in self._texts[text].people)
            yield Found(
                tuple(self._person(number, text, it) for number, it in enumerate(filter(None, chosen), start=1))
            )

    def _person(self, number: int, text: str, mentions: Sequence[GoldMention]) -> Person:
        found = tuple(Mention(it.start, it.end, text[it.start : it.end], it.kind, 1.0) for it in mentions)
        return Person(number, found[0].text, found)


def test_there_are_120_short_texts_and_ten_registers() -> None:
    short, long = short_texts(), long_texts()
    assert [text.document.id for text in short] == [str(number) for number in range(1, 121)]
    assert sorted(text.document.id for text in long) == [
        *("biography", "blog", "chat", "fiction", "interview", "judgment", "news", "play", "sports", "they")
    ]
    assert all(150 <= len(text.document.text.split()) <= 300 for text in long)
    assert all(text.tags and set(text.tags) <= set(TAGS) for text in short)
    assert all(2 <= len(text.document.people) <= 4 for text in short)


def test_the_counts_of_the_page() -> None:
    """docs/plain.md has these numbers."""
    tags = Counter(tag for text in short_texts() for tag in text.tags)
    assert [tags[tag] for tag in TAGS] == [29, 19, 19, 41, 17, 6, 18, 13, 16, 10]
    for texts, counts in ((short_texts(), [261, 119, 185]), (long_texts(), [318, 112, 120])):
        kinds = Counter(it.kind for text in texts for it in text.document.mentions)
        assert [kinds["pronoun"], kinds["nominal"], kinds["name"]] == counts


def test_he_and_she_are_about_as_frequent() -> None:
    words = Counter(
        text.document.text[it.start : it.end].lower() for text in short_texts() for it in text.document.mentions
    )
    masculine = sum(words[word] for word in ("he", "him", "his", "himself"))
    feminine = sum(words[word] for word in ("she", "her", "hers", "herself"))
    assert (masculine, feminine) == (81, 77)


def test_the_annotation_is_right_by_its_own_measure() -> None:
    run = evaluate_plain(Annotator("name", "nominal", "pronoun"))
    assert run.wrong == run.spurious == ()
    assert (run.short.pronouns.percent, run.long.names_and_nominals.percent) == (100, 100)
    assert (run.coreference.mentions.f1, run.coreference.conll) == (100, 100)


def test_a_model_without_pronouns() -> None:
    read: list[tuple[int, int]] = []
    run = evaluate_plain(Annotator("name", "nominal"), report=lambda *done: read.append(done))
    assert read[-1] == (130, 130)
    result = plain_run_as_json(run)
    assert (result["schema"], result["model"]) == ("petra.evaluation/1", "by-hand")
    assert result["short"]["pronouns"] == {"percent": 0.0, "right": 0, "mentions": 261}
    assert result["short"]["names_and_nominals"] == {"percent": 100.0, "right": 304, "mentions": 304}
    assert result["tags"]["neopronoun"]["texts"] == 6
    assert result["registers"]["chat"]["names"]["percent"] == 100
    # 232 of 550 mentions of the longer texts, none too many: recall 232 / 550, precision 1.
    assert result["long"]["mention_f1"] == pytest.approx(100 * 2 * 232 / (550 + 232))
    assert len(result["wrong"]) == 261 + 318
    assert result["wrong"][0] == {
        **{"text": "1", "start": 42, "end": 44, "words": "he", "kind": "pronoun"},
        **{"error": "not found", "person": None},
    }


def test_a_real_tracker_is_a_finder(tiny_tracker: Tracker) -> None:
    run = evaluate_plain(tiny_tracker)
    assert (run.short.texts, run.long.texts) == (120, 10)
