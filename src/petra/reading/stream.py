"""A stream: a text that arrives in parts and is read as it arrives.

Letters: w tokens that wait for their features.
"""

from __future__ import annotations

import numpy as np
from torch import Tensor

from petra.domain import Event
from petra.encoder.pretrained import PretrainedEncoder
from petra.encoder.stream import FeatureStream
from petra.errors import TextError
from petra.reading.reader import Reader, finite
from petra.text.piece import Piece
from petra.text.pieces import PIECE_LIMIT
from petra.text.tokenize import Chunk


class Stream:
    """Reads a text of any length in bounded memory and returns an event for each mention.

    The events are those of the whole text, wherever it was cut. A mention is returned
    when no later word can change it: about a window of the encoder after it was fed, and
    the last ones by ``finish``. A stream keeps counts and no events; collect them
    (``petra.people.finding.collect``) to have all mentions of each person.
    """

    def __init__(self, encoder: PretrainedEncoder, reader: Reader) -> None:
        self.num_characters = 0
        self.num_tokens = 0
        self.num_mentions = 0
        self.num_people = 0
        self._tokens = encoder.tokenizer.stream()
        self._features = FeatureStream(encoder)
        self._reader = reader
        self._waiting = np.zeros((3, 0), dtype=np.int64)  # starts, ends and words  (3, w)
        self._last: list[Event] | None = None  # what ``finish`` returned

    def feed(self, piece: str) -> list[Event]:
        """Read on: the events that this piece of the text completes."""
        if self._last is not None:
            raise TextError("The stream is finished and takes no more text. Open another one for another text.")
        self.num_characters += len(piece)
        events: list[Event] = []
        for begin in range(0, len(piece), PIECE_LIMIT):  # a whole book may come as one piece
            for chunk in self._tokens.feed(piece[begin : begin + PIECE_LIMIT]):
                events += self._read(chunk)
        return events

    def finish(self) -> list[Event]:
        """The events that only the end of the text completes.

        Leaving the ``with`` block finishes the stream too; a later call returns the same events.
        """
        if self._last is None:
            events = [event for chunk in self._tokens.finish() for event in self._read(chunk)]
            events += self._decide("", self._features.finish())
            self._last = events + self._counted(self._reader.finish().events)
        return list(self._last)

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            self.finish()

    def _read(self, chunk: Chunk) -> list[Event]:
        self._waiting = np.concatenate([self._waiting, [chunk.starts, chunk.ends, chunk.words]], axis=1)
        return self._decide(chunk.text, self._features.feed(chunk.token_ids))

    def _decide(self, text: str, features: Tensor) -> list[Event]:
        """The events of the next tokens, whose features are known now; the text may reach further than the tokens."""
        (starts, ends, words), self._waiting = np.split(self._waiting, [len(features)], axis=1)
        self.num_tokens += len(features)
        reading = self._reader.feed(Piece(text, starts, ends, words), finite(features))
        return self._counted(reading.events)

    def _counted(self, events: list[Event]) -> list[Event]:
        self.num_mentions += len(events)
        self.num_people += sum(event.is_new for event in events)
        return events
