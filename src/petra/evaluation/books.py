"""Evaluation on whole novels: which of the characters of PDNC the people are that a model finds (docs/books.md).

Only the mentions that PDNC annotates count: those inside quotations, of exactly one
character. A mention found is an annotated one if their spans are equal, or else if their
head words overlap ("Miss Taylor" for "poor Miss Taylor"); of several the one with the
nearest bounds. Each character is matched with at most one person found, so that most of
the annotated mentions are covered. A mention is right if it is of the person matched with
its character; one that was not found is wrong, and a person of its own in B-cubed.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

import numpy as np
from scipy.optimize import linear_sum_assignment

from petra.corpora.pdnc import Novel, NovelCharacter, NovelMention, NovelQuotation, read_pdnc
from petra.domain import Mention, Offsets, Person
from petra.english.gender import FEMININE_PRONOUNS, MASCULINE_PRONOUNS
from petra.english.heads import head_span
from petra.english.names import parse_name
from petra.english.vocabulary import ORDINARY_WORDS, PERSON_NOUNS, PRONOUNS, TITLES, is_capitalised, listed, plain
from petra.evaluation.coreference import CoreferenceScore, score_coreference
from petra.evaluation.finder import Found, PeopleFinder
from petra.evaluation.head_match import head_in_text, overlap
from petra.runtime.progress import Report, silent

NovelKind = Literal["names", "you", "third_person", "nominals"]
NOVEL_KINDS: tuple[NovelKind, ...] = ("names", "you", "third_person", "nominals")
QUOTATION_TYPES = ("explicit", "anaphoric", "implicit")

_YOU = listed("you your yours yourself thou thee thy thine thyself")
_FIRST_PERSON = listed("i me my mine myself")
_SPOKEN_I = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself)\b")
_THIRD_PERSON = MASCULINE_PRONOUNS | FEMININE_PRONOUNS
_NO_NAMES = PERSON_NOUNS | ORDINARY_WORDS | TITLES
_MOST_MAJOR = 3  # characters counted as major where the annotation has no categories

PersonOf: TypeAlias = Mapping[NovelMention, int]  # the person found at an annotated mention, by id


class SpokenQuotation(Protocol):
    """A quotation that a model found, with its speaker (``petra.domain.Quotation``)."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def speaker(self) -> int | None: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class RightShare:
    """How many of some mentions or quotations are right."""

    right: int
    all: int

    @property
    def percent(self) -> float:
        return 100 * self.right / self.all if self.all else 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class MajorCharacter:
    """How a major character was found."""

    name: str
    person: int | None  # the id of the person matched
    shown: str | None  # the name of that person
    share: float  # percent of the character's mentions that are of the person
    purity: float  # percent of the person's annotated mentions that are of the character
    has_listed_name: bool  # the person's name is one that the annotators list


@dataclass(frozen=True, kw_only=True, slots=True)
class NovelScore:
    """A model's score on one novel."""

    novel: str
    kinds: Mapping[NovelKind, RightShare]
    speakers: RightShare
    speakers_by_type: Mapping[str, RightShare]
    coreference: CoreferenceScore
    major: tuple[MajorCharacter, ...]
    people: int  # found in the whole novel

    @property
    def major_share(self) -> float:
        return _mean(character.share for character in self.major)

    @property
    def major_purity(self) -> float:
        return _mean(character.purity for character in self.major)

    @property
    def major_named(self) -> float:
        """Percent of the major characters that are shown under a listed name."""
        return _mean(100.0 * character.has_listed_name for character in self.major)


@dataclass(frozen=True, kw_only=True, slots=True)
class BooksRun:
    """A model's scores on novels."""

    model: str
    novels: tuple[NovelScore, ...]


def evaluate_books(
    finder: PeopleFinder,
    data: Path,
    novels: Sequence[str] = (),
    *,
    cells: int | None = None,
    threshold: float | None = None,
    report: Report = silent,
) -> BooksRun:
    """Score the people that a model finds in novels, all there are unless some are named."""
    annotated = list(read_pdnc(data, novels))
    scores = []
    texts = (novel.text for novel in annotated)
    for novel, found in zip(annotated, finder.track_many(texts, cells=cells, threshold=threshold), strict=True):
        scores.append(score_novel(novel, found))
        report(len(scores), len(annotated))
    return BooksRun(model=finder.name, novels=tuple(scores))


