"""Words of one gender and their counterparts of the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from petra.corpora.gap import Span
from petra.english import lexicon
from petra.english.words import LETTER
from petra.training.data.instances.edits import TextEdit

# Nouns for men and for women: where a text has one, a pronoun may mean it and not the only name of the gender.
MASCULINE_NOUNS = lexicon.words("gendered_nouns", "masculine")
FEMININE_NOUNS = lexicon.words("gendered_nouns", "feminine")

_PRONOUNS = {"he": "she", "she": "he", "him": "her", "hers": "his", "himself": "herself", "herself": "himself"}


def _both_ways(masculine: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Each word of either gender with its counterpart; a masculine one with the first of several."""
    feminine = {other: one for one, others in masculine.items() for other in others}
    return {one: others[0] for one, others in masculine.items()} | feminine


# Only in small letters: with a capital they are names too often (Stephen King).
_NOUNS = _both_ways(lexicon.entries("noun_counterparts"))
# Only before a name, with a capital.
_TITLES = {
    one.capitalize(): other.capitalize() for one, other in _both_ways(lexicon.entries("title_counterparts")).items()
}
_NOT_OWNED = lexicon.words("function_words", "not-owned")  # "her" before one of these is no possessive, nor is "his"
_SELDOM_OWNED = lexicon.words("function_words", "seldom-owned")  # "sent her home"
_HELPING = lexicon.words("verbs", "helping")  # a verb follows the object of one of these: "helped her win"

_WORD = re.compile(rf"{LETTER}+")
_BEFORE_NAME = re.compile(r"\.? [^\W\d_a-z]")
_FOLLOWING = re.compile(r" ([^\W_]+)")


def swap_words(text: str) -> Iterator[TextEdit]:
    """The edits that turn every gendered word of a text into its counterpart."""
    before = ""
    for found in _WORD.finditer(text):
        counterpart = _counterpart(text, before, found)
        before = found.group()
        if counterpart is not None:
            yield TextEdit(Span(*found.span()), counterpart)


def owns(text: str, end: int, before: str) -> bool:
    """Whether a "her" that ends here is possessive: a word follows that can be owned, and none before forbids it."""
    following = _followed_by(text, end)
    return following not in _NOT_OWNED | _SELDOM_OWNED | {""} and before.lower() not in _HELPING


def _counterpart(text: str, before: str, found: re.Match[str]) -> str | None:
    word, end = found.group(), found.end()
    lower = word.lower()
    if lower == "his":
        return _cased("hers" if _followed_by(text, end) in _NOT_OWNED | {""} else "her", word)
    if lower == "her":
        return _cased("his" if owns(text, end, before) else "him", word)
    if lower in _PRONOUNS:
        return _cased(_PRONOUNS[lower], word)
    if word in _TITLES and not before[:1].isupper() and _BEFORE_NAME.match(text, end):
        return _TITLES[word]
    return _NOUNS.get(word)


def _followed_by(text: str, end: int) -> str:
    """The next word in small letters, if only a blank parts it."""
    following = _FOLLOWING.match(text, end)
    return following.group(1).lower() if following is not None else ""


def _cased(word: str, like: str) -> str:
    if len(like) > 1 and like.isupper():
        return word.upper()
    return word[0].upper() + word[1:] if like[0].isupper() else word
