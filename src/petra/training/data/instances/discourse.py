"""Pronouns that go on about somebody: the person the text speaks of, until somebody else leads a clause.

An article about a person speaks of that person wherever it begins a paragraph with a
pronoun. Where nobody is named near the pronoun, an earlier pronoun of the same person
is made a name, as the article writes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from petra.corpora.gap import Span
from petra.english.gender import Gender
from petra.english.grammar import LOCATIVES, OPENERS
from petra.english.sentences import Passage
from petra.training.data.instances.edits import TextEdit
from petra.training.data.instances.gendered import FEMININE_NOUNS, MASCULINE_NOUNS
from petra.training.data.instances.people import ArticlePerson, Naming
from petra.training.data.instances.roles import is_main_subject, leads, starts_verb, stranger_leads
from petra.training.data.instances.runs import may_name
from petra.training.data.instances.snippets import PronounReference, gender_of

_FARTHEST = 3  # sentences between a naming and a pronoun


@dataclass(frozen=True, slots=True)
class _Use:
    """A pronoun of a passage and the person it refers to."""

    place: int
    person: ArticlePerson


def continued(passage: Passage, namings: Sequence[Naming], about: ArticlePerson | None) -> Iterator[PronounReference]:
    """The references of pronouns that go on about somebody, in the order of the text."""
    uses = list(_uses(passage, namings, about))
    for number, use in enumerate(uses):
        sentence = passage.words[use.place].sentence
        near = [
            it
            for it in namings
            if it.person == use.person
            and it.words[-1] < use.place
            and sentence - passage.sentence_of(it.words) <= _FARTHEST
        ]
        if near:
            yield PronounReference(
                kind="continued",
                passage=passage,
                namings=namings,
                pronoun=range(use.place, use.place + 1),
                nearest=near[-1],
            )
        elif introduced := _introduced(passage, namings, uses[:number], use):
            yield introduced


def _introduced(
    passage: Passage, namings: Sequence[Naming], before: Sequence[_Use], use: _Use
) -> PronounReference | None:
    """The reference with an earlier pronoun made a name: the farthest that is near enough, and a subject."""
    sentence = passage.words[use.place].sentence
    for earlier in before:
        word = passage.words[earlier.place]
        subject = word.lower in ("he", "she")
        if earlier.person == use.person and subject and 1 <= sentence - word.sentence <= _FARTHEST:
            words = range(earlier.place, earlier.place + 1)
            naming = Naming(use.person, words)
            return PronounReference(
                kind="introduced",
                passage=passage,
                namings=sorted((*namings, naming), key=lambda it: it.words[0]),
                pronoun=range(use.place, use.place + 1),
                nearest=naming,
                edits=(TextEdit(Span(*passage.span(words)), use.person.last or use.person.first),),
            )
    return None


def _uses(passage: Passage, namings: Sequence[Naming], about: ArticlePerson | None) -> Iterator[_Use]:
    """The pronouns of a passage whose person is clear, read from the first word on."""
    spoken_of: dict[Gender, ArticlePerson | None] = {"masculine": None, "feminine": None}
    if about is not None:
        spoken_of[about.gender] = about
    starts = {it.words[0]: it for it in namings}
    inside = {place for it in namings for place in it.words}
    doubtful: dict[Gender, int] = {"masculine": -1, "feminine": -1}  # the last sentence with a second candidate
    for place, word in enumerate(passage.words):
        gender = gender_of(word)
        if naming := starts.get(place):
            _hear(passage, naming, spoken_of, doubtful)
        elif gender is not None:
            person = spoken_of[gender]
            if person is not None and doubtful[gender] < word.sentence and not word.quoted:
                leader = _leader(passage, place)
                if leader is None or gender_of(passage.words[leader]) == gender or _is(starts.get(leader), person):
                    yield _Use(place, person)
        elif word.lower in _NOUNS:
            doubtful[_NOUNS[word.lower]] = word.sentence
            if starts_verb(passage, place + 1):
                spoken_of[_NOUNS[word.lower]] = None
        elif place not in inside and may_name(word):
            if stranger_leads(passage, place):
                spoken_of = {"masculine": None, "feminine": None}
            elif word.possessive or passage.words[place - 1].lower not in LOCATIVES:
                doubtful = {"masculine": word.sentence, "feminine": word.sentence}


def _is(naming: Naming | None, person: ArticlePerson) -> bool:
    return naming is not None and naming.person == person


def _leader(passage: Passage, place: int) -> int | None:
    """Where the subject stands that an opening phrase around a pronoun leads to: "In her youth, Ada ..."."""
    sentence = passage.sentences[passage.words[place].sentence]
    opening = passage.words[sentence[0]].lower
    if place == sentence[0] or not (opening in OPENERS or opening.endswith(("ing", "ed"))):
        return None
    return next((it for it in range(place + 1, sentence[-1] + 1) if passage.words[it].gap == ", "), None)


def _hear(
    passage: Passage,
    naming: Naming,
    spoken_of: dict[Gender, ArticlePerson | None],
    doubtful: dict[Gender, int],
) -> None:
    """Take note of a naming: the subject of a sentence is spoken of from there on, any other subject makes doubt."""
    gender = naming.person.gender
    if naming.person == spoken_of[gender]:
        return
    if leads(passage, naming.words):
        subject = is_main_subject(passage, naming.words) and naming.person.sure
        spoken_of[gender] = naming.person if subject else None
    doubtful[gender] = passage.sentence_of(naming.words)


_NOUNS: Mapping[str, Gender] = {
    **dict.fromkeys(FEMININE_NOUNS, "feminine"),
    **dict.fromkeys(MASCULINE_NOUNS, "masculine"),
}
