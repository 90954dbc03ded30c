"""Names of people as their parts, and how two names go together.

"Mr. Fitzwilliam Darcy" is a title and two words that tell people apart, which are those
left of a name without its titles, particles and suffixes. Whether two names can be of one
person is decided from these parts alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import dropwhile, takewhile

from petra.english import lexicon
from petra.english.gender import FEMININE_TITLES, MASCULINE_TITLES, Gender, given_name_gender, number_of
from petra.english.nicknames import related
from petra.english.vocabulary import GIVEN_PARTICLES, LINKERS, PARTICLES, is_capitalised, is_suffix, plain
from petra.english.words import word_pattern

_POSSESSIVE = re.compile(r"['’]s?$")
_PART = re.compile(rf"{word_pattern()}\.?|&")
# Before titles and names, and no part of these: "the Right Honourable Lady Catherine de Bourgh".
_STYLE = re.compile(
    r"\s*(?:the\s+)?(?:(?:(?:right|most|very)\s+)?(?:honou?rable|hon\.?|noble|worshipful)|(?:right|most|very)(?=\s+rev))\s+(?=\S)",
    re.IGNORECASE,
)
_JOINED_BY = frozenset(("and", "&"))
_FIRST_PARTICLES = PARTICLES - GIVEN_PARTICLES  # at the head of a name: "van Gogh", but "Ben Nicholson"
_TITLES = lexicon.words("titles")
_FULL_TITLES = lexicon.entries("title_abbreviations")
GIVEN_NAME_TITLES = lexicon.words("titles", "given")  # "Sir William"; others go with surnames: "Colonel Fitzwilliam"
_FAMILIAR_TITLES = lexicon.words("titles", "familiar")  # may go with a nickname: Lady Catherine is not Kitty
NOBLE_TITLES = lexicon.words("titles", "noble")  # "Lady Catherine" is not whoever is known as Catherine alone
_EXCLUSIVE_TITLES = lexicon.words("titles", "exclusive")  # "Miss Lucas" and "Lady Lucas" are two women


class Relation(IntEnum):
    """How the name of a mention goes with a name that a person has, from what says least to what says most."""

    UNRELATED = 0  # no word in common
    FAMILY = 1  # the same person or a relative: Winnie Verloc, Mr. Verloc
    LONGER = 2  # the mention says what the known name does, and more: Robert Fripp, known as Fripp
    CLASH = 3  # a word in common, and a difference: Jane Bennet, Elizabeth Bennet
    NICKNAME = 4  # a nickname of it: Lizzy, Elizabeth
    SHORTER = 5  # the known name says what the mention does, and more: Fripp, Robert Fripp
    EXACT = 6  # the same words: Darcy, Mr. Darcy


@dataclass(frozen=True, slots=True)
class Name:
    """A name taken apart, in lower case."""

    words: tuple[str, ...]  # those that tell people apart, in order; where a title stands alone, the title
    title: str | None = None
    suffix: str | None = None
    is_group: bool = False  # of several people: "Mr. and Mrs. Bennet"

    @property
    def gender(self) -> Gender | None:
        """What the title says or, without one that does, the first name."""
        if self.is_group:
            return None
        if self.title in MASCULINE_TITLES:
            return "masculine"
        return "feminine" if self.title in FEMININE_TITLES else given_name_gender(self.words[0])

    @property
    def has_gendered_title(self) -> bool:
        return self.title in MASCULINE_TITLES or self.title in FEMININE_TITLES


def parse_name(text: str) -> Name:
    """The parts of a name as it is written."""
    text = without_style(text)
    written = _PART.findall(_POSSESSIVE.sub("", text)) or _PART.findall(text)
    parts = [part for part in written if part not in LINKERS] or written
    named = list(dropwhile(lambda part: not is_capitalised(part), parts))  # "good-natured Miss Jemima"
    opening = list(takewhile(lambda part: plain(part) in _TITLES or part in _JOINED_BY, named))
    titles = [plain(part) for part in opening if part not in _JOINED_BY]
    rest = named[len(opening) :]
    words = tuple(plain(part) for place, part in enumerate(rest) if _is_telling(part, place, len(rest)))
    suffixes = [plain(part) for part in rest if is_suffix(part)]
    return Name(
        words=words or tuple(plain(part) for part in parts if part != "&"),
        title=titles[0] if titles and words else None,
        suffix=suffixes[-1] if suffixes else None,
        is_group="messrs" in titles or any(part in _JOINED_BY for part in parts) or _is_family(text, words),
    )


def without_style(text: str) -> str:
    """A name without the style before its title: "Lady Catherine" of "the Right Honourable Lady Catherine"."""
    style = _STYLE.match(text)
    return text[style.end() :] if style else text


@lru_cache(maxsize=8192)  # the names of a text are few, and compared again at every mention
def relation(mention: Name, known: Name) -> Relation:
    """How the name of a mention goes with a known name; of titles ``titles_conflict`` judges."""
    if not _have_a_word_in_common(mention, known):
        return Relation.NICKNAME if _by_nickname(mention, known) else Relation.UNRELATED
    if mention.is_group != known.is_group or (mention.suffix and known.suffix and mention.suffix != known.suffix):
        return Relation.CLASH
    is_shorter = len(mention.words) <= len(known.words)
    shorter, longer = (mention, known) if is_shorter else (known, mention)
    if not _contains(longer.words, shorter.words) or _misplaces_surname(shorter, longer):
        return Relation.NICKNAME if _by_nickname(mention, known) else Relation.CLASH
    if _is_ennobled(mention, known):
        return Relation.UNRELATED
    if _may_be_relatives(shorter, longer):
        return Relation.FAMILY
    if len(mention.words) == len(known.words):
        return Relation.EXACT
    return Relation.SHORTER if is_shorter else Relation.LONGER


def full_title(title: str) -> str:
    """A title in full: "doctor" of "dr"."""
    return _FULL_TITLES.get(title, (title,))[0]


def titles_conflict(one: str | None, other: str | None) -> bool:
    """Whether two titles make two people of one surname."""
    if one is None or other is None or one == other:
        return False
    both = {one, other}
    return bool(both & MASCULINE_TITLES and both & FEMININE_TITLES) or both <= _EXCLUSIVE_TITLES


def _is_family(text: str, words: Sequence[str]) -> bool:
    """Whether a name is of all who have it: "the Bennets"."""
    is_named = text[:4].lower() == "the " and is_capitalised(text[4:])  # not "the widow Douglas"
    return bool(words) and is_named and number_of(words[-1]) == "many"


def _is_telling(part: str, place: int, of: int) -> bool:
    """Whether a part of a name, one of so many, tells people apart. A particle stands before something."""
    particles = frozenset() if place == of - 1 else PARTICLES if place else _FIRST_PARTICLES
    return is_capitalised(part) and plain(part) not in particles and not is_suffix(part)


def _same_word(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return one == other or (len(shorter) == 1 and longer.startswith(shorter))


def _have_a_word_in_common(one: Name, other: Name) -> bool:
    """Whether two names share a word, or one has initials of the other: "J. R." those of "John Ross Ewing".

    A single initial says too little of a longer name.
    """
    if {*one.words} & {*other.words}:
        return True
    initials = any(_same_word(word, known) for word in one.words for known in other.words)
    return initials and (len(one.words) == len(other.words) or min(len(one.words), len(other.words)) > 1)


def _contains(words: Sequence[str], part: Sequence[str]) -> bool:
    """Whether all words of the part stand among the words, in their order."""
    rest = iter(words)
    return all(any(_same_word(word, wanted) for word in rest) for wanted in part)


def _misplaces_surname(shorter: Name, longer: Name) -> bool:
    """Whether a title that goes with surnames stands before a given name of the longer name."""
    needs_surname = shorter.title is not None and shorter.title not in GIVEN_NAME_TITLES
    return needs_surname and not _same_word(shorter.words[-1], longer.words[-1])


def _may_be_relatives(shorter: Name, longer: Name) -> bool:
    """Whether names that go together may as well be of two people of one family."""
    titles = {shorter.title, longer.title}
    if len(titles - {None}) == 2:
        return True  # Dr. and Miss Marjoribanks
    if titles == {"mrs", None} and len(longer.words) > 1:
        return True  # Mrs. Joe Gargery goes by her husband's name
    if len(shorter.words) == 1 < len(longer.words):
        is_first, is_last = (_same_word(shorter.words[0], longer.words[place]) for place in (0, -1))
        return (shorter.title is not None and is_last) or not (is_first or is_last)
    return False


def _is_ennobled(mention: Name, known: Name) -> bool:
    """Whether a mention gives a noble title to a given name that was known alone and without one."""
    return mention.title in NOBLE_TITLES and known.title is None and mention.words[:1] == known.words


def _by_nickname(mention: Name, known: Name) -> bool:
    """Whether the first words are nicknames of one another, and the rest of one is part of the other's."""
    if mention.is_group != known.is_group or not {mention.title, known.title} <= {None, *_FAMILIAR_TITLES}:
        return False
    (first, *rest), (other, *other_rest) = mention.words, known.words
    return first in related(other) and (_contains(rest, other_rest) or _contains(other_rest, rest))
