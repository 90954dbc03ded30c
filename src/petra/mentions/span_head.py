"""The span head: scores spans of the encoder's features as names, nominals and pronouns.

A span of tokens i..j is scored by one hidden layer over its two ends and its width,

    f(i, j) = W_out relu(W_first x_i + W_last x_j + w_{j - i} + b) + b_out,

and the softmax of [0, f(i, j)] gives the probabilities of no mention, a name, a
nominal and a pronoun. Only spans of whole words are scored, and mentions may nest.

Letters: B texts, T tokens, W tokens of the widest span, D features of a token, S spans.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from petra.config import SpanConfig
from petra.domain import KINDS
from petra.errors import ModelError
from petra.runtime.products import product

PREFIX = "spans."  # of the names of its weights in a model
_UNLIKELY = 0.02  # spans less probable than this are dropped
_LOWEST = math.log(_UNLIKELY / (1 - _UNLIKELY) / len(KINDS)) - 0.1  # no kind of a span that is kept scores lower
_BLOCK = 256  # tokens scored together on a CPU: what is computed of them stays in its cache


class SpanCandidates(NamedTuple):
    """Spans that may be mentions, in the order of their first token, then of their last."""

    first: NDArray[np.int64]  # (S,) the first token
    last: NDArray[np.int64]  # (S,) the last token, included
    kind_prob: NDArray[np.float32]  # (S, 3) the probabilities of KINDS
    feminine_prob: NDArray[np.float32] | None = None  # (S,) of feminine rather than masculine, for names


class SpanHead(nn.Module):
    """The weights of the span head of one model."""

    def __init__(self, config: SpanConfig, input_size: int, *, seed: int = 0) -> None:
        super().__init__()
        self.config = config
        self.first = nn.Parameter(torch.empty(input_size, config.size))
        self.last = nn.Parameter(torch.empty(input_size, config.size))
        self.width = nn.Parameter(torch.zeros(config.max_width, config.size))
        self.bias = nn.Parameter(torch.zeros(config.size))
        self.out = nn.Parameter(torch.empty(config.size, len(KINDS)))
        self.out_bias = nn.Parameter(torch.full((len(KINDS),), -5.0))  # most spans are no mention
        if config.name_gender:
            self.feminine = nn.Parameter(torch.zeros(config.size))
            self.feminine_bias = nn.Parameter(torch.zeros(()))
        generator = torch.Generator().manual_seed(seed)
        with torch.no_grad():
            for weight in (self.first, self.last, self.out):
                bound = 1 / math.sqrt(weight.shape[0])
                weight.uniform_(-bound, bound, generator=generator)

    def scores(self, features: Tensor) -> Tensor:
        """f of the spans that begin at each token, by width: features (B, T, D) give (B, T, W, 3).

        Spans that reach past the last token are scored as if the features after it were 0.
        """
        return self._scores(*self._ends(features))

    def _ends(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """What a span that begins, and one that ends, at each token has of its hidden layer: (B, T, size)."""
        return features @ self.first + self.bias, features @ self.last

    def _scores(self, first: Tensor, last: Tensor) -> Tensor:
        ends = F.pad(last, (0, 0, 0, self.config.max_width - 1)).unfold(1, self.config.max_width, 1)  # (B, T, size, W)
        hidden = F.relu(first[:, :, None] + ends.transpose(2, 3) + self.width)  # (B, T, W, size)
        return hidden @ self.out + self.out_bias

    def scores_of(self, first: Tensor, last: Tensor, width: Tensor) -> Tensor:
        """f of spans given by the features of their ends (S, D) and by their widths less 1 (S,): (S, 3)."""
        return self._hidden_of(first, last, width) @ self.out + self.out_bias

    def feminine_scores_of(self, first: Tensor, last: Tensor, width: Tensor) -> Tensor:
        """The log-odds that a name is of a woman rather than of a man, of spans given as to ``scores_of``: (S,)."""
        return self._hidden_of(first, last, width) @ self.feminine + self.feminine_bias

    def _hidden_of(self, first: Tensor, last: Tensor, width: Tensor) -> Tensor:
        return F.relu(first @ self.first + last @ self.last + self.width[width] + self.bias)

    @torch.inference_mode()
    def candidates(self, features: Tensor, words: NDArray[np.int64]) -> SpanCandidates:
        """The spans of whole words that may be mentions, of a text's features (T, D) and its tokens' words."""
        if not len(features):
            nothing = np.zeros(0, dtype=np.int64)
            return SpanCandidates(nothing, nothing, np.zeros((0, len(KINDS)), dtype=np.float32))
        ends = product(features, self.first, self.bias), product(features, self.last)  # (T, size) each, as ``_ends``
        if features.is_cuda:
            scores = self._scores(ends[0][None], ends[1][None])[0].cpu().numpy()  # (T, W, 3)
        else:
            scores = self._scores_in_blocks(*(end.numpy() for end in ends))
        best = np.maximum(np.maximum(scores[..., 0], scores[..., 1]), scores[..., 2])
        first, width = ((best >= _LOWEST) & whole_words(words, self.config.max_width)).nonzero()
        kind_prob = kind_probabilities(torch.from_numpy(scores[first, width])).numpy()
        likely = kind_prob.sum(-1) >= _UNLIKELY
        first, width, kind_prob = first[likely], width[likely], kind_prob[likely]
        feminine = self._feminine_prob(*ends, first, width, kind_prob) if self.config.name_gender else None
        return SpanCandidates(first, first + width, kind_prob, feminine)

    def _scores_in_blocks(self, first: NDArray[np.float32], last: NDArray[np.float32]) -> NDArray[np.float32]:
        """``_scores`` of a text on a CPU, (T, W, 3), where spans past the last token are left at 0."""
        scores = np.zeros((len(first), self.config.max_width, len(KINDS)), dtype=np.float32)
        width, out, out_bias = (weight.numpy(force=True) for weight in (self.width, self.out, self.out_bias))
        block = np.empty((_BLOCK, first.shape[1]), dtype=np.float32)
        for begin in range(0, len(first), _BLOCK):
            for wide, of_width in enumerate(width):
                ends = last[begin + wide : begin + wide + _BLOCK]
                if not len(ends):
                    break
                tokens = slice(begin, begin + len(ends))
                hidden = np.add(first[tokens], ends, out=block[: len(ends)])
                hidden += of_width
                np.maximum(hidden, 0, out=hidden)
                scores[tokens, wide] = hidden @ out
        scores += out_bias
        return scores

    def _feminine_prob(
        self,
        first_ends: Tensor,
        last_ends: Tensor,
        first: NDArray[np.int64],
        width: NDArray[np.int64],
        kind_prob: NDArray[np.float32],
    ) -> NDArray[np.float32]:
        """The probability of feminine of each span that is most likely a name; 1/2 for the others."""
        prob = np.full(len(first), 0.5, dtype=np.float32)
        names = np.flatnonzero(kind_prob.argmax(axis=1) == KINDS.index("name"))
        begin, wide = torch.from_numpy(first[names]), torch.from_numpy(width[names])
        hidden = F.relu(first_ends[begin] + last_ends[begin + wide] + self.width[wide])
        prob[names] = torch.sigmoid(hidden @ self.feminine + self.feminine_bias).cpu().numpy()
        return prob


def span_head_of(config: SpanConfig, weights: Mapping[str, Tensor], input_size: int) -> SpanHead | None:
    """The span head among a model's weights, if it has one, ready to read."""
    if not config.max_width:
        return None
    width = weights.get(f"{PREFIX}width")
    if width is None or width.shape != (config.max_width, config.size):  # before anything of such a size is made
        found = "no weights" if width is None else f"weights for {tuple(width.shape)}"
        raise ModelError(
            f"The span head has {found}; its configuration says widths and size ({config.max_width}, {config.size}). "
            "Restore config.toml, or install PeTra or train the model again."
        )
    head = SpanHead(config, input_size)
    try:
        head.load_state_dict(
            {name.removeprefix(PREFIX): value for name, value in weights.items() if name.startswith(PREFIX)}
        )
    except RuntimeError as error:
        raise ModelError(
            f"The weights of the span head do not fit its configuration: {str(error).splitlines()[-1].strip()} "
            "Install PeTra again, or train the model again."
        ) from None
    return head.eval().requires_grad_(False)


def kind_probabilities(scores: Tensor) -> Tensor:
    """The softmax of [0, f] without its first part: (..., 3)."""
    return F.softmax(F.pad(scores, (1, 0)), dim=-1)[..., 1:]


def whole_words(words: NDArray[np.int64], max_width: int) -> NDArray[np.bool_]:
    """Which spans, by first token and width less 1, begin with a word, end with one and lie inside the text: (T, W)."""
    change = np.concatenate([[True], words[1:] != words[:-1], [True]])  # a word begins here
    ends = np.concatenate([change[1:], np.zeros(max_width - 1, dtype=np.bool_)])
    inside: NDArray[np.bool_] = np.lib.stride_tricks.sliding_window_view(ends, max_width) & change[:-1, None]
    return inside
