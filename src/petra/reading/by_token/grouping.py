"""Grouping: the gates of the memory, token by token, become mentions of people.

Whoever is in one cell from one overwrite to the next is one person (docs/people.md has the
whole rule). The grouper keeps who is in each cell, and the words that may still grow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from petra.domain import Event, Mention
from petra.errors import ConfigError, LogError
from petra.log.rows import LogRows
from petra.reading.by_token.decisions import Decision, decide
from petra.reading.by_token.mentions import MentionReader
from petra.reading.by_token.name_runs import Group
from petra.reading.by_token.words import Word, WordReader
from petra.text.buffer import TextBuffer
from petra.text.piece import Piece


class Grouper:
    """Finds people in a log that arrives in parts; returns each mention as soon as it is complete.

    The events do not depend on how the log was cut into parts. Between two parts the
    grouper keeps who is in each cell and the last few words, whatever the text's length.
    """

    def __init__(self, threshold: float) -> None:
        if not 0 <= threshold <= 1:
            raise ConfigError(f"The threshold is {threshold}; it lies between 0 and 1.")
        self._threshold = threshold
        self._text = TextBuffer()
        self._words = WordReader(self._text)
        self._mentions = MentionReader()
        self._cells: dict[int, int] = {}  # cell -> id of the person in it
        self._num_people = 0

    def feed(self, piece: Piece, rows: LogRows) -> list[Event]:
        """Read on: the next piece of the text, and the gates of its tokens."""
        self._text.append(piece.text)
        starts, ends = piece.starts, piece.ends
        if len(starts) and not (self._text.start <= starts[0] and ends[-1] <= self._text.end):
            raise LogError(
                f"Tokens at {starts[0]}..{ends[-1]} were fed, with text for {self._text.start}..{self._text.end}. "
                "Feed the rows in order, and the text that they cover with them or before."
            )
        decisions = decide(rows.coref_prob, rows.overwrite_prob, self._threshold)
        events: list[Event] = []
        tokens = zip(starts.tolist(), ends.tolist(), piece.words.tolist(), strict=True)
        for row, (start, end, number) in enumerate(tokens):
            for word in self._words.read(start, end, number, decisions.get(row)):
                events += self._read(word)
        needed = self._mentions.needs_from
        self._text.forget_before(self._words.needs_from if needed is None else needed)
        return events

    def finish(self) -> list[Event]:
        """The mentions that only the end of the text completes."""
        events = [event for word in self._words.finish() for event in self._read(word)]
        return [*events, *self._events(self._mentions.finish())]

    def _read(self, word: Word) -> Iterator[Event]:
        return self._events(self._mentions.read(word))

    def _events(self, groups: Iterable[Group]) -> Iterator[Event]:
        for group in groups:
            self._vacate(group.words[0].gap_decisions)
            if group.kind is None:
                self._vacate(group.decisions)
                continue
            known = self._num_people
            person, probability = self._attribute(group.decisions)
            mention = Mention(
                start=group.start,
                end=group.end,
                text=self._text.slice(group.start, group.end),
                kind=group.kind,
                probability=probability,
            )
            yield Event(person, mention, is_new=person > known)

    def _vacate(self, decisions: Iterable[Decision]) -> None:
        """Empty the cells that were overwritten at words which make no mention."""
        for decision in decisions:
            for cell in decision.overwritten:
                self._cells.pop(cell, None)

    def _attribute(self, decisions: Iterable[Decision]) -> tuple[int, float]:
        """The person of a mention, by its strongest decision, and the probability.

        All cells that the mention writes hold that person from here on: a name whose
        words opened two cells is one person, and so is one both known and written anew.
        """
        newcomer = self._num_people + 1
        strength: dict[int, float] = {}  # of the strongest gate for each candidate
        probability: dict[int, float] = {}
        for decision in decisions:
            # Whoever wrote an empty cell did so below the threshold: its person appears here.
            person = newcomer if decision.is_new else self._cells.setdefault(decision.cell, newcomer)
            self._cells.update(dict.fromkeys(decision.overwritten, newcomer))
            strength[person] = max(decision.strength, strength.get(person, 0.0))
            probability[person] = max(decision.probability, probability.get(person, 0.0))
        chosen = max(strength, key=strength.__getitem__)  # the earliest of equals
        self._cells = {cell: chosen if person == newcomer else person for cell, person in self._cells.items()}
        self._num_people += chosen == newcomer
        return chosen, probability[chosen]
