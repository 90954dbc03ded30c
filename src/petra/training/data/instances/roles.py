"""The place of a name in its sentence, by the words beside it, and the pronoun that fits there."""

from __future__ import annotations

from typing import Literal

from petra.english.gender import Gender
from petra.english.grammar import (
    ADVERBS,
    AUXILIARIES,
    CLAUSE_VERBS,
    HUMAN_VERBS,
    NOT_AFTER_SUBJECT,
    OBJECT_VERBS,
    PREPOSITIONS,
    SUBORDINATORS,
    is_verb,
)
from petra.english.sentences import Passage, SentenceWord
from petra.english.vocabulary import ORDINARY_WORDS
from petra.training.data.instances.runs import may_name

GrammaticalRole = Literal["subject", "object", "possessive"]

# Before a name: the head of its sentence or of a clause, an opening phrase with its comma, a verb that takes a
# clause or a person, a preposition, or what leaves the role open.
_Neighbour = Literal["start", "clause", "adverbial", "saying", "verb", "preposition", "other"]

_PRONOUNS: dict[Gender, dict[GrammaticalRole, str]] = {
    "masculine": {"subject": "he", "object": "him", "possessive": "his"},
    "feminine": {"subject": "she", "object": "her", "possessive": "her"},
}
_MARKS_AFTER_OBJECT = (" ", ". ", ", ", "; ", ".")


def pronoun(gender: Gender, role: GrammaticalRole, *, capital: bool) -> str:
    """The third-person pronoun of a gender and role."""
    word = _PRONOUNS[gender][role]
    return word.capitalize() if capital else word


def role_of(passage: Passage, words: range) -> GrammaticalRole | None:
    """The role of a name, or None where the neighbours leave it open.

    A name that a title, a trade ("striker Pym"), a list or an apposition belongs to
    has none: no pronoun can stand in its place.
    """
    before = _before(passage, words[0])
    last = passage.words[words[-1]]
    after = _after(passage, words[-1])
    if last.possessive:
        opens = before in ("start", "clause", "preposition", "verb", "adverbial")
        return "possessive" if opens and after is not None and _is_noun_like(after) else None
    if (
        before in ("start", "clause", "adverbial", "saying")
        and after is not None
        and starts_verb(passage, words[-1] + 1)
    ):
        return "subject"
    follows = after is None or after.gap in _MARKS_AFTER_OBJECT
    if before in ("preposition", "verb") and follows and not _goes_on(after):
        return "object"
    return None


def is_main_subject(passage: Passage, words: range) -> bool:
    """Whether a name is the subject of its sentence, not of a clause inside it or beside another name."""
    return _before(passage, words[0]) in ("start", "adverbial") and role_of(passage, words) == "subject"


def leads(passage: Passage, words: range) -> bool:
    """Whether a name may be the subject of a clause, so that a reader might take it up again."""
    before = _before(passage, words[0])
    return before in ("start", "clause", "adverbial", "saying") or starts_verb(passage, words[-1] + 1)


def stranger_leads(passage: Passage, place: int) -> bool:
    """Whether a name of nobody known ends here that leads a clause, or does what people do."""
    words = passage.words
    if not may_name(words[place]):
        return False
    first = place
    while not passage.opens_sentence(first) and words[first].gap == " " and may_name(words[first - 1]):
        first -= 1
    if any(it.gap == " " and it.text in HUMAN_VERBS for it in words[place + 1 : place + 2]):
        return True
    if passage.opens_sentence(first):  # also where something stands between: "Zork, a sailor, ..."
        return starts_verb(passage, place + 1) or any(it.gap in (", ", " (") for it in words[place + 1 : place + 2])
    return words[first].gap == ", " and starts_verb(passage, place + 1)


def starts_verb(passage: Passage, place: int) -> bool:
    """Whether a verb stands here, after no more than two adverbs."""
    for word in passage.words[place : place + 3]:
        if word.gap != " " or not word.text.islower() or word.text in NOT_AFTER_SUBJECT:
            return False
        if is_verb(word.text):
            return True
        if word.text not in ADVERBS and not word.text.endswith("ly"):
            return False
    return False


def _before(passage: Passage, place: int) -> _Neighbour:
    """What stands before a name."""
    if passage.opens_sentence(place):
        return "start"
    word, gap = passage.words[place - 1], passage.words[place].gap
    lower = word.lower
    if word.possessive:
        return "other"
    if gap == ", ":
        opening = passage.words[passage.sentences[word.sentence][0]]
        commas = passage.text[opening.start : passage.words[place].start].count(",")
        return "adverbial" if opening.lower in ORDINARY_WORDS and commas == 1 else "other"
    opens = passage.opens_sentence(place - 1)
    if gap != " " or not (word.text.islower() or opens):
        return "other"
    if lower in CLAUSE_VERBS:
        return "saying"
    if lower in OBJECT_VERBS:
        return "verb"
    if lower == "and" and not opens and passage.words[place - 2].capitalised:
        return "other"  # beside another name
    if lower in SUBORDINATORS and (lower not in PREPOSITIONS or _clause_follows(passage, place)):
        return "start" if opens else "clause"
    return "preposition" if lower in PREPOSITIONS else "other"


def _clause_follows(passage: Passage, place: int) -> bool:
    """Whether a name and a verb stand here: "before Ada left", not "before Ada"."""
    end = place
    while end + 1 < len(passage.words) and passage.words[end + 1].capitalised and passage.words[end + 1].gap == " ":
        end += 1
    return starts_verb(passage, end + 1)


def _after(passage: Passage, place: int) -> SentenceWord | None:
    """The next word of the sentence."""
    if place + 1 == len(passage.words) or passage.opens_sentence(place + 1):
        return None
    return passage.words[place + 1]


def _is_noun_like(word: SentenceWord) -> bool:
    return word.gap == " " and word.text.islower() and word.text not in NOT_AFTER_SUBJECT | AUXILIARIES


def _goes_on(word: SentenceWord | None) -> bool:
    """Whether the name is part of something longer: a list, an apposition, a relative clause."""
    if word is None:
        return False
    if word.gap == " ":
        return word.capitalised or word.lower in {"and", "or", "who", "whose", "whom", "of"} or is_verb(word.text)
    return word.gap == ", " and (
        word.capitalised or word.lower in {"who", "whose", "whom", "the", "a", "an", "and", "or", "his", "her", "then"}
    )
