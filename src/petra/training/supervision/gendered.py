"""Words of one gender and their counterparts of the other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from petra.corpora.gap import Span
from petra.english.vocabulary import listed
from petra.training.supervision.edits import Edit

_PRONOUNS = {"he": "she", "she": "he", "him": "her", "hers": "his", "himself": "herself", "herself": "himself"}


def _both_ways(words: str) -> dict[str, str]:
    ones, others = words.split()[::2], words.split()[1::2]
    return dict(zip(ones, others, strict=True)) | dict(zip(others, ones, strict=True))


# Only in small letters: with a capital they are names too often (Stephen King).
_NOUNS = _both_ways("""
    man woman  men women  boy girl  boys girls  father mother  fathers mothers  son daughter  sons daughters
    brother sister  brothers sisters  husband wife  husbands wives  uncle aunt  uncles aunts  nephew niece
    nephews nieces  grandfather grandmother  grandson granddaughter  stepfather stepmother  stepson stepdaughter
    stepbrother stepsister  godfather godmother  dad mom  daddy mommy  boyfriend girlfriend  boyfriends girlfriends
    fiancé fiancée  widower widow  groom bride  actor actress  actors actresses  waiter waitress  hero heroine
    heroes heroines  heir heiress  king queen  kings queens  prince princess  princes princesses  duke duchess
    emperor empress  lord lady  lords ladies  monk nun  monks nuns  wizard witch  male female  males females
    masculine feminine  gentleman gentlewoman  gentlemen gentlewomen  businessman businesswoman
    chairman chairwoman  spokesman spokeswoman  congressman congresswoman  policeman policewoman
    salesman saleswoman  sportsman sportswoman  nobleman noblewoman  fatherhood motherhood
    """)
# Only before a name, with a capital.
_TITLES = _both_ways("Mr Mrs  Sir Dame  Lord Lady  King Queen  Prince Princess  Duke Duchess  Uncle Aunt") | {
    "Miss": "Mr",
    "Ms": "Mr",
}

# Cannot be owned: "her" before one of these is no possessive, nor is "his".
_FUNCTION_WORDS = listed("""
    a an the this that these those some any no another each every and or but nor so yet if unless because since although
    though while whereas whether than as at by in into of off on onto out over under up down upon with within without
    about above across after against along among around before behind below beneath beside between beyond despite
    during except from inside like near outside past per through throughout till to toward towards until via when
    whenever where why how what which who whom whose am is are was were be been being do does did has have had can could
    would should must shall might will may not never also too again he she it they i we you him his her hers them me us
    himself herself itself themselves
    """)
# Can be, but rarely are after "her": "sent her home", "made her famous".
_SELDOM_OWNED = listed(
    "away back home here there then now alone instead together soon later once twice famous feel want"
)
# After one of these a verb follows its object: "helped her win".
_HELPING = listed("""
    help helps helped helping let lets letting watched saw heard make makes making found finds finding caught
    """)

_WORD = re.compile(r"[^\W\d_]+")
_BEFORE_NAME = re.compile(r"\.? [^\W\d_a-z]")
_FOLLOWING = re.compile(r" ([^\W_]+)")


def swap_words(text: str) -> Iterator[Edit]:
    """The edits that turn every gendered word of a text into its counterpart."""
    before = ""
    for found in _WORD.finditer(text):
        counterpart = _counterpart(text, before, found)
        before = found.group()
        if counterpart is not None:
            yield Edit(Span(*found.span()), counterpart)


def owns(text: str, end: int, before: str) -> bool:
    """Whether a "her" that ends here is possessive: a word follows that can be owned, and none before forbids it."""
    following = _followed_by(text, end)
    return following not in _FUNCTION_WORDS | _SELDOM_OWNED | {""} and before.lower() not in _HELPING


def _counterpart(text: str, before: str, found: re.Match[str]) -> str | None:
    word, end = found.group(), found.end()
    lower = word.lower()
    if lower == "his":
        return _cased("hers" if _followed_by(text, end) in _FUNCTION_WORDS | {""} else "her", word)
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
