"""Cues: what the words of one mention, and its place in or beside a quotation, say about its person."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from petra.domain import Kind
from petra.english.gender import KIN, Gender, Number, gender_of, number_of, pronoun_set
from petra.english.heads import head_span
from petra.english.name_gender import feminine_log_odds as letters_log_odds
from petra.english.name_gender import given_name_prob
from petra.english.names import GIVEN_NAME_TITLES, Name, parse_name
from petra.english.quotations import Turn, Utterance
from petra.english.vocabulary import CONJUNCTIONS, INDEFINITES, is_capitalised, is_pronoun, listed, plain
from petra.english.words import undivided

Speech = Literal["speaker", "addressee"]

_SPEAKER = listed("i me my mine myself")
_ADDRESSEE = listed("you your yours yourself thou thee thy thine thyself")
_INDEFINITE = listed("a an another some any every each no") | INDEFINITES
# Weights of the model's log-odds and of the letters' in the gender of a name, and a bias. Set between those of two
# logistic regressions for `base`, on the names of GAP's development part and of the texts written for training.
_FULL_NAME = (1.8, 0.4, 2.3)
_ONE_WORD = (1.3, 0.45, 1.8)  # a given name or a surname
_MOST_SURE = 3.5  # log-odds that a name can tell: one in thirty goes against all that its like are


@dataclass(frozen=True, kw_only=True, slots=True)
class Cues:
    """What the words of one mention, and the quotation it is in or beside, say."""

    kind: Kind
    name: Name | None = None
    gender: Gender | None = None  # that a pronoun, a noun or a title tells
    name_gender: float = 0.0  # of a name without such a title: log-odds of a woman, above 0, rather than a man
    number: Number | None = None
    speech: Speech | None = None  # I, you
    pronoun_set: str | None = None  # of a third-person pronoun: "she" for her, "they" for themself
    head: str | None = None  # of a nominal: "man"
    phrase: str | None = None  # a nominal with the definite article: "the old man"
    kin: str | None = None  # a relation used like a name: "papa"
    is_indefinite: bool = False  # a nominal that brings in somebody: "an old man"
    is_greeted: bool = False  # at the head of a letter: "Dear Ms Eze,"
    is_narrator: bool = False  # I outside of quotations, or in one that goes with "I said"
    turn: Turn | None = None  # whose turn it is to speak where the mention stands in a quotation
    speaking_turn: Turn | None = None  # the turn in which the person mentioned speaks: I, you, "said she"


def read_cues(
    text: str,
    kind: Kind,
    quotation: Utterance | None = None,
    *,
    attributed: Turn | None = None,
    is_addressed: bool = False,
    is_greeted: bool = False,
    feminine_log_odds: float | None = None,
) -> Cues:
    """The cues of a mention, as it is written and where it stands.

    ``feminine_log_odds`` is the gender that the model takes from a name and its context, if it
    does; the letters of the name count beside it.

    The mention may be greeted ("Dear Ms Eze,"). It may stand in a quotation, and there
    address somebody by name ("Come, Jane, and sit"); or beside one, which is ``attributed`` to the person: "said Jane".
    """
    cues = _words_cues(text, kind)
    if cues.name is not None and cues.gender is None and not cues.name.is_group:
        cues = replace(cues, name_gender=_name_gender(cues.name, feminine_log_odds))
    if is_greeted:
        cues = replace(cues, is_greeted=True)
    if quotation is None:
        if attributed is None and cues.speech != "speaker":
            return cues
        return replace(cues, is_narrator=cues.speech == "speaker", speaking_turn=attributed)
    turn = quotation.turn
    if cues.speech == "speaker" and quotation.speaker is not None:
        # Whoever says "I" goes by what the text calls the speaker.
        of_speaker = _words_cues(quotation.speaker, _kind_of(quotation.speaker))
        cues = replace(of_speaker, kind=kind, number="one", speech="speaker")
        return replace(cues, is_narrator=of_speaker.speech == "speaker", turn=turn, speaking_turn=turn)
    if cues.speech == "speaker":
        return replace(cues, turn=turn, speaking_turn=turn)
    is_addressed |= cues.speech == "addressee"
    return replace(cues, turn=turn, speaking_turn=turn.other if is_addressed else None)


def _name_gender(name: Name, of_model: float | None) -> float:
    """The log-odds of a woman by what the model takes from a name and by the letters of the given name.

    A surname after a title that both genders have tells nothing: "Professor Baek".
    """
    is_full = len(name.words) > 1
    if name.title is not None and not is_full and name.title not in GIVEN_NAME_TITLES:
        return 0.0
    model, letters, bias = _FULL_NAME if is_full else _ONE_WORD
    given = letters_log_odds(name.words[0]) * (1.0 if is_full else given_name_prob(name.words[0]))
    found = given if of_model is None else model * of_model + letters * given + bias
    return max(-_MOST_SURE, min(_MOST_SURE, found))


def _kind_of(subject: str) -> Kind:
    return "pronoun" if is_pronoun(subject) else "name" if is_capitalised(subject.split()[-1]) else "nominal"


@lru_cache(maxsize=8192)  # most mentions of a text are written like one before
def _words_cues(text: str, kind: Kind) -> Cues:
    """What the words of a mention say by themselves."""
    text = undivided(text)
    start, end = head_span(text)
    head = plain(text[start:end])
    joined: Number | None = "many" if head in CONJUNCTIONS else None  # "Tom and his mother"
    if kind == "name":
        name = parse_name(text)
        return Cues(
            kind=kind,
            name=name,
            gender=name.gender if name.has_gendered_title and not name.is_group else None,
            number="many" if name.is_group else "one",
        )
    speech: Speech | None = None
    if kind == "pronoun":
        speech = "speaker" if head in _SPEAKER else "addressee" if head in _ADDRESSEE else None
    words = text.lower().split()
    is_nominal = kind == "nominal"
    return Cues(
        kind=kind,
        gender=None if joined else gender_of(head),
        number=joined or number_of(head),
        speech=speech,
        pronoun_set=pronoun_set(head) if kind == "pronoun" else None,
        head=head if is_nominal else None,
        phrase=" ".join(words) if is_nominal and words[0] == "the" else None,
        kin=head if is_nominal and text.lower() in KIN else None,
        is_indefinite=is_nominal and words[0] in _INDEFINITE,
    )
