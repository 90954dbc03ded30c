"""The interface of a reader: pieces of one text in, events and rows of the log out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from petra.domain import Event
from petra.errors import ModelError
from petra.linking.record import LinkRecord
from petra.log.memory_log import ReadBy
from petra.log.rows import LogRows
from petra.runtime.threads import one_thread
from petra.text.piece import Piece

if TYPE_CHECKING:
    from torch import Tensor


class Reading(NamedTuple):
    """What is decided once a piece of a text has been read."""

    events: list[Event]  # in text order
    rows: LogRows  # of the tokens after those of the reading before
    records: list[LinkRecord]  # of the decision on each event; none where a text is read token by token

    def followed_by(self, later: Reading) -> Reading:
        """Join the readings of two pieces in a row."""
        rows = self.rows.followed_by(later.rows)
        return Reading([*self.events, *later.events], rows, [*self.records, *later.records])


class Reader(Protocol):
    """Reads one text from features to people. What comes out does not depend on how the text is cut into pieces."""

    num_cells: int
    read_by: ReadBy

    def feed(self, piece: Piece, features: Tensor) -> Reading:
        """Read on: the next piece of the text, and the features (t, D) of its tokens."""

    def finish(self) -> Reading:
        """What can be decided only at the end of the text."""


@one_thread()
def finite(features: Tensor) -> Tensor:
    """The features of tokens; damaged weights give some that are no numbers, in which nobody would be found."""
    if not features.sum().isfinite():
        raise ModelError(
            "The encoder gave features that are no finite numbers: its weights, or the model's adapter, are damaged. "
            "Check the encoder with: petra models get NAME, and take the model from where it came from again."
        )
    return features