def score_novel(novel: Novel, found: Found) -> NovelScore:
    """The score of what was found in a novel."""
    people = found.people
    person_of = _found_at(novel, people)
    matched = match_characters(novel.mentions, person_of)
    kinds = {kind: Counter[bool]() for kind in NOVEL_KINDS}
    for mention in novel.mentions:
        kind = kind_of(novel.text[mention.start : mention.end])
        if kind is not None:
            kinds[kind][_is_right(mention, person_of, matched)] += 1
    speakers = {type_: Counter[bool]() for type_ in QUOTATION_TYPES}
    speaker_of = SpeakerFinder(novel.text, found)
    for quotation in novel.quotations:
        if quotation.type in speakers and speaker_of.can_tell(quotation):
            speaker = speaker_of(quotation)
            speakers[quotation.type][speaker is not None and matched.get(quotation.speaker) == speaker] += 1
    return NovelScore(
        novel=novel.id,
        kinds={kind: _share(counts) for kind, counts in kinds.items()},
        speakers=_share(sum(speakers.values(), Counter())),
        speakers_by_type={type_: _share(counts) for type_, counts in speakers.items()},
        coreference=_coreference(novel.mentions, person_of),
        major=tuple(_major(novel, people, person_of, matched)),
        people=len(people),
    )


def kind_of(text: str) -> NovelKind | None:
    """The kind of an annotated mention, by its words; None for "we", "they" and "it"."""
    words = [plain(word.strip(".,;:!?-_'\"“”‘’")) for word in text.split()]
    if len(words) == 1 and words[0] in PRONOUNS | _YOU:
        if words[0] in _YOU:
            return "you"
        return "third_person" if words[0] in _THIRD_PERSON else None
    start, end = head_span(text)
    head = text[start:end]
    is_name = is_capitalised(head) and (plain(head) not in _NO_NAMES or parse_name(text).title is not None)
    return "names" if is_name else "nominals"


def match_characters(mentions: Iterable[NovelMention], person_of: PersonOf) -> dict[str, int]:
    """The person of each character, at most one for each, that covers most of the annotated mentions."""
    counts = Counter((mention.character, person_of[mention]) for mention in mentions if mention in person_of)
    characters = sorted({character for character, _ in counts})
    people = sorted({person for _, person in counts})
    covered = np.zeros((len(characters), len(people)))
    rows, columns = ({key: place for place, key in enumerate(keys)} for keys in (characters, people))
    for (character, person), count in counts.items():
        covered[rows[character], columns[person]] = count
    chosen = zip(*linear_sum_assignment(covered, maximize=True), strict=True)
    return {characters[row]: people[column] for row, column in chosen if covered[row, column]}


class SpeakerFinder:
    """The speaker of a quotation, by id: what was found with the quotation, or whoever says "I" inside it most often.

    Where a model finds no quotations, only those with an "I" in them have a speaker.
    """

    def __init__(self, text: str, found: Found) -> None:
        self._text = text
        quotations: Iterable[SpokenQuotation] | None = getattr(found, "quotations", None)
        self._quotations = None if quotations is None else sorted(quotations, key=lambda it: it.start)
        self._starts = [it.start for it in self._quotations or ()]
        self._ends = [it.end for it in self._quotations or ()]  # quotations do not overlap
        self._spoken = sorted(
            (mention.start, person.id)
            for person in found.people
            for mention in person.mentions
            if plain(mention.text) in _FIRST_PERSON
        )

    def can_tell(self, quotation: NovelQuotation) -> bool:
        """Whether the quotation counts: always where quotations were found, else if somebody says "I" in it."""
        return self._quotations is not None or any(
            _SPOKEN_I.search(self._text[slice(*part)]) for part in quotation.parts
        )

    def __call__(self, quotation: NovelQuotation) -> int | None:
        """The id of the speaker, if one was found."""
        votes = Counter[int]()
        for start, end in quotation.parts:
            if self._quotations is None:
                votes.update(person for _, person in self._spoken[slice(*_range(self._spoken, start, end))])
                continue
            first = bisect_right(self._ends, start)
            for found in self._quotations[first : bisect_left(self._starts, end)]:
                if found.speaker is not None:
                    votes[found.speaker] += min(found.end, end) - max(found.start, start)
        return votes.most_common(1)[0][0] if votes else None


