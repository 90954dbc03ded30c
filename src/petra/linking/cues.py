"""Cues: what the words of one mention, and its place in or beside a quotation, say about its person."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from petra.domain import Kind
from petra.english.gender import KIN, Gender, Number, gender_of, number_of, pronoun_set
from petra.english.heads import head_span
from petra.english.names import Name, parse_name
from petra.english.quotations import Turn, Utterance
from petra.english.vocabulary import CONJUNCTIONS, INDEFINITES, is_capitalised, is_pronoun, listed, plain

Speech = Literal["speaker", "addressee"]

_SPEAKER = listed("i me my mine myself")
_ADDRESSEE = listed("you your yours yourself thou thee thy thine thyself")
_INDEFINITE = listed("a an another some any every each no") | INDEFINITES


@dataclass(frozen=True, kw_only=True, slots=True)
class Cues:
    """What the words of one mention, and the quotation it is in or beside, say."""

    kind: Kind
    name: Name | None = None
    gender: Gender | None = None
    number: Number | None = None
    speech: Speech | None = None  # I, you
    pronoun_set: str | None = None  # of a third-person pronoun: "she" for her, "they" for themself
    head: str | None = None  # of a nominal: "man"
    phrase: str | None = None  # a nominal with the definite article: "the old man"
    kin: str | None = None  # a relation used like a name: "papa"
    is_indefinite: bool = False  # a nominal that brings in somebody: "an old man"
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
    name_gender: Gender | None = None,
) -> Cues:
    """The cues of a mention, as it is written and where it stands.

    ``name_gender`` is the gender that the model takes from a name; a title tells more, a list of names less.

    It may stand in a quotation, and there address somebody by name ("Come, Jane, and
    sit"); or beside one, which is ``attributed`` to the person: "said Jane".
    """
    cues = _words_cues(text, kind)
    if cues.name is not None and name_gender is not None and not (cues.name.is_group or cues.name.has_gendered_title):
        cues = replace(cues, gender=name_gender)
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


def _kind_of(subject: str) -> Kind:
    return "pronoun" if is_pronoun(subject) else "name" if is_capitalised(subject.split()[-1]) else "nominal"


@lru_cache(maxsize=8192)  # most mentions of a text are written like one before
def _words_cues(text: str, kind: Kind) -> Cues:
    """What the words of a mention say by themselves."""
    start, end = head_span(text)
    head = plain(text[start:end])
    joined: Number | None = "many" if head in CONJUNCTIONS else None  # "Tom and his mother"
    if kind == "name":
        name = parse_name(text)
        return Cues(
            kind=kind,
            name=name,
            gender=name.gender,
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
