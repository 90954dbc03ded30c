"""A text with its pronouns replaced by the names of those they are of.

A pronoun is replaced where the name can stand in its place and no other word has to
change: he, him, his, she, her, hers, them, their and theirs. Not replaced are *they*, *I*
and *you* (the verb would not fit: "they were"), reflexives and relatives ("Ada, who
knew"), and the pronouns of people without a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from petra.domain import Mention, Person
from petra.english import lexicon
from petra.english.vocabulary import ORDINARY_WORDS, PRONOUNS

_PERSONAL = frozenset(("he", "him", "she", "them"))
_POSSESSIVE = frozenset(("his", "hers", "their", "theirs"))
_EITHER = "her"  # "her letters", "saw her"

# Ordinary words that nevertheless stand between a possessive and its noun: "her two sons", "her last letter".
_BEFORE_NOUNS = lexicon.words("function_words", "attributive")
_NEXT_WORD = re.compile(r"\s+([^\W\d_]+)")

Possessive = Callable[[Mention], bool | None]


def unknown(_: Mention) -> None:
    """What is known of a pronoun's grammar where nothing has analysed the text."""


def resolve(text: str, people: Sequence[Person], is_possessive: Possessive = unknown) -> str:
    """The text with pronouns replaced by names, possessives by the name's possessive.

    ``is_possessive`` is asked about each "her", and may not know: then the next word
    decides, "her letters" against "saw her again".
    """
    pronouns = [
        (mention, person.name)
        for person in people
        if any(mention.kind == "name" for mention in person.mentions)
        for mention in person.mentions
        if mention.kind == "pronoun"
    ]
    pronouns.sort(key=lambda pair: (pair[0].start, -pair[0].probability))
    apostrophe = "’" if "’" in text and "'" not in text else "'"
    parts: list[str] = []
    done = 0
    for mention, name in pronouns:
        form = _form(text, mention, is_possessive)
        if form is None or mention.start < done:  # a pronoun of two people becomes the likelier one's name
            continue
        written = f"{name}{apostrophe}s" if form == "possessive" else name
        if mention.text[0].isupper():
            written = written[0].upper() + written[1:]  # "de Gaulle" at the head of a sentence
        parts += text[done : mention.start], written
        done = mention.end
    return "".join([*parts, text[done:]])


def _form(text: str, mention: Mention, is_possessive: Possessive) -> str | None:
    """Whether a pronoun is personal or possessive; None where no name can stand."""
    word = mention.text.lower()
    if word == _EITHER:
        known = is_possessive(mention)
        return "possessive" if (_opens_a_phrase(text, mention.end) if known is None else known) else "personal"
    if word in _POSSESSIVE:
        return "possessive"
    return "personal" if word in _PERSONAL else None


def _opens_a_phrase(text: str, end: int) -> bool:
    """Whether what follows looks like the noun that a possessive belongs to, or a word before it."""
    following = _NEXT_WORD.match(text, end)
    if following is None:
        return False
    word = following[1].lower()
    return word in _BEFORE_NOUNS or not (word in ORDINARY_WORDS or word in PRONOUNS)
