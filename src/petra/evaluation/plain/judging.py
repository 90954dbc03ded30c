"""Which mentions of a text a model got right, one by one, and what is wrong with the rest.

A mention is **found** if a predicted mention has its exact span. Other boundaries make the
mention wrong, but not what is linked to it: a predicted mention that is none of the
annotation and lies inside or around one ("Parisa" for "my sister Parisa") stands for it
below. People named together ("Aisha and Ben") are no landmark; every other name or nominal
is.

A **pronoun** is right if it is found and its predicted person is that of its entity:

- A predicted person with landmarks is of the entity with the most of them, of equals
  the one whose first comes first.
- A predicted person without landmarks is of an entity that has none in the whole text
  either, the narrator or "they" after two names. Each has to hold most of the other: the
  predicted person has more of the found mentions of this entity than of another such, and
  no other predicted person has more of the entity (of equals, the first in the text).
- Otherwise the predicted person is of nobody, and its pronouns are wrong.

A **name or nominal** is right if it is found and linked back rightly: the nearest earlier
name or nominal of its predicted person is of its entity or, where none of its entity
was found before it, even by another that stands for it, there is none.

What was predicted beside the annotation has no say here; precision is in the mention F1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeVar

from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.corpora.bracketed import TaggedDocument
from petra.domain import Mention, Person
from petra.english.heads import head_span

Error = Literal[
    "not found",
    "other boundaries",  # not found, but a mention that is none overlaps it
    "speaker or addressee",  # I or you
    "group",  # we, or they of several
    "singular they",
    "neopronoun",
    "merged person",  # he or she, beside a name or nominal of its entity, in a person mostly of another
    "other gender",  # he or she, taken for somebody of whom the annotation tells the other gender
    "other person",  # he or she, taken for anybody else
    "detached",  # he or she, of a predicted person who is nobody
    "name not linked",
    "name of somebody else",
    "nominal not linked",
    "nominal of somebody else",
]

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value", bound=Hashable)

_JOINING = re.compile(r"(?:\W|\b(?:and|or|both|s)\b)*")  # "s" is left of a possessive ending


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SPEAKER_OR_ADDRESSEE = _listed("i me my mine myself you your yours yourself")
_WE = _listed("we us our ours ourselves yourselves")
_THEY = _listed("they them their theirs themselves themself")
_HE = _listed("he him his himself")
_SHE = _listed("she her hers herself")
_MASCULINE = _HE | _listed("mr sir man men boy boys father dad uncle brother brothers son sons husband widower king")
_FEMININE = _SHE | _listed("mrs ms lady woman women girl girls mother aunt sister sisters daughter wife widow niece")


class MentionJudgement(NamedTuple):
    """What became of a mention of the annotation."""

    document: str  # its ID
    mention: GoldMention
    words: str
    error: Error | None  # None: it is right
    person: str | None  # the name of the predicted person, if it was found


def judge(text: TaggedDocument, people: Sequence[Person]) -> tuple[MentionJudgement, ...]:
    """A judgement of every mention of a text, in text order."""
    reading = _Reading.of(text, people)
    return tuple(
        MentionJudgement(
            text.document.id,
            mention,
            reading.words(mention),
            reading.error(mention),
            people[reading.found[mention]].name if mention in reading.found else None,
        )
        for mention in text.document.mentions
    )


def spurious(document: AnnotatedDocument, people: Sequence[Person]) -> tuple[Mention, ...]:
    """The predicted mentions that are none of the annotation, in text order."""
    spans = {it[:2] for it in document.mentions}
    predicted = [it for person in people for it in person.mentions if (it.start, it.end) not in spans]
    return tuple(sorted(predicted, key=lambda it: (it.start, it.end)))


@dataclass(frozen=True, kw_only=True, slots=True)
class _Reading:
    """A text beside what was predicted of it."""

    text: TaggedDocument
    found: Mapping[GoldMention, int]  # the predicted person of each mention found, in text order
    placed: Mapping[GoldMention, frozenset[int]]  # the same, with what stands for a mention
    entities: Mapping[int, str]  # the entity of each predicted person that is of one
    spurious: tuple[Mention, ...]

    @classmethod
    def of(cls, text: TaggedDocument, people: Sequence[Person]) -> _Reading:
        person_of = {(it.start, it.end): at for at, person in enumerate(people) for it in person.mentions}
        found = {it: person_of[it[:2]] for it in text.document.mentions if it[:2] in person_of}
        none = spurious(text.document, people)
        placed = {
            it: frozenset(
                person_of[span]
                for span in [it[:2], *((other.start, other.end) for other in none)]
                if span in person_of and (span == it[:2] or _stands_for(span, it, text.document))
            )
            for it in text.document.mentions
        }
        entities = _entities(text.document, placed)
        return cls(text=text, found=found, placed=placed, entities=entities, spurious=none)

    def words(self, mention: GoldMention) -> str:
        return self.text.document.text[mention.start : mention.end]

    def error(self, mention: GoldMention) -> Error | None:
        """What is wrong with a mention, if anything is."""
        if mention not in self.found:
            overlapped = any(it.start < mention.end and mention.start < it.end for it in self.spurious)
            return "other boundaries" if overlapped else "not found"
        if mention.kind == "pronoun":
            entity = self.entities.get(self.found[mention])
            return None if entity == mention.entity else self._error_of_pronoun(mention, entity)
        earlier = [it for it, persons in self.placed.items() if it < mention and it.kind != "pronoun" and persons]
        linked = [it for it in earlier if self.found[mention] in self.placed[it]]
        if linked and linked[-1].entity != mention.entity:
            return "name of somebody else" if mention.kind == "name" else "nominal of somebody else"
        if linked or all(it.entity != mention.entity for it in earlier):
            return None
        return "name not linked" if mention.kind == "name" else "nominal not linked"

    def _error_of_pronoun(self, mention: GoldMention, entity: str | None) -> Error:
        """The class of a pronoun that was taken for an entity other than its own, or for nobody."""
        word = self.words(mention).lower()
        if word in _SPEAKER_OR_ADDRESSEE:
            return "speaker or addressee"
        if word in _WE or (word in _THEY and not self._is_single(mention.entity)):
            return "group"
        if word in _THEY:
            return "singular they"
        if word not in _HE | _SHE:
            return "neopronoun"
        person = self.found[mention]
        if any(it.entity == mention.entity and person in at for it, at in self.placed.items() if it.kind != "pronoun"):
            return "merged person"
        if entity is None:
            return "detached"
        others = _FEMININE if word in _HE else _MASCULINE
        mentions = [it for it in self.text.document.mentions if it.entity == entity]
        return "other gender" if any(self._telling_word(it) in others for it in mentions) else "other person"

    def _telling_word(self, mention: GoldMention) -> str:
        """The word of a mention that may tell a gender: the first of a name, "Mrs. Lund", or the head, "her uncle"."""
        words = self.words(mention)
        start, end = (0, len(words.split()[0])) if mention.kind == "name" else head_span(words)
        return words[start:end].rstrip(".").lower()

    def _is_single(self, entity: str) -> bool:
        """Whether an entity called "they" is one person: it has a name, or the tags of the text say so."""
        named = any(it.kind == "name" and it.entity == entity for it in self.text.document.mentions)
        return named or "they" in self.text.tags


def _stands_for(span: tuple[int, int], mention: GoldMention, document: AnnotatedDocument) -> bool:
    """Whether a span that is no mention of the annotation is one with other boundaries.

    One lies inside the other, and no third mention of the annotation lies around the inner one there.
    """
    inner, outer = sorted([span, mention[:2]], key=lambda it: it[1] - it[0])
    if mention.kind == "pronoun" or not (outer[0] <= inner[0] and inner[1] <= outer[1]):
        return False
    between = [it for it in document.mentions if outer[0] <= it.start <= inner[0] and inner[1] <= it.end <= outer[1]]
    return all(it == mention for it in between)


def _entities(document: AnnotatedDocument, placed: Mapping[GoldMention, frozenset[int]]) -> dict[int, str]:
    """The entity of each predicted person that is of one."""
    landmarks = {it for it in document.mentions if it.kind != "pronoun" and not _is_coordination(it, document)}
    pairs = [(person, it) for it, persons in placed.items() for person in sorted(persons)]
    entities = _of_most((person, it.entity) for person, it in pairs if it in landmarks)
    described = {it.entity for it in landmarks}
    rest = [(at, it.entity) for at, it in pairs if at not in entities and it.entity not in described]
    largest = _of_most((entity, person) for person, entity in rest)
    return entities | {person: entity for person, entity in _of_most(rest).items() if largest[entity] == person}


def _of_most(pairs: Iterable[tuple[_Key, _Value]]) -> dict[_Key, _Value]:
    """The value that stands most often with each key; of equals the first."""
    counts: dict[_Key, Counter[_Value]] = {}
    for key, value in pairs:
        counts.setdefault(key, Counter())[value] += 1
    return {key: counter.most_common(1)[0][0] for key, counter in counts.items()}  # equals keep their order


def _is_coordination(mention: GoldMention, document: AnnotatedDocument) -> bool:
    """Whether a mention is of people named together, so that only joining words stand between those in it."""
    inside = [it for it in document.mentions if mention.start <= it.start and it.end <= mention.end and it != mention]
    covered = {place for it in inside for place in range(it.start, it.end)}
    rest = "".join(document.text[at] for at in range(mention.start, mention.end) if at not in covered)
    return len(inside) > 1 and _JOINING.fullmatch(rest) is not None
