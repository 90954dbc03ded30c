"""A text as long as a novel with its people and its log, the same every time: for pages that must bear such texts."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from petra.domain import Mention, Person, Quotation
from petra.log.memory_log import MemoryLog

_WORDS = """
    Ada Bruno Clara Dmitri Edith Farid Greta Hugo Ines Jonas Karin Luca Mina Nils Olga Piet Rosa Sven Tilda Udo
    Amsel Bergen Corvin Dahl Ekholm Fontane Gruber Hollis Ivers Jansen
    the a old house river evening letter garden window road winter stood under beside walked slowly and then
    while rain fell over quiet fields where nobody had ever been before it was late in that year light came
"""
_FIRST, _LAST, *_REST = (line.split() for line in _WORDS.strip().splitlines())
_PLAIN = [word for line in _REST for word in line]
_HEADING = "CHAPTER"
_PRONOUNS = ("she", "he", "her", "him", "his")


@dataclass(frozen=True, slots=True, eq=False)
class Novel:
    """A text, who is in it, and how a memory could have read it."""

    text: str
    people: tuple[Person, ...]
    log: MemoryLog


def invented_novel(
    num_words: int, *, num_people: int = 120, cells: int = 10, chapters: int = 0, seed: int = 1
) -> Novel:
    """A novel of about so many words. Every tenth name stands within another person's: "Ada Dahl's sister"."""
    draw = random.Random(seed)
    names = [f"{first} {last}" for last in _LAST for first in _FIRST][:num_people]
    weights = [1 / (1 + number) for number in range(len(names))]
    words: list[str] = []
    found: dict[int, list[tuple[int, int, str]]] = {}  # of each person: first word, word after the last, kind
    begun = 0  # chapters
    while len(words) < num_words:
        if chapters and len(words) * chapters >= begun * num_words:
            begun += 1
            words.append(f"{_HEADING} {begun}")
        if words:
            words += draw.choices(_PLAIN, k=draw.randint(2, 6))
        who = draw.choices(range(len(names)), weights)[0]
        kind = "name" if draw.random() < 0.4 or who not in found else "pronoun"
        begin = len(words)
        words += names[who].split() if kind == "name" else [draw.choice(_PRONOUNS)]
        found.setdefault(who, []).append((begin, len(words), kind))
        if kind == "name" and draw.random() < 0.1:
            relative = draw.choices(range(len(names)), weights)[0]
            words.append("sister")
            if relative != who:
                found.setdefault(relative, []).append((begin, len(words), "nominal"))
        words += draw.choices(_PLAIN, k=draw.randint(1, 4))
    text, starts = _written(words, draw)
    ends = [start + len(word) for start, word in zip(starts, words, strict=True)]
    mentions = {
        who: tuple(
            Mention(starts[first], ends[after - 1], text[starts[first] : ends[after - 1]], kind, 0.9)
            for first, after, kind in spans
        )
        for who, spans in found.items()
    }
    order = sorted(mentions, key=lambda who: mentions[who][0].start)
    people = tuple(Person(number, names[who], mentions[who]) for number, who in enumerate(order, start=1))
    return Novel(text, people, _log(text, starts, ends, found, cells, draw))


def invented_quotations(novel: Novel, number: int, seed: int = 1) -> tuple[Quotation, ...]:
    """So many quotations of about twenty words each, said by the people of a novel to each other."""
    draw = random.Random(seed)
    often = sorted(novel.people, key=lambda person: -len(person.mentions))[:30]
    weights = [len(person.mentions) for person in often]
    starts = sorted(draw.sample(range(len(novel.text) // 130), number))
    return tuple(
        Quotation(130 * at, 130 * at + 120, ((130 * at, 130 * at + 120),), speaker.id, addressee.id, "explicit", 0.9)
        for at in starts
        for speaker, addressee in [draw.choices(often, weights, k=2)]
    )


def _written(words: list[str], draw: random.Random) -> tuple[str, list[int]]:
    """The words as lines and paragraphs, and where each word starts."""
    parts: list[str] = []
    starts: list[int] = []
    length = column = 0
    for word, following in zip(words, [*words[1:], ""], strict=True):
        starts.append(length)
        column += len(word) + 1
        is_edge = word.startswith(_HEADING) or following.startswith(_HEADING)
        gap = "\n\n" if is_edge or (column > 60 and draw.random() < 0.03) else "\n" if column > 66 else " "
        column = column if gap == " " else 0
        parts.append(word + gap)
        length += len(word) + len(gap)
    return "".join(parts), starts


def _log(
    text: str,
    starts: list[int],
    ends: list[int],
    found: dict[int, list[tuple[int, int, str]]],
    cells: int,
    draw: random.Random,
) -> MemoryLog:
    coref, overwrite = np.zeros((2, len(starts), cells), dtype=np.float32)
    for who, spans in found.items():
        for number, (first, after, _) in enumerate(spans):
            gate = overwrite if number == 0 else coref
            gate[first:after] = 0
            gate[first:after, who % cells] = round(draw.uniform(0.6, 0.9), 2)
            gate[first:after, (who + 1) % cells] = 0.08
    return MemoryLog(
        text=text,
        model="invented",
        threshold=0.5,
        starts=np.array(starts, dtype=np.int64),
        ends=np.array(ends, dtype=np.int64),
        words=np.arange(len(starts), dtype=np.int64),
        mention_prob=np.minimum((coref + overwrite).sum(axis=1), np.float32(1)),
        coref_prob=coref,
        overwrite_prob=overwrite,
        usage=np.zeros_like(coref),
    )
