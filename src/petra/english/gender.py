"""What single English words say about the gender and number of a person."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from petra.english import lexicon
from petra.english.vocabulary import plain

Gender = Literal["masculine", "feminine"]
Number = Literal["one", "many"]

MASCULINE_PRONOUNS = lexicon.words("pronouns", "masculine")
FEMININE_PRONOUNS = lexicon.words("pronouns", "feminine")
MASCULINE_TITLES = lexicon.words("titles", "masculine")
FEMININE_TITLES = lexicon.words("titles", "feminine")
GENDERED_PRONOUNS = MASCULINE_PRONOUNS | FEMININE_PRONOUNS
PRONOUNS_BY_CASE = tuple(  # sets that differ in gender: "he" and "she"; "her" is both an object and a possessive
    GENDERED_PRONOUNS & words
    for words in (
        lexicon.words("pronouns", "subject"),
        lexicon.words("pronouns", "object", "determiner", "possessive"),
        lexicon.words("pronouns", "reflexive"),
    )
)
KIN = lexicon.words("person_nouns", "kin")

_MASCULINE, _FEMININE = (
    pronouns | lexicon.words("person_nouns", gender) | lexicon.words("gendered_nouns", gender)
    for pronouns, gender in ((MASCULINE_PRONOUNS, "masculine"), (FEMININE_PRONOUNS, "feminine"))
)
_EITHER = lexicon.words("gendered_nouns", "either")
_KIN_PREFIX = re.compile(r"(?:great-|grand-?|step-?|god-?|half-|foster-|ex-)+")
_IN_LAW = "-in-law"
_FEMININE_ENDINGS = ("woman", "lady", "girl", "mistress")
_MASCULINE_ENDINGS = ("man",)
_NEOPRONOUNS = lexicon.entries("neopronouns")
NEOPRONOUN_COUNTERPARTS = {  # what a neopronoun stands in the place of
    word: "himself" if word.endswith("self") else "he" if word == first else "him"
    for word, (first,) in _NEOPRONOUNS.items()
}
_ONE = lexicon.words("pronouns", "one") | lexicon.words("person_nouns", "one") | _NEOPRONOUNS.keys()
_THEY = frozenset({"themself"}) | {
    word for word, marks in lexicon.entries("pronouns").items() if {"third", "many"} <= {*marks}
}
_MANY = lexicon.words("pronouns", "many") | lexicon.words("person_nouns", "many")
_NO_PLURALS = ("ss", "us", "is", "'s", "’s")
_MASCULINE_NAMES = lexicon.words("given_names", "masculine")
_FEMININE_NAMES = lexicon.words("given_names", "feminine")


@cache
def gender_of(word: str) -> Gender | None:
    """The gender that a pronoun or noun tells; of a nominal, ask for its head word: "mother" in "his mother"."""
    word = plain(word)
    if word in _MASCULINE:
        return "masculine"
    if word in _FEMININE:
        return "feminine"
    if word in _EITHER:
        return None
    base = _KIN_PREFIX.sub("", word.removesuffix(_IN_LAW), count=1)
    if base and base != word:  # stepmother, brother-in-law
        return gender_of(base)
    if word.endswith(_FEMININE_ENDINGS):
        return "feminine"
    return "masculine" if word.endswith(_MASCULINE_ENDINGS) else None


def given_name_gender(word: str) -> Gender | None:
    """The gender that a given name in lower case tells; most names that both genders bear are not listed."""
    if word in _MASCULINE_NAMES:
        return "masculine"
    return "feminine" if word in _FEMININE_NAMES else None


def number_of(word: str) -> Number | None:
    """Whether a pronoun or noun is of one person or of several; nouns in -s are taken to be of several."""
    word = plain(word)
    if word in _ONE:
        return "one"
    is_plural = len(word) > 3 and word.endswith("s") and not word.endswith(_NO_PLURALS)
    return "many" if word in _MANY or is_plural else None


def pronoun_set(word: str) -> str | None:
    """The set of a third-person pronoun of people, named by its first form: "she" for "hers", "they" for "themself"."""
    word = plain(word)
    if word in MASCULINE_PRONOUNS:
        return "he"
    if word in FEMININE_PRONOUNS:
        return "she"
    return "they" if word in _THEY else _NEOPRONOUNS.get(word, (None,))[0]
