"""Finding people: from a memory log, or from the events of reading, to people with their mentions and quotations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from petra.domain import Event, Mention, Person, Quotation
from petra.log.memory_log import MemoryLog
from petra.log.rows import LogRows
from petra.people.edits import apply_edits
from petra.people.naming import name_of
from petra.reading.by_token.grouping import Grouper
from petra.text.piece import Piece


def find_people(log: MemoryLog, threshold: float | None = None) -> tuple[Person, ...]:
    """The people of a log, in order of first mention; with the log's own threshold, those that tracking found.

    Another ``threshold`` than the log's own is the least probability of a decision that
    counts: of the mentions in a log read mention by mention, or of the gates in one read
    token by token, whose tokens are then grouped anew. The log's corrections are applied.
    """
    people = _found(log, threshold)
    return apply_edits(log.text, people, (), log.edits).people


def find_quotations(log: MemoryLog) -> tuple[Quotation, ...]:
    """The quotations of a log in text order, with the ids of ``find_people``; none if nobody looked for them."""
    if log.quotations is None or log.mentions is None:
        return ()
    quotations = log.quotations.quotations(log.mentions)
    if not (quotations and log.edits):
        return quotations
    people = _grouped(log.mentions.events(log.text))
    unnamed = [Person(number, "", tuple(mentions)) for number, mentions in people]  # naming takes time
    return apply_edits(log.text, unnamed, quotations, log.edits).quotations


def uncorrected(log: MemoryLog) -> MemoryLog:
    """The log as the model wrote it."""
    return replace(log, edits=()) if log.edits else log


def _found(log: MemoryLog, threshold: float | None) -> tuple[Person, ...]:
    """The people of a log before corrections."""
    if log.mentions is not None and threshold in (None, log.threshold):
        return collect(log.mentions.events(log.text))
    least = log.threshold if threshold is None else threshold
    if log.mentions is not None and log.read_by == "mention":
        likely = log.mention_prob[log.mentions.heads] >= np.float32(least)
        return collect(log.mentions.where(likely).events(log.text))
    grouper = Grouper(least)
    rows = LogRows(log.mention_prob, log.coref_prob, log.overwrite_prob, log.usage)
    events = grouper.feed(Piece(log.text, log.starts, log.ends, log.words), rows)
    return collect([*events, *grouper.finish()])


def collect(events: Iterable[Event]) -> tuple[Person, ...]:
    """Collect the events of a text into people."""
    return tuple(Person(number, name_of(found), tuple(found)) for number, found in _grouped(events))


def _grouped(events: Iterable[Event]) -> list[tuple[int, list[Mention]]]:
    mentions: defaultdict[int, list[Mention]] = defaultdict(list)
    for event in events:
        mentions[event.person_id].append(event.mention)
    return sorted(mentions.items())
