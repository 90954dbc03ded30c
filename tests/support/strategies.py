"""Hypothesis strategies: random texts, gates and memory logs."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from petra.domain import KINDS
from petra.log.memory_log import MemoryLog
from petra.log.mentions import LoggedMention, LogMentions, numbered

# The exact values matter: never decided, surely decided, and the usual thresholds.
PROBABILITIES = st.one_of(
    st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.floats(0, 1, width=32, allow_nan=False, allow_subnormal=False)
)

# Words that the rules for people treat differently, and what may stand between them.
_WORDS = """
    Jane Tom Mr Dr Jr III Ludwig van Beethoven of the The When Will he She I her US mother Mother girl old O'Neil
    Jean-Luc J.R.R X London-based didn't Bennet's ADDISON café cafe\u0301s 张三 דוד e\u0301 100 2Pac \u00adsoft
    a-b-c-d-e-f-g-h-i-j-k
"""
WORDS = st.sampled_from(_WORDS.split())
GAPS = st.sampled_from(
    [" ", "  ", "\n", "\r\n", "\n\n", ", ", ". ", "! ", "", "'", "’s ", "-", " - ", "–", ' "', "\u00a0", "👩‍👧 "]
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Texts of names, pronouns and punctuation in any order, or of any characters."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.text(st.characters(codec=None), max_size=40))
    return "".join(draw(st.lists(st.one_of(WORDS, GAPS), max_size=40)))


@st.composite
def tokens(draw: st.DrawFn, text: str) -> tuple[list[int], list[int], list[int]]:
    """Starts, ends and words of tokens in order: ranges that leave gaps now and then."""
    starts, ends, words = [], [], []
    place, number = 0, 0
    while place < len(text):
        end = min(len(text), place + draw(st.integers(1, 4)))
        if not draw(st.sampled_from([False] * 9 + [True])):
            starts.append(place)
            ends.append(end)
            words.append(number)
        number += draw(st.booleans())
        place = end
    return starts, ends, words


@st.composite
def gates(draw: st.DrawFn, num_tokens: int, num_cells: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """c and o: each row a share of 1 over the cells, most of them 0."""
    elements = st.one_of(st.just(0.0), st.just(0.0), PROBABILITIES)
    raw = draw(arrays(np.float32, (num_tokens, 2 * num_cells), elements=elements, fill=st.just(0.0)))
    total = raw.sum(axis=1, keepdims=True)
    shares = np.where(total > 1, raw / np.maximum(total, 1), raw).astype(np.float32)
    return shares[:, :num_cells].copy(), shares[:, num_cells:].copy()


@st.composite
def logs(draw: st.DrawFn) -> MemoryLog:
    """Small memory logs of any content, read token by token or mention by mention."""
    text = draw(texts())
    starts, ends, words = draw(tokens(text))
    coref, overwrite = draw(gates(len(starts), draw(st.integers(1, 4))))
    mentions = draw(st.none() | logged_mentions(text, starts, ends))
    return MemoryLog(
        text=text,
        model=draw(st.text(max_size=10)),
        threshold=draw(PROBABILITIES),
        starts=np.array(starts, dtype=np.int64),
        ends=np.array(ends, dtype=np.int64),
        words=np.array(words, dtype=np.int64),
        mention_prob=np.minimum((coref + overwrite).sum(axis=1), np.float32(1)),
        coref_prob=coref,
        overwrite_prob=overwrite,
        usage=np.minimum(coref + overwrite, np.float32(1)),
        read_by="token" if mentions is None else "mention",
        mentions=mentions,
    )


@st.composite
def logged_mentions(draw: st.DrawFn, text: str, starts: list[int], ends: list[int]) -> LogMentions:
    """Mentions of up to three tokens in text order; some begin with a mention of somebody else, as "Emma's father"."""
    found: list[LoggedMention] = []
    people = 0
    place = 0
    while place < len(starts):
        first, place = place, min(len(starts), place + draw(st.integers(1, 3)))
        lasts = [first, place - 1] if place - first > 1 and draw(st.booleans()) else [place - 1]
        persons: list[int] = []
        for last in lasts:
            start, end = starts[first], ends[last]
            if any(map(str.isalnum, text[start:end])) and draw(st.booleans()):
                person = draw(st.sampled_from([one for one in range(1, people + 2) if one not in persons]))
                people = max(people, person)
                persons.append(person)
                kind, probability = draw(st.sampled_from(KINDS)), draw(PROBABILITIES)
                found.append(LoggedMention(start, end, kind, last, person, probability))
    if draw(st.booleans()):  # a second pass joined people of the first, or moved mentions
        found = list(numbered(one._replace(read_as=draw(st.sampled_from((one.person, people + 1)))) for one in found))
    return LogMentions.of(found)
