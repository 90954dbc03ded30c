"""Cues: what the words of a mention say about its person, and what those of all mentions said."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from petra.domain import Kind
from petra.english.gender import KIN, Gender, Number, gender_of, number_of
from petra.english.heads import head_span
from petra.english.names import Name, Relation, parse_name, relation
from petra.english.quotations import Quotation, Turn
from petra.english.vocabulary import INDEFINITES, is_capitalised, is_pronoun, listed, plain

Speech = Literal["speaker", "addressee"]

_SPEAKER = listed("i me my mine myself")
_ADDRESSEE = listed("you your yours yourself thou thee thy thine thyself")
_JOINING = frozenset(("and", "or", "nor", "&"))
_INDEFINITE = listed("a an another some any every each no") | INDEFINITES
_MOST_HEADS = 6  # of a person's nominals, the latest
_OWN_SHARE = 0.05  # of the uses of a person's usual name, that make another one the person's own
_MOST_NAMES = 12  # of a person, the most used; so many forms of one name are enough to know it by
_MOST_PHRASES = 4  # of a person, the latest


@dataclass(frozen=True, kw_only=True, slots=True)
class Cues:
    """What the words of one mention say."""

    kind: Kind
    name: Name | None = None
    gender: Gender | None = None
    number: Number | None = None
    speech: Speech | None = None  # I, you
    head: str | None = None  # of a nominal: "man"
    phrase: str | None = None  # a nominal with the definite article: "the old man"
    kin: str | None = None  # a relation used like a name: "papa"
    is_indefinite: bool = False  # a nominal that brings in somebody: "an old man"
    tells: bool = False  # the narrator: I outside of quotations, or in one that goes with "I said"
    turn: Turn | None = None  # whose turn it is to speak where the mention stands in a quotation
    voice: Turn | None = None  # whose turn is that of the person mentioned: I, you, "said she"


def read_cues(
    text: str,
    kind: Kind,
    quotation: Quotation | None = None,
    *,
    ascribed: Turn | None = None,
    is_addressed: bool = False,
) -> Cues:
    """The cues of a mention, as it is written and where it stands.

    It may stand in a quotation, and there address somebody by name ("Come, Jane, and
    sit"); or beside one, which is ``ascribed`` to the person: "said Jane".
    """
    cues = _words_cues(text, kind)
    if quotation is None:
        return replace(cues, tells=cues.speech == "speaker", voice=ascribed)
    turn = quotation.turn
    if cues.speech == "speaker" and quotation.speaker is not None:
        # Whoever says "I" goes by what the text calls the speaker.
        told = _words_cues(quotation.speaker, _kind_of(quotation.speaker))
        cues = replace(told, kind=kind, number="one", speech="speaker")
        return replace(cues, tells=told.speech == "speaker", turn=turn, voice=turn)
    if cues.speech == "speaker":
        return replace(cues, turn=turn, voice=turn)
    is_addressed |= cues.speech == "addressee"
    return replace(cues, turn=turn, voice=turn.other if is_addressed else None)


def _kind_of(subject: str) -> Kind:
    return "pronoun" if is_pronoun(subject) else "name" if is_capitalised(subject.split()[-1]) else "nominal"


def _words_cues(text: str, kind: Kind) -> Cues:
    """What the words of a mention say by themselves."""
    start, end = head_span(text)
    head = plain(text[start:end])
    joined: Number | None = "many" if head in _JOINING else None  # "Tom and his mother"
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
        head=head if is_nominal else None,
        phrase=" ".join(words) if is_nominal and words[0] == "the" else None,
        kin=head if is_nominal and text.lower() in KIN else None,
        is_indefinite=is_nominal and words[0] in _INDEFINITE,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """What the words of a person's mentions said so far, of bounded size."""

    names: tuple[tuple[Name, int], ...] = ()  # with how often each was used, in order of appearance
    masculine: int = 0  # mentions that say so
    feminine: int = 0
    one: int = 0
    many: int = 0
    tells: int = 0  # mentions outside of quotations by I
    told: int = 0  # .. and otherwise
    heads: tuple[str, ...] = ()  # of nominals
    phrases: tuple[str, ...] = ()
    kin: tuple[str, ...] = ()

    def after(self, cues: Cues) -> Profile:
        """The profile with one more mention."""
        return replace(
            self,
            names=self.names if cues.name is None else _counted(self.names, cues.name),
            masculine=self.masculine + (cues.gender == "masculine"),
            feminine=self.feminine + (cues.gender == "feminine"),
            one=self.one + (cues.number == "one"),
            many=self.many + (cues.number == "many"),
            tells=self.tells + (cues.turn is None and cues.tells),
            told=self.told + (cues.turn is None and not cues.tells and cues.number != "many"),
            heads=_latest(self.heads, cues.head, _MOST_HEADS),
            phrases=_latest(self.phrases, cues.phrase, _MOST_PHRASES),
            kin=_latest(self.kin, cues.kin, _MOST_PHRASES),
        )

    def relation(self, name: Name) -> Relation | None:
        """How a name goes with the person's own, by the one that says most; None for a person without a name.

        Names used hardly ever are left aside: whoever signs one letter Lydia Wickham is still Lydia Bennet.
        """
        least = _OWN_SHARE * max((count for _, count in self.names), default=0)
        return max((relation(name, known) for known, count in self.names if count >= least), default=None)

    def is_kin(self, kin: str) -> bool:
        """Whether the person was mentioned by a relation used like a name, or by it as a name: "papa", "Papa"."""
        return kin in self.kin or any(name.words == (kin,) for name, _ in self.names)

    def uses(self, name: Name) -> int:
        """How often the person was called by just the words of a name."""
        return sum(count for known, count in self.names if known.words == name.words)


def _latest(known: tuple[str, ...], new: str | None, most: int) -> tuple[str, ...]:
    """The latest of some words, each once."""
    return known if new is None else (*(word for word in known if word != new), new)[-most:]


def _counted(names: tuple[tuple[Name, int], ...], name: Name) -> tuple[tuple[Name, int], ...]:
    counts = dict(names)
    counts[name] = counts.get(name, 0) + 1
    if len(counts) > _MOST_NAMES:
        del counts[min(list(counts)[:-1], key=counts.__getitem__)]
    return tuple(counts.items())
