"""Head words: the one word of a mention that stands for the person.

A mention of several words is told from those nested in it by its head: in "Emma's
father" the head of the whole is "father", and "Emma" is another person. The rules need
no parser, only word lists and the endings of words:

1. A pronoun that opens the mention is its head, "she who must be obeyed", unless it goes
   with a noun: "you fool", "we three".
2. A possessor is passed over: "Emma's father", "the other boys' mother".
3. What follows the noun is cut off, from the first preposition, relative, pronoun,
   article, comma, dash or participle on: "the old man with the beard", "a lady named Lydia".
4. Several people named together are headed by the word that joins them: "Tom and his
   mother". An "and" between adjectives joins no people: "a great and good man".
5. Of what is left, the last word is the head, but for suffixes: "Mr. Darcy", "King Charles II".

``head_of`` takes a mention's words, ``head_span`` its text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from petra.english import lexicon
from petra.english.grammar import QUANTIFIERS
from petra.english.vocabulary import (
    ARTICLES,
    CONJUNCTIONS,
    DETERMINERS,
    ORDINARY_WORDS,
    PERSON_NOUNS,
    POSSESSIVE_DETERMINERS,
    PRONOUNS,
    TITLES,
    is_capitalised,
    is_suffix,
    plain,
)
from petra.english.words import tokens

# A word with the marks that hang on it, each part possibly empty: lead, core, possessive ending, tail.
_MARKED = re.compile(r"\A([\W_]*?)([^\W_](?:.*?[^\W_])?)?(['’]s?)?([\W_]*)\Z", re.DOTALL)
_BREAK = re.compile(r"[,;:(\[–—]|-$")

_APPOSED = lexicon.words("pronouns", "apposed")  # "you fool", "we three"
_ALONE = PRONOUNS - POSSESSIVE_DETERMINERS - _APPOSED
_MODIFIERS = lexicon.words("function_words", "modifier")
_AFTER_NOUNS = (ORDINARY_WORDS | PRONOUNS | {"else", "round"}) - QUANTIFIERS - _MODIFIERS - CONJUNCTIONS
_BEFORE_NOUNS = QUANTIFIERS | _MODIFIERS | DETERMINERS | POSSESSIVE_DETERMINERS | _APPOSED
_FUNCTION_WORDS = _AFTER_NOUNS | _BEFORE_NOUNS
# Between an adjective and its noun stands none of these.
_AFTER_PARTICIPLES = _AFTER_NOUNS | DETERMINERS | POSSESSIVE_DETERMINERS
# These follow even a word that is no noun, "all of them", "those who know" ..
_POSTNOMINAL = lexicon.words("function_words", "postnominal")
# .. but for those that only open a phrase: "the in patients".
_OPENING = ARTICLES | POSSESSIVE_DETERMINERS

_PEOPLE = PRONOUNS | TITLES | PERSON_NOUNS
_PERSON_ENDING = re.compile(r"\w+(?:m[ae]n|ist|ian|[^su]s)")  # "clergyman", "artist"; "boys", not "famous"

_NAMING = lexicon.words("verbs", "naming")
_PARTICIPLE = re.compile(rf"\w+(?:ing|ed)|{lexicon.alternatives('verbs', 'participle')}")


class _MentionWord(NamedTuple):
    """A word of a mention that holds a letter."""

    place: int  # among the words as given
    text: str  # without what hangs on it
    is_possessor: bool = False  # of what follows
    is_broken_off: bool = False  # from what follows, by a comma or the like

    @property
    def plain(self) -> str:
        return plain(self.text)


def head_of(words: Sequence[str]) -> int:
    """The place of the head among the words of a mention.

    Punctuation and possessive endings may be words of their own or hang on a word.
    A mention without a single letter or digit is headed by its last word.
    """
    if not words:
        raise ValueError("A mention has at least one word, and none was given.")
    phrase = _words(words)
    if not phrase:
        return len(words) - 1
    at = 1
    while at < len(phrase) and not _is_cut(phrase, at):
        if phrase[at - 1].is_possessor:
            phrase, at = phrase[at:], 0
        elif phrase[at].plain in CONJUNCTIONS and _joins_people(phrase, at):
            return phrase[at].place
        at += 1
    while at > 1 and is_suffix(phrase[at - 1].text):
        at -= 1
    return phrase[at - 1].place


@lru_cache(maxsize=8192)  # a text has few mentions that differ, and each is asked for several times
def head_span(text: str) -> tuple[int, int]:
    """Where the head stands in the text of a mention: ``text[start:end]`` is its head word."""
    found = tokens(text)
    return found[head_of([token.group() for token in found])].span() if found else (0, len(text))


def _words(words: Sequence[str]) -> list[_MentionWord]:
    """The words that hold a letter or digit, and what the marks between them say."""
    found: list[_MentionWord] = []
    for place, word in enumerate(words):
        [(lead, core, ending, tail)] = _MARKED.findall(word)
        if core:
            found[-1:] = [_marked(last, "", lead) for last in found[-1:]]
            found.append(_MentionWord(place, core))
        found[-1:] = [_marked(last, ending, tail) for last in found[-1:]]
    return found


def _marked(word: _MentionWord, ending: str, marks: str) -> _MentionWord:
    """A word with what follows it."""
    # A bare apostrophe is a possessive ending after s alone: "the boys' mother", "goin' on".
    owns = ending[1:] == "s" or (ending != "" and word.plain.endswith("s"))
    return word._replace(
        is_possessor=word.is_possessor or owns,
        is_broken_off=word.is_broken_off or _BREAK.search(marks) is not None,
    )


def _is_cut(phrase: Sequence[_MentionWord], at: int) -> bool:
    """Whether the noun phrase is over before one of the words."""
    last = phrase[at - 1]
    if last.is_broken_off:
        return not (_is_list(phrase, at) or _are_adjectives(last, phrase[at]))
    return not last.is_possessor and _ends_noun(phrase, at)


def _ends_noun(phrase: Sequence[_MentionWord], at: int) -> bool:
    """Whether a word with no mark before it begins what follows the noun."""
    word, before = phrase[at], {it.plain for it in phrase[:at]}
    if word.text not in (word.plain, word.plain.upper()):
        return False  # part of a name or a title
    if phrase[0].plain in _ALONE:
        return word.plain not in CONJUNCTIONS
    if word.plain in _POSTNOMINAL:
        return not before <= _OPENING
    return not before <= _BEFORE_NOUNS and (word.plain in _AFTER_NOUNS or _is_participle(phrase, at))


def _is_participle(phrase: Sequence[_MentionWord], at: int) -> bool:
    """Whether a word is a participle with words of its own: "accompanied by his wife"."""
    word, after = phrase[at].plain, phrase[at + 1].plain if at + 1 < len(phrase) else ""
    if word in _NAMING or not _PARTICIPLE.fullmatch(word):
        return word in _NAMING
    return after != "of" and (after in _AFTER_PARTICIPLES or after.endswith("ly"))


def _is_list(phrase: Sequence[_MentionWord], at: int) -> bool:
    """Whether the comma before a word parts people of a list: "Tom, Sid and Mary"."""
    for place in range(at, len(phrase) - 1):
        if phrase[place].plain in CONJUNCTIONS:
            last, following = phrase[place - 1], phrase[place + 1]
            return last.is_broken_off or _is_person(last) or _opens_person(following)
        if place > at and _ends_noun(phrase, place):
            return False
    return False


def _are_adjectives(last: _MentionWord, word: _MentionWord) -> bool:
    """Whether a comma parts two adjectives of one noun: "a tall, strong girl"."""
    return word.text == word.plain and word.plain not in _FUNCTION_WORDS and not _is_person(last)


def _joins_people(phrase: Sequence[_MentionWord], at: int) -> bool:
    """Whether the "and" at a place stands between people and not between adjectives."""
    if at + 1 == len(phrase) or phrase[at - 1].plain in QUANTIFIERS:
        return False  # "six or eight men"
    if _is_person(phrase[at - 1]) or _opens_person(phrase[at + 1]):
        return True
    end = next((place for place in range(at + 2, len(phrase)) if _is_cut(phrase, place)), len(phrase))
    return end == at + 2  # "his clerk and cook"; adjectives would leave their noun to come


def _is_person(word: _MentionWord) -> bool:
    """Whether a word is a name, a pronoun or by its look a noun for people."""
    return is_capitalised(word.text) or word.plain in _PEOPLE or _PERSON_ENDING.fullmatch(word.plain) is not None


def _opens_person(word: _MentionWord) -> bool:
    """Whether a word opens a mention of its own."""
    return is_capitalised(word.text) or word.plain in _BEFORE_NOUNS or word.plain in PRONOUNS
