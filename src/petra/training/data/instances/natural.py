"""Pronouns of the text itself whose antecedent follows from grammar.

Two places are safe enough to learn from: after the subject of the same sentence ("Ada
sold her boat"), and in an opening phrase before the subject ("In her youth, Ada ...").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from petra.english.gender import Gender
from petra.english.grammar import CLAUSE_VERBS, LOCATIVES, OBJECT_VERBS, OPENERS, SUBORDINATORS
from petra.english.sentences import Passage
from petra.training.data.instances.gendered import FEMININE_NOUNS, MASCULINE_NOUNS, owns
from petra.training.data.instances.people import Naming
from petra.training.data.instances.roles import role_of
from petra.training.data.instances.snippets import PronounReference, gender_of

_LONGEST_BINDING = 15  # words between a subject and its pronoun
_CLAUSE_OPENERS = CLAUSE_VERBS | {"that"}
_BARRIERS = frozenset(("who", "whom", "which", "whose", "that"))


def natural(passage: Passage, namings: Sequence[Naming]) -> Iterator[PronounReference]:
    """The references of the pronouns whose antecedent is certain, in the order of the text."""
    for place, word in enumerate(passage.words):
        gender = gender_of(word)
        if gender is None or word.quoted:
            continue
        kind, nearest = _referent(passage, namings, place, gender)
        if nearest is not None and nearest.person.gender == gender and nearest.person.sure:
            yield PronounReference(
                kind=kind,
                passage=passage,
                namings=namings,
                pronoun=range(place, place + 1),
                nearest=nearest,
            )


def _referent(passage: Passage, namings: Sequence[Naming], place: int, gender: Gender) -> tuple[str, Naming | None]:
    sentence = passage.words[place].sentence
    here = [it for it in namings if passage.sentence_of(it.words) == sentence]
    if any(it.words[-1] < place for it in here):
        return "bound", _bound(passage, [it for it in here if it.words[-1] < place], place, gender)
    return "announced", _announced(passage, here, place, gender)


def _bound(passage: Passage, before: Sequence[Naming], place: int, gender: Gender) -> Naming | None:
    """The subject before a possessive or the subject of a further clause."""
    last, word = before[-1], passage.words[place]
    between = passage.words[last.words[-1] + 1 : place]
    lowers = {it.lower for it in between}
    alone = all(it.person.gender != gender or it.person == last.person for it in before)
    if not alone or role_of(passage, last.words) != "subject" or len(between) > _LONGEST_BINDING:
        return None
    if _others(passage, last.words[-1] + 1, place, gender) or any('"' in it.gap for it in between):
        return None
    if word.lower in ("his", "her"):
        return last if _owns(passage, place) and not lowers & _BARRIERS else None
    if word.lower not in ("he", "she") or word.gap != " " or between[-1].lower not in SUBORDINATORS | CLAUSE_VERBS:
        return None
    # Where something was said, another may be the subject of what was: "Ada said the captain left as she ..."
    return last if between[-1].lower in _CLAUSE_OPENERS or not lowers & _CLAUSE_OPENERS else None


def _owns(passage: Passage, place: int) -> bool:
    """Whether a pronoun is possessive; "her" after a verb such as "told" is rather its object."""
    word, before = passage.words[place], passage.words[place - 1].lower
    if word.lower == "her":
        return before not in OBJECT_VERBS and owns(passage.text, word.end, before)
    return word.lower == "his"


def _announced(passage: Passage, here: Sequence[Naming], place: int, gender: Gender) -> Naming | None:
    """The subject that an opening phrase with a pronoun leads to."""
    opening = passage.sentences[passage.words[place].sentence][0]
    if not here or passage.words[opening].lower not in OPENERS:
        return None
    if not (passage.words[place].lower in ("he", "she") or _owns(passage, place)):
        return None  # "After finding him, Tom ..." speaks of another
    subject = here[0]
    lead = passage.words[opening + 1 : subject.words[0] + 1]
    if [it.gap for it in lead].count(", ") != 1 or lead[-1].gap != ", ":
        return None
    if _others(passage, opening + 1, subject.words[0], gender):
        return None
    return subject if role_of(passage, subject.words) == "subject" else None


def _others(passage: Passage, start: int, end: int, gender: Gender) -> bool:
    """Whether words there may mean somebody else: a noun of the gender, or a name that was not recognised."""
    nouns = FEMININE_NOUNS if gender == "feminine" else MASCULINE_NOUNS
    for place in range(start, end):
        word, before = passage.words[place], passage.words[place - 1]
        if word.lower in nouns:
            return True
        goes_on = before.capitalised and place > start
        if word.capitalised and not goes_on and before.lower not in LOCATIVES:
            return True
    return False
