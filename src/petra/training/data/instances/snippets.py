"""A pronoun in a passage -> a GAP instance: a few sentences around it, and two of the people they name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from petra.corpora.gap import GapInstance, Span
from petra.english.gender import Gender
from petra.english.sentences import Passage, SentenceWord
from petra.training.data.instances.edits import TextEdit, rewrite
from petra.training.data.instances.people import ArticlePerson, Naming

_FEWEST_WORDS, _MOST_WORDS = 30, 72  # before the pronoun; GAP's middle nine tenths are 27 to 82
_LONGEST = 115  # words in all
_NEXT_SENTENCE = 0.25  # the share that goes on for a sentence after the pronoun's
_NEITHER = 0.35  # the share of snippets, of those with people enough, that ask for two others
_ANY_NAMING = 0.6  # the share that may ask for another naming of the person than the nearest

_GENDERS: dict[str, Gender] = {
    "he": "masculine",
    "him": "masculine",
    "his": "masculine",
    "she": "feminine",
    "her": "feminine",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class PronounReference:
    """A pronoun whose person is known: one of the text, or one that an edit makes."""

    kind: str  # how the person is known, a word for the instance's id
    passage: Passage
    namings: Sequence[Naming]  # all of the passage, edits made
    pronoun: range  # its words before the edits
    nearest: Naming  # the naming that identifies the person
    edits: tuple[TextEdit, ...] = ()

    @property
    def person(self) -> ArticlePerson:
        return self.nearest.person


def gender_of(word: SentenceWord) -> Gender | None:
    """The gender of a pronoun that GAP asks about; "she's" is none."""
    return None if word.possessive else _GENDERS.get(word.lower)


def snippet(reference: PronounReference, name: str, url: str, rng: Random) -> GapInstance | None:
    """The instance of a reference, or None where no second person is near."""
    passage = reference.passage
    first, last = _sentences(reference, rng)
    if passage.sentences[last][-1] - passage.sentences[first][0] >= _LONGEST:
        return None
    inside = [it for it in reference.namings if first <= passage.sentence_of(it.words) <= last]
    others = _rivals(inside, reference.person)
    if not others:
        return None
    a, b = _pair(reference, inside, others, rng)
    bounds = Span(*passage.bounds(first, last))
    spans = [Span(*passage.span(it)) for it in (a.words, b.words)]
    whole = range(reference.pronoun[0], reference.pronoun[-1] + 1)
    place = Span(passage.words[whole[0]].start, passage.words[whole[-1]].reach)
    edits = [it for it in reference.edits if bounds.start <= it.span.start < bounds.end]
    text, moved = rewrite(passage.text, edits, (*spans, place, bounds))
    start, end = moved[3]
    a_span, b_span, pronoun = (Span(it.start - start, it.end - start) for it in moved[:3])
    return GapInstance(
        id=name,
        text=text[start:end],
        pronoun=pronoun,
        a=a_span,
        b=b_span,
        a_coref=a.person == reference.person,
        b_coref=b.person == reference.person,
        gender=reference.person.gender,
        url=url,
    )


def _sentences(reference: PronounReference, rng: Random) -> tuple[int, int]:
    """The first and last sentence: with the nearest naming, a rival, and a drawn number of words before the pronoun."""
    passage, place = reference.passage, reference.pronoun[0]
    needed = [passage.words[place].sentence, passage.sentence_of(reference.nearest.words)]
    first, last = min(needed), max(needed)
    if last + 1 < len(passage.sentences) and rng.random() < _NEXT_SENTENCE:
        last += 1
    wanted = rng.randint(_FEWEST_WORDS, _MOST_WORDS)
    rivals = [passage.sentence_of(it.words) for it in _rivals(reference.namings, reference.person)]
    if not any(first <= it <= last for it in rivals):
        first = max((it for it in rivals if it < first), default=first)
    while first > 0 and place - passage.sentences[first][0] < wanted:
        if passage.sentences[last][-1] - passage.sentences[first - 1][0] >= _LONGEST:
            break
        first -= 1
    return first, last


def _rivals(namings: Sequence[Naming], person: ArticlePerson) -> list[Naming]:
    """Namings of others whom the pronoun might mean: of its gender, and surely another person."""
    return [it for it in namings if it.person.gender == person.gender and not it.person.may_be(person)]


def _pair(
    reference: PronounReference, inside: Sequence[Naming], rivals: Sequence[Naming], rng: Random
) -> tuple[Naming, Naming]:
    """The two names asked for, in the order of the text."""
    own = [reference.nearest]
    if rng.random() < _ANY_NAMING:
        own = [it for it in inside if it.person == reference.person]
    if rng.random() < _NEITHER:
        strangers = [(one, other) for one, other in combinations(rivals, 2) if not one.person.may_be(other.person)]
        if strangers:
            return rng.choice(strangers)
    pairs = [(one, other) if one.words[0] < other.words[0] else (other, one) for one in own for other in rivals]
    weights = [_weight(reference, *pair) for pair in pairs]
    return rng.choices(pairs, weights)[0]


def _weight(reference: PronounReference, a: Naming, b: Naming) -> int:
    """How much a pair is wanted: most where the pronoun passes over the nearer name, or comes before its own.

    Of these kinds texts have the fewest, measured by what GAP has.
    """
    place, gold_first = reference.pronoun[0], a.person == reference.person
    return 6 if a.words[0] > place or gold_first == (b.words[0] < place) else 1
