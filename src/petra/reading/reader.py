"""What every reader of one text does: pieces of it in, events and rows of the log out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from petra.domain import Event
from petra.log.memory_log import ReadBy
from petra.log.rows import LogRows
from petra.text.piece import Piece

if TYPE_CHECKING:
    from torch import Tensor


class Reading(NamedTuple):
    """What a piece of a text settled."""

    events: list[Event]  # in text order
    rows: LogRows  # of the tokens after those settled before

    def followed_by(self, later: Reading) -> Reading:
        """What this piece and the next one settled."""
        return Reading([*self.events, *later.events], self.rows.followed_by(later.rows))


class Reader(Protocol):
    """Reads one text from features to people; the pieces it is fed in do not matter."""

    num_cells: int
    read_by: ReadBy

    def feed(self, piece: Piece, features: Tensor) -> Reading:
        """Read on: the next piece of the text, and the features (t, D) of its tokens."""

    def finish(self) -> Reading:
        """What only the end of the text settles."""
