"""Conversations: who is "I" and "you" on a side of an exchange, told by all that is said on that side.

Linking reads from left to right: where the speaker is named after the third quotation of
an exchange, the first two were decided without it. Here each "I" and "you" also hears the
mentions of the exchange around it, before and after: other pronouns, "said Jane", "Jane"
in address. Those of its own side speak for their people, those of the other side against.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

from petra.linking.record import LinkRecord

# The first two are the best of 14 pairs on LitBank's training documents, the others are set by hand.
SAME_SIDE = 0.25  # weight of the nearest mention, if it is of the same side
OTHER_SIDE = 0.5  # .. and of the other: whoever speaks there does not speak here
FADING = 0.7  # of the weight, from one mention to the next
REACH = 8  # mentions of the exchange that are heard before and after
LEAST = 0.01  # share below which candidates do not differ


def settle_conversations(records: Sequence[LinkRecord], shares: Sequence[Mapping[int, float]]) -> dict[int, int]:
    """The person of each "I" and "you" in quotations, by the place of the mention.

    ``shares`` are those of the candidates at each mention, by the people they belong to by now.
    """
    exchanges: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)  # places and sides
    for place, record in enumerate(records):
        turn = record.cues.speaking_turn
        if turn is not None:
            exchanges[turn.exchange].append((place, turn.side))
    decided: dict[int, int] = {}
    for mentions in exchanges.values():
        for number, (place, side) in enumerate(mentions):
            cues = records[place].cues
            if cues.speech is None or cues.turn is None or cues.is_narrator:
                continue
            first = max(0, number - REACH)
            scores = {person: math.log(share + LEAST) for person, share in shares[place].items()}
            heard = [
                (FADING ** (abs(first + offset - number) - 1), other_side == side, shares[other])
                for offset, (other, other_side) in enumerate(mentions[first : number + REACH + 1])
                if other != place
            ]
            for _, is_same, others in heard:
                for person in others if is_same else ():
                    scores.setdefault(person, math.log(LEAST))
            for weight, is_same, others in heard:
                for person in scores:
                    share = others.get(person, 0.0)
                    scores[person] += (
                        SAME_SIDE * weight * math.log(share + LEAST)
                        if is_same
                        else OTHER_SIDE * weight * math.log(1 - min(share, 1.0) + LEAST)
                    )
            own = shares[place]
            decided[place] = max(scores, key=lambda person: (scores[person], own.get(person, 0.0), -person))
    return decided
