"""The narrator: "I" outside of quotations is one person, who is not whom the narration tells of.

Linking sometimes takes the first "I" of a story for somebody already named, and everything
that follows with it. With the whole text known, the person of the narrating "I" is told
from the names and pronouns that the narration has for others; the narrator's own name is
the one that others call the narrator by.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from petra.linking.record import LinkRecord

# Set by hand and checked on novels without annotation.
_LEAST_NARRATION = 0.03  # share of all mentions that are I outside of quotations, where somebody narrates
_LEAST_MENTIONS = (
    200  # of these: in a short text each "I" is decided well enough, and letters and interviews have several
)
_MOST_OF_IT = 0.6  # share of these that are of one person, where a single narrator tells the story
_TOLD_OF = 0.1  # names outside of quotations, of the narrator's mentions: more, and two people were taken for one
_PARTS = 20  # of a text: whoever tells it is around in many of them, and is called by name there
_LEAST_CALLS = 3  # parts in which somebody is called by name
_OWN_CALLS = 2.0  # times as many as of anybody else who is hardly named in the narration


def find_narrator(records: Sequence[LinkRecord]) -> int | None:
    """The person who has most of the narrating "I", in a text that a single narrator tells."""
    narrating = Counter(it.person for it in records if it.cues.is_narrator and it.cues.turn is None)
    least = max(_LEAST_MENTIONS, _LEAST_NARRATION * len(records))
    person, count = narrating.most_common(1)[0] if narrating else (0, 0)
    return person if count >= _MOST_OF_IT * narrating.total() >= _MOST_OF_IT * least else None


def detach_narrator(records: Sequence[LinkRecord], narrator: int) -> tuple[list[LinkRecord], int]:
    """The records with every narrating "I" given to a person of its own, and that person.

    What the narration calls by name, or by "he" and "she", is not the narrator. Where it
    calls the narrator found so often, linking took two people for one, and their "I" and
    "you" in quotations may be of either; else these are the narrator's.
    """
    own = sum(it.person == narrator and it.cues.is_narrator for it in records)
    told_of = sum(it.person == narrator and it.cues.kind == "name" and it.cues.turn is None for it in records)
    are_two = told_of > _TOLD_OF * own
    person = max(it.person for it in records) + 1

    def given(it: LinkRecord) -> LinkRecord:
        if it.cues.is_narrator and (it.cues.turn is None or it.person == narrator):
            return it._replace(person=person, shares=((person, 1.0),), share_of_new=0.0)
        if it.cues.turn is None:
            return it
        if are_two:
            return it._replace(shares=_with_twin(it.shares, narrator, person)) if it.cues.speech is not None else it
        return it._replace(
            person=person if it.person == narrator else it.person,
            shares=tuple((person if each == narrator else each, share) for each, share in it.shares),
        )

    detached = [given(it) for it in records]
    left = frozenset(it.person for it in detached)
    return [
        it._replace(
            shares=tuple(each for each in it.shares if each[0] in left),
            excludes=it.excludes & left | ({person} if narrator in it.excludes else set()),
        )
        for it in detached
    ], person


def _with_twin(shares: tuple[tuple[int, float], ...], one: int, other: int) -> tuple[tuple[int, float], ...]:
    """The shares, where "you" and "I" that went to one may as well be of the other."""
    return (*shares, *((other, share) for person, share in shares if person == one))


def name_narrator(records: Sequence[LinkRecord], of: Mapping[int, int], narrator: int) -> int | None:
    """Whoever is called by a name all through the text that the narration hardly uses; None if that is the narrator.

    The people of a tale within the tale are called by name too, but in few parts of the text.
    """
    calls: Counter[int] = Counter()
    told_of: Counter[int] = Counter()
    parts: defaultdict[int, set[int]] = defaultdict(set)
    for place, it in enumerate(records):
        if it.cues.kind == "name":
            person = of.get(it.person, it.person)
            told_of[person] += it.cues.turn is None
            if it.cues.turn is not None and it.cues.speaking_turn is not None:
                calls[person] += 1
                parts[person].add(_PARTS * place // len(records))
    own = len(parts.pop(of.get(narrator, narrator), ()))
    rivals = sorted((-len(its), person) for person, its in parts.items() if told_of[person] < calls[person])
    second = max(own, -rivals[1][0] if len(rivals) > 1 else 0)
    is_called = bool(rivals) and -rivals[0][0] >= max(_LEAST_CALLS, _OWN_CALLS * second)
    return rivals[0][1] if is_called else None
