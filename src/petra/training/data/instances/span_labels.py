"""Labels of mentions in encyclopedic text without an annotator: by capitals, first names and pronouns.

Some spans are surely mentions: the names that an instance of GAP marks, a listed first
name with a surname, either part of such a name again, "he" and "she", "her old teacher"
where the phrase ends there. Of some nobody knows without reading: a single capitalised
word, "his assistant in London". All others are none, and they matter as much: trained on
novels alone, a span head takes every band, town and half sentence of an encyclopedia for
a person.

Letters: T tokens of a document, W tokens of the widest span.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petra.corpora.gap import Span
from petra.corpora.names import Names
from petra.domain import KINDS
from petra.english import lexicon
from petra.english.gender import FEMININE_PRONOUNS, MASCULINE_PRONOUNS, gender_of
from petra.english.grammar import LOCATIVES, PHRASE_ENDS, SUBORDINATORS
from petra.english.not_people import NOT_GIVEN_NAMES, NOT_PERSON_ENDINGS
from petra.english.sentences import Passage, SentenceWord, parse
from petra.english.vocabulary import (
    DETERMINERS,
    ORDINARY_WORDS,
    PERSON_NOUNS,
    POSSESSIVE_DETERMINERS,
    PRONOUNS,
    RELATIVES,
)
from petra.mentions.span_head import whole_words
from petra.text.document import Document
from petra.training.data.instances.runs import Run, find_runs

_LONGEST_PHRASE = 6  # words of a nominal that may be a mention
_NAME = _NOMINAL = 3.0  # how much these count: few spans are one, and a person overlooked is the worse mistake
_RATHER_A_THING = 0.4  # how much it counts that a name without a listed first name is none
_TITLES = lexicon.words("titles", "person")  # of people alone; there are bands called King
_HUMAN_NOUNS = lexicon.words("person_nouns", "human")  # what only people are called
_GROUPS = lexicon.words("person_nouns", "group")
_AGENT = re.compile(r"\w{3,}(?:er|or|ist|ian|m[ae]n|ee|ess|ant|ent)s?")
_GIVEN = frozenset(("named", "called", "nicknamed", "based"))  # "a girl named Lena" is one phrase
_PAST = re.compile(r"\w{3,}ed")
_PERSONAL = MASCULINE_PRONOUNS | FEMININE_PRONOUNS
_OPEN_PRONOUNS = PRONOUNS - _PERSONAL - RELATIVES - lexicon.words("pronouns", "neuter")


class SpanLabels(NamedTuple):
    """Labels of all spans of a document, by first token and width less 1."""

    kind: NDArray[np.int64]  # (T, W) the place of the kind in KINDS, counted from 1, or 0 for no mention
    weight: NDArray[np.float32]  # (T, W) how much it counts, 0 where nothing is known


class _Runs(NamedTuple):
    """The capitalised words of a passage, as ranges of its words, titles included."""

    people: frozenset[range]
    unknown: frozenset[range]
    things: frozenset[range]  # those that only look like things


def span_labels(document: Document, known: Iterable[Span], names: Names, max_width: int) -> SpanLabels:
    """The labels of a document in which the names of some people are known."""
    passage = parse(document.text)
    runs = _judge(passage, [words for span in known if (words := _words_in(passage, span))], names)
    kind = np.zeros((len(document), max_width), dtype=np.int64)
    weight = whole_words(document.words, max_width).astype(np.float32) if len(document) else kind.astype(np.float32)

    def put(words: range, kind_of: int, weight_of: float) -> None:
        tokens = document.tokens_in(*passage.span(words))
        if tokens and len(tokens) <= max_width:
            kind[tokens[0], len(tokens) - 1] = kind_of
            weight[tokens[0], len(tokens) - 1] = weight_of

    for words in (*_phrases(passage, runs), *runs.unknown):
        put(words, 0, 0.0)
    for words in _nominals(passage, runs.people):
        put(words, KINDS.index("nominal") + 1, _NOMINAL)
        for start in words[1:]:
            put(range(start, words.stop), 0, 1.0)
    for words in runs.things:
        put(words, 0, _RATHER_A_THING)
    for words in runs.people:
        put(words, KINDS.index("name") + 1, _NAME)
    for place, word in enumerate(passage.words):
        if word.lower in _PERSONAL:
            put(range(place, place + 1), KINDS.index("pronoun") + 1, 1.0)
        elif word.lower in _OPEN_PRONOUNS:
            put(range(place, place + 1), 0, 0.0)
    return SpanLabels(kind, weight)


def _words_in(passage: Passage, span: Span) -> range:
    """The words that overlap a span."""
    inside = [place for place, word in enumerate(passage.words) if word.start < span.end and span.start < word.end]
    return range(inside[0], inside[-1] + 1) if inside else range(0)


def _judge(passage: Passage, known: Sequence[range], names: Names) -> _Runs:
    """Which capitalised words name a person, given the names known already."""
    people = set(known)
    rest = [run for run in find_runs(passage) if not any(_overlap(run.words, words) for words in known)]
    people |= {_whole(run) for run in rest if _is_full_name(run, names)}
    of_people = {passage.words[place].text for words in people for place in words}
    people |= {_whole(run) for run in rest if of_people.issuperset(run.name)}
    unknown, things = set[range](), set[range]()
    for run in rest:
        if _whole(run) in people or run.before in LOCATIVES or run.name[-1] in NOT_PERSON_ENDINGS:
            continue
        is_thing = len(run.name) > 1 and not any(word in of_people or word in names for word in run.name)
        (things if is_thing else unknown).add(_whole(run))
    return _Runs(frozenset(people), frozenset(unknown), frozenset(things))


def _is_full_name(run: Run, names: Names) -> bool:
    if run.name[-1] in NOT_PERSON_ENDINGS:
        return False
    is_listed = len(run.name) > 1 and run.name[0] in names and run.name[0] not in NOT_GIVEN_NAMES
    return is_listed or not _TITLES.isdisjoint(run.titles)


def _whole(run: Run) -> range:
    """The words of a run with its titles."""
    return range(run.words.start - len(run.titles), run.words.stop)


def _overlap(one: range, other: range) -> bool:
    return one.start < other.stop and other.start < one.stop


def _phrases(passage: Passage, runs: _Runs) -> Iterator[range]:
    """The words in a row that may be a nominal, "Emma's new assistant", or bring in a name, "her friend Pauline"."""
    words = passage.words
    name_ends = {run.start: run.stop for run in runs.people | runs.unknown}
    for end, word in enumerate(words, start=1):
        if not _is_person_noun(word):
            continue
        for start in range(end - 1, max(-1, end - 1 - _LONGEST_PHRASE), -1):
            if start < end - 1 and not _are_joined(words[start], words[start + 1]):
                break
            if _may_open(words[start]):
                yield range(start, end)
                if end in name_ends and words[end].gap in (" ", ", "):
                    yield range(start, name_ends[end])


def _nominals(passage: Passage, people: Iterable[range]) -> Iterator[range]:
    """The words in a row that surely are a nominal: "his old teacher was", "the judge, Ada Vale", "a son of Ada"."""
    words = passage.words
    name_ends = {name.start: name.stop for name in people}
    for noun, word in enumerate(words):
        if word.text not in _HUMAN_NOUNS or word.possessive:
            continue
        following = words[noun + 1 : noun + 2]
        if following and following[0].lower == "of":
            end = name_ends.get(noun + 2)
        else:
            end = noun + 1 if _ends_phrase(*following) else None
        start = _opener(words, noun)
        if start is not None and end is not None:
            yield range(start, end)


def _opener(words: Sequence[SentenceWord], noun: int) -> int | None:
    """Where the phrase begins that a noun ends, if a determiner or possessive opens it."""
    for start in range(noun - 1, max(-1, noun - _LONGEST_PHRASE), -1):
        if not _are_joined(words[start], words[start + 1]):
            break
        if words[start].lower in DETERMINERS | POSSESSIVE_DETERMINERS:
            return start
        if words[start].capitalised:
            break
    return None


def _ends_phrase(following: SentenceWord | None = None) -> bool:
    """Whether a noun phrase is surely at its end before a word."""
    if following is None or following.gap not in (" ", ", "):
        return True
    text = following.lower
    if following.gap == ", ":  # not another phrase, which may belong to it
        return following.capitalised or text in PHRASE_ENDS | SUBORDINATORS | PRONOUNS - RELATIVES
    return text in PHRASE_ENDS or (_PAST.fullmatch(text) is not None and text not in _GIVEN)


def _are_joined(word: SentenceWord, following: SentenceWord) -> bool:
    """Whether two words may stand in one noun phrase."""
    return (
        following.gap == " "
        and following.lower not in ORDINARY_WORDS | PRONOUNS
        and word.sentence == following.sentence
    )


def _may_open(word: SentenceWord) -> bool:
    opens = word.lower in DETERMINERS | POSSESSIVE_DETERMINERS
    return opens or word.lower not in ORDINARY_WORDS | PRONOUNS


def _is_person_noun(word: SentenceWord) -> bool:
    text = word.lower
    if word.capitalised or text in ORDINARY_WORDS | PRONOUNS:
        return False
    return text in PERSON_NOUNS | _GROUPS or gender_of(text) is not None or _AGENT.fullmatch(text) is not None
