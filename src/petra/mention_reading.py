"""From features to people, for a model with a span head: what ``TextReader`` and ``PeopleReader`` are for one without.

Letters: t tokens of a piece, D features of a token, N cells, H hidden size, W tokens of the widest span.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from petra.encoder.span_head import Candidates, SpanHead
from petra.memory.network import Network
from petra.memory.person_memory import REGISTER_SIZE, PersonMemory
from petra.people.compatibility import Weights
from petra.people.reading import DEFAULT_WEIGHTS, PersonReader, Reading
from petra.threads import one_thread


class MentionTextReader:
    """Reads one text mention by mention; the pieces it is fed in do not matter."""

    def __init__(
        self,
        network: Network,
        span_head: SpanHead,
        num_cells: int | None = None,
        *,
        threshold: float,
        register_size: int = REGISTER_SIZE,
        weights: Weights = DEFAULT_WEIGHTS,
    ) -> None:
        memory = PersonMemory(network, num_cells, register_size=register_size)
        self.num_cells = memory.num_cells
        self._network = network
        self._span_head = span_head
        self._width = span_head.config.max_width
        self._people = PersonReader(memory, threshold=threshold, max_width=self._width, weights=weights)
        self._state: Tensor | None = None  # h_t of the last token  (1, 1, H)
        self._features: Tensor | None = None  # of the tokens below, those still needed  (., D)
        self._hidden = np.zeros((0, network.config.hidden_size), dtype=np.float32)  # (., H)
        self._tokens = np.zeros((3, 0), dtype=np.int64)  # their starts, ends and words
        self._first = 0  # number of the first of them
        self._told = 0  # tokens before this one were told to the reader of people

    @one_thread()
    @torch.inference_mode()
    def feed(
        self,
        text: str,
        *,
        starts: NDArray[np.int64],
        ends: NDArray[np.int64],
        words: NDArray[np.int64],
        features: Tensor,
    ) -> Reading:
        """Read on: the next part of the text, and tokens that lie in the text so far with their features (t, D).

        Offsets and words count from the start of the whole text. Text may be fed before its tokens.
        """
        features = features.to(self._network.recurrent_hidden.device)
        if len(features):
            hidden = self._network.hidden_states(features[None, :, None], self._state)  # (1, t, 1, H)
            self._state = hidden[:, -1]
            self._features = features if self._features is None else torch.cat([self._features, features])
            self._hidden = np.concatenate([self._hidden, hidden[0, :, 0].cpu().numpy()])
            self._tokens = np.concatenate([self._tokens, [starts, ends, words]], axis=1)
        # The last word may go on: its spans are not whole yet.
        is_last = self._tokens[2] == self._tokens[2, -1:]
        return self._tell(text, self._first + int(np.count_nonzero(~is_last)))

    @one_thread()
    @torch.inference_mode()
    def finish(self) -> Reading:
        """What only the end of the text settles."""
        told, last = self._tell("", self._first + self._tokens.shape[1]), self._people.finish()
        return told.joined(last)

    def _tell(self, text: str, end: int) -> Reading:
        """Tell the reader of people about the tokens up to one."""
        new = slice(self._told - self._first, end - self._first)
        reading = self._people.feed(
            text,
            starts=self._tokens[0, new],
            ends=self._tokens[1, new],
            hidden=self._hidden[new],
            candidates=self._candidates(new),
        )
        self._told = end
        self._forget_before(max(self._first, end - self._width))
        return reading

    def _candidates(self, new: slice) -> Candidates:
        """The candidates that end in new tokens, numbered from the start of the text."""
        features = torch.zeros(0, 0) if self._features is None else self._features[: new.stop]
        found = self._span_head.candidates(features, self._tokens[2, : new.stop])
        # What is kept may begin within a word, and no span that ends in a new token reaches so far back.
        kept = (found.last >= new.start) & ((found.first > 0) | (self._first == 0))
        return Candidates(found.first[kept] + self._first, found.last[kept] + self._first, found.kind_prob[kept])

    def _forget_before(self, token: int) -> None:
        rows = slice(token - self._first, None)
        self._features = None if self._features is None else self._features[rows].clone()
        self._hidden, self._tokens = self._hidden[rows].copy(), self._tokens[:, rows].copy()
        self._first = token
