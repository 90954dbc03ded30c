"""Random texts with people and quotations in them, for exports: whatever a file may hold."""

from __future__ import annotations

from random import Random

from petra.domain import FOUND_BY, KINDS, Mention, Person, Quotation
from petra.report.export.tracked import TrackedText

_WORDS = "Jane Tom Mr. O'Neil Jean-Luc he She her mother's girl café cafe\u0301s e\u0301 张三 דוד 👩‍👧 🐕 100 CHAPTER"
_MARKS = r"_ | \ # * ] [ -> ; <b> </b> &amp; & ' ’ -- … ( ) e1) (1 a\nb"
_PIECES = [*_WORDS.split(" "), *_MARKS.split(" "), *'"“”', *"\ufeff\u200b\u00ad\x00\x07\x1b\ufffe"]
_GAPS = [" "] * 12 + [
    "  ",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "\r\n\r\n",
    "\t",
    ". ",
    ", ",
    "",
    "",
    *"\u00a0\u2028\x0c\x0b\x1c",
]


def random_tracked(seed: int) -> TrackedText:
    """A text of up to some sixty words; mentions of different people nest and cross, those of one stand apart."""
    random = Random(seed)
    text = "".join(random.choice(_PIECES) + random.choice(_GAPS) for _ in range(random.randrange(0, 60)))
    if random.random() < 0.2:
        text = random.choice(_GAPS) + text
    if random.random() < 0.2:
        text = f"Chapter 1\n\n{text}\n\nChapter 2\n\n{text}"
    people = []
    for _ in range(random.randrange(0, 6)):
        mentions = [
            Mention(start, end, text[start:end], random.choice(KINDS), round(random.random(), 4))
            for start, end in _spans(random, text, random.randrange(1, 6))
        ]
        if mentions:
            people.append(mentions)
    people.sort(key=lambda mentions: mentions[0].start)
    names = random.choices(["Jane", "Mr. Tom\n King", '<&>"', "张三"], k=len(people))
    numbered = tuple(Person(number, names[number - 1], tuple(found)) for number, found in enumerate(people, start=1))
    return TrackedText(
        source=random.choice([None, "story.txt", "a <b> & (c).txt"]),
        model="tiny & <small>",
        text=text,
        num_tokens=len(text.split()),
        people=numbered,
        quotations=tuple(_quotations(random, text, len(numbered))),
    )


def _quotations(random: Random, text: str, people: int) -> list[Quotation]:
    spans = _spans(random, text, random.randrange(0, 6))
    found = []
    while spans:
        parts = tuple(spans.pop(0) for _ in range(min(len(spans), random.choice([1, 1, 2, 3]))))
        speaker, addressee = (random.choice([None, *range(1, people + 1)]) for _ in range(2))
        found.append(
            Quotation(
                start=parts[0][0],
                end=parts[-1][1],
                parts=parts,
                speaker=speaker,
                addressee=addressee,
                found_by=random.choice(FOUND_BY),
                probability=round(random.random(), 4),
            )
        )
    return found


def _spans(random: Random, text: str, count: int) -> list[tuple[int, int]]:
    """Spans that stand apart, without white space at their ends."""
    places = [place for place, character in enumerate(text) if not character.isspace()]
    found: list[tuple[int, int]] = []
    for _ in range(count if places else 0):
        first = random.randrange(len(places))
        last = min(len(places) - 1, first + random.choice([0, 1, 2, 3, 5, 8, 30]))
        start, end = places[first], places[last] + 1
        if all(end <= other_start or other_end <= start for other_start, other_end in found):
            found.append((start, end))
    return sorted(found)
