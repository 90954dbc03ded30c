"""A model whose people are listed by hand, for evaluations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from petra.domain import Mention, Person


@dataclass
class Found:
    people: tuple[Person, ...]


class ByHand:
    """Finds in each text what a function of the text says; each call's options are kept in ``asked``."""

    name = "by-hand"

    def __init__(self, people: Callable[[str], tuple[Person, ...]]) -> None:
        self._people = people
        self.asked: list[tuple[int | None, float | None]] = []

    def track_many(
        self, texts: Iterable[str], *, cells: int | None = None, threshold: float | None = None
    ) -> Iterator[Found]:
        self.asked.append((cells, threshold))
        for text in texts:
            yield Found(self._people(text))


def person(number: int, text: str, *spans: tuple[int, int]) -> Person:
    """A person with mentions at some spans of a text."""
    mentions = tuple(Mention(start, end, text[start:end], "name", 1.0) for start, end in spans)
    return Person(number, mentions[0].text, mentions)


def span(text: str, words: str, after: str = "") -> tuple[int, int]:
    """Where some words first stand in a text, or first after others."""
    start = text.index(words, text.index(after) + len(after) if after else 0)
    return start, start + len(words)