def _range(places: Sequence[tuple[int, int]], start: int, end: int) -> Offsets:
    return bisect_left(places, (start, 0)), bisect_left(places, (end, 0))


def _found_at(novel: Novel, people: Iterable[Person]) -> dict[NovelMention, int]:
    """The person found at each annotated mention: by its span, else by the head word with the nearest bounds."""
    spans: dict[Offsets, int] = {}
    heads: list[tuple[int, int, Mention, int]] = []
    for person in people:
        for mention in person.mentions:
            spans[mention.start, mention.end] = person.id
            start, end = head_in_text(novel.text, (mention.start, mention.end))
            heads.append((start, end, mention, person.id))
    heads.sort(key=lambda head: head[:2])
    starts = [head[0] for head in heads]
    longest = max((end - start for start, end, *_ in heads), default=0)
    found = {}
    for gold in novel.mentions:
        span = gold.start, gold.end
        if span in spans:
            found[gold] = spans[span]
            continue
        head = head_in_text(novel.text, span)
        near = heads[bisect_left(starts, head[0] - longest) : bisect_right(starts, head[1])]
        fitting = [
            (abs(mention.start - span[0]) + abs(mention.end - span[1]), mention.start, person)
            for start, end, mention, person in near
            if overlap(head, (start, end))
        ]
        if fitting:
            found[gold] = min(fitting)[2]
    return found


def _coreference(mentions: Iterable[NovelMention], person_of: PersonOf) -> CoreferenceScore:
    key: defaultdict[str, list[Hashable]] = defaultdict(list)
    response: defaultdict[Hashable, list[Hashable]] = defaultdict(list)
    for mention in mentions:
        place = (mention.start, mention.end, mention.character)
        key[mention.character].append(place)
        response[person_of.get(mention, place)].append(place)
    return score_coreference([(list(key.values()), list(response.values()))])


def _major(
    novel: Novel, people: Iterable[Person], person_of: PersonOf, matched: Mapping[str, int]
) -> Iterable[MajorCharacter]:
    named = {person.id: person.name for person in people}
    mentions = Counter(mention.character for mention in novel.mentions)
    of_person = Counter(person_of.values())
    for character in _major_characters(novel.characters, mentions):
        person = matched.get(character.name)
        together = sum(
            mention.character == character.name and person_of.get(mention) == person for mention in novel.mentions
        )
        shown = None if person is None else named[person]
        yield MajorCharacter(
            name=character.name,
            person=person,
            shown=shown,
            share=100 * together / max(1, mentions[character.name]) if person is not None else 0.0,
            purity=100 * together / of_person[person] if person is not None else 0.0,
            has_listed_name=shown is not None and shown.lower() in {name.lower() for name in character.names},
        )


def _major_characters(characters: Sequence[NovelCharacter], mentions: Mapping[str, int]) -> list[NovelCharacter]:
    """The characters marked as major; without such marks, those with most mentions."""
    mentioned = sorted(characters, key=lambda character: -mentions[character.name])
    marked = [it for it in mentioned if it.category == "major"]
    return [it for it in marked or mentioned[:_MOST_MAJOR] if mentions[it.name]]


def _is_right(mention: NovelMention, person_of: PersonOf, matched: Mapping[str, int]) -> bool:
    person = person_of.get(mention)
    return person is not None and matched.get(mention.character) == person


def _share(counts: Mapping[bool, int]) -> RightShare:
    right = counts.get(True, 0)
    return RightShare(right=right, all=right + counts.get(False, 0))


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return sum(known) / len(known) if known else 0.0
