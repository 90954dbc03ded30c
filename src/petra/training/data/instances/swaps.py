"""Counterfactual GAP instances: other names, or everybody of the other gender.

What an instance says about its pronoun stays true, so a model that learns from it and
from the original learns to rely on neither names nor gender. Offsets stay exact.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random

from petra.corpora.gap import GapInstance, Span
from petra.corpora.names import Names
from petra.english.gender import Gender
from petra.english.not_people import NOT_ALONE, NOT_GIVEN_NAMES
from petra.english.vocabulary import ORDINARY_WORDS, TITLES, is_initial, is_suffix, plain
from petra.english.words import LETTER, without_possessive, word_pattern
from petra.training.data.instances.edits import TextEdit, rewrite
from petra.training.data.instances.gendered import swap_words

_WORD = re.compile(word_pattern(LETTER))
_NO_NAMES = ORDINARY_WORDS | TITLES
_OTHER: dict[Gender, Gender] = {"masculine": "feminine", "feminine": "masculine"}


def swap_gender(instance: GapInstance, names: Names, rng: Random) -> GapInstance:
    """The instance with every person of the other gender.

    Pronouns and words such as "father" become their counterparts, and each first name
    that tells a gender becomes a name of the other one, the same everywhere.
    """
    others = {first: _choices(names, _OTHER[gender]) for first, gender in _first_names(instance, names).items()}
    renamed = list(_rename(instance.text, _renaming(others, instance.text, rng)))
    inside = {place for edit in renamed for place in range(*edit.span)}
    words = [edit for edit in swap_words(instance.text) if edit.span.start not in inside]
    return replace(_edited(instance, [*renamed, *words]), gender=_OTHER[instance.gender])


def swap_names(instance: GapInstance, names: Names, rng: Random, surnames: Sequence[str] = ()) -> GapInstance:
    """The instance with other names for A and B, the same everywhere in the text.

    First names become others of the same gender; other names become one of
    ``surnames``, or stay where none are given.
    """
    others: dict[str, Sequence[str]] = {}
    for span in (instance.a, instance.b):
        words = _WORD.findall(instance.text[slice(*span)])
        for place, word in enumerate(words):
            if not _is_name(word):
                continue
            if word in names and (place == 0 or word in others):
                others[word] = _choices(names, names.gender(word) or instance.gender)
            elif place == len(words) - 1 and surnames:
                others.setdefault(word, surnames)
    return _edited(instance, _rename(instance.text, _renaming(others, instance.text, rng)))


def surnames_of(instances: Iterable[GapInstance], names: Names) -> tuple[str, ...]:
    """The surnames among the names of instances, in the order of the alphabet."""
    found = set[str]()
    for instance in instances:
        for span in (instance.a, instance.b):
            words = _WORD.findall(instance.text[slice(*span)])
            if len(words) == 2 and words[0] in names and _is_name(words[1]) and words[1] not in names:
                found.add(words[1])
    return tuple(sorted(found))


def _first_names(instance: GapInstance, names: Names) -> dict[str, Gender]:
    """The first names of the text that tell a gender, and never stand where a surname does."""
    found: dict[str, Gender] = {}
    later = set[str]()
    asked = {word for span in (instance.a, instance.b) for word in _WORD.findall(instance.text[slice(*span)])[:1]}
    before, reach = "", 0
    for match in _WORD.finditer(instance.text):
        word = without_possessive(match.group())
        gender = names.gender(word)
        if instance.text[reach : match.start()] == " " and _is_name(before):
            later.add(word)
        elif gender is not None and word not in NOT_GIVEN_NAMES and (word in asked or word not in NOT_ALONE):
            found[word] = gender
        before, reach = match.group(), match.end()
    return {word: gender for word, gender in found.items() if word not in later}


@lru_cache(maxsize=4)
def _choices(names: Names, gender: Gender) -> tuple[str, ...]:
    """The names to draw from, in an order that does not change from run to run."""
    return tuple(sorted(name for name in names.of(gender) - NOT_GIVEN_NAMES if _WORD.fullmatch(name)))


def _renaming(others: Mapping[str, Sequence[str]], text: str, rng: Random) -> dict[str, str]:
    """A new name for each word, drawn from its own choice, none of them in the text already."""
    taken = set(_WORD.findall(text)) | {without_possessive(word) for word in _WORD.findall(text)}
    renaming: dict[str, str] = {}
    for word in sorted(others):
        new = rng.choice(others[word])
        if new in taken:  # seldom, and only then is it worth looking through them all
            new = rng.choice([it for it in others[word] if it not in taken] or [word])
        renaming[word] = new
        taken.add(new)
    return renaming


def _rename(text: str, renaming: Mapping[str, str]) -> Iterator[TextEdit]:
    for found in _WORD.finditer(text):
        word = without_possessive(found.group())
        if word in renaming:
            yield TextEdit(Span(found.start(), found.start() + len(word)), renaming[word])


def _is_name(word: str) -> bool:
    """Whether a word can be a first name or surname, rather than a title, an initial or an ordinary word."""
    if not word or not word[0].isupper() or is_initial(word) or is_suffix(word):
        return False
    return plain(word) not in _NO_NAMES


def _edited(instance: GapInstance, edits: Iterable[TextEdit]) -> GapInstance:
    text, (pronoun, a, b) = rewrite(instance.text, edits, (instance.pronoun, instance.a, instance.b))
    return replace(instance, text=text, pronoun=pronoun, a=a, b=b)
