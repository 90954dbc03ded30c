"""The reader of a model with a span head: computes candidate spans and h_t, and hands them to the resolver.

Letters: t tokens of a piece, D features of a token, N cells, H hidden size, W tokens of the widest span.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from petra.linking.scorer import FeatureWeights
from petra.log.memory_log import ReadBy
from petra.memory.inference.person_memory import REGISTER_SIZE, PersonMemory
from petra.memory.network import Network
from petra.mentions.span_head import SpanCandidates, SpanHead
from petra.reading.by_mention.resolver import Resolver, Watcher
from petra.reading.reader import Reading
from petra.runtime.threads import one_thread
from petra.text.piece import Piece


class ByMentionReader:
    """Reads one text mention by mention; ``threshold`` is the least probability of a mention."""

    read_by: ReadBy = "mention"

    def __init__(
        self,
        network: Network,
        span_head: SpanHead,
        num_cells: int | None = None,
        *,
        threshold: float,
        register_size: int = REGISTER_SIZE,
        weights: FeatureWeights,
        watcher: Watcher | None = None,
    ) -> None:
        memory = PersonMemory(network, num_cells, register_size=register_size)
        self.num_cells = memory.num_cells
        self._network = network
        self._span_head = span_head
        self._width = span_head.config.max_width
        self._resolver = Resolver(memory, threshold=threshold, max_width=self._width, weights=weights, watcher=watcher)
        self._state: Tensor | None = None  # h_t of the last token  (1, 1, H)
        self._features: Tensor | None = None  # of the tokens below, those still needed  (., D)
        self._hidden = np.zeros((0, network.config.hidden_size), dtype=np.float32)  # (., H)
        self._tokens = np.zeros((3, 0), dtype=np.int64)  # their starts, ends and words
        self._first = 0  # number of the first of them
        self._resolved = 0  # tokens before this one were handed to the resolver

    @one_thread()
    @torch.inference_mode()
    def feed(self, piece: Piece, features: Tensor) -> Reading:
        features = features.to(self._network.recurrent_hidden.device)
        if len(features):
            hidden = self._network.hidden_states(features[None, :, None], self._state)  # (1, t, 1, H)
            self._state = hidden[:, -1]
            self._features = features if self._features is None else torch.cat([self._features, features])
            self._hidden = np.concatenate([self._hidden, hidden[0, :, 0].cpu().numpy()])
            self._tokens = np.concatenate([self._tokens, [piece.starts, piece.ends, piece.words]], axis=1)
        # The last word may go on: its spans are not whole yet.
        is_last = self._tokens[2] == self._tokens[2, -1:]
        return self._resolve(piece.text, self._first + int(np.count_nonzero(~is_last)))

    @one_thread()
    @torch.inference_mode()
    def finish(self) -> Reading:
        rest = self._resolve("", self._first + self._tokens.shape[1])
        return rest.followed_by(self._resolver.finish())

    def _resolve(self, text: str, end: int) -> Reading:
        """Hand the tokens up to one to the resolver."""
        new = slice(self._resolved - self._first, end - self._first)
        piece = Piece(text, *self._tokens[:, new])
        reading = self._resolver.feed(piece, hidden=self._hidden[new], candidates=self._candidates(new))
        self._resolved = end
        self._forget_before(max(self._first, end - self._width))
        return reading

    def _candidates(self, new: slice) -> SpanCandidates:
        """The candidates that end in new tokens, numbered from the start of the text."""
        features = torch.zeros(0, 0) if self._features is None else self._features[: new.stop]
        found = self._span_head.candidates(features, self._tokens[2, : new.stop])
        # The kept tokens may begin within a word; no span that ends in a new token reaches so far back.
        kept = (found.last >= new.start) & ((found.first > 0) | (self._first == 0))
        return SpanCandidates(
            found.first[kept] + self._first,
            found.last[kept] + self._first,
            found.kind_prob[kept],
            None if found.feminine_prob is None else found.feminine_prob[kept],
        )

    def _forget_before(self, token: int) -> None:
        rows = slice(token - self._first, None)
        self._features = None if self._features is None else self._features[rows].clone()
        self._hidden, self._tokens = self._hidden[rows].copy(), self._tokens[:, rows].copy()
        self._first = token
