"""The memory log: what the memory decided on each token of a text, and the mentions of the people found.

Letters: T tokens, N cells.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from petra.errors import LogError
from petra.log.edits import Edit
from petra.log.links import Links
from petra.log.mentions import LogMentions
from petra.log.quotations import LogQuotations

ReadBy = Literal["token", "mention"]

# Shares of float32 softmaxes add up to 1 only nearly.
_ROUNDING = 1e-4


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class MemoryLog:
    """The reading of one text: its tokens and the gates of every cell.

    It holds NumPy arrays and text only, so that people, reports and pictures can be made
    from a stored log on a machine without a model. The mentions are those of the people
    that tracking found; people, reports and pictures of the log show the same people.
    """

    text: str
    model: str  # name of the model that read the text
    threshold: float  # the least probability of a decision that counted when people were found
    starts: NDArray[np.int64]  # (T,) half-open character ranges of the tokens
    ends: NDArray[np.int64]  # (T,)
    words: NDArray[np.int64]  # (T,) number of the token's word
    mention_prob: NDArray[np.float32]  # e_t    (T,)
    coref_prob: NDArray[np.float32]  # c_t^i  (T, N)
    overwrite_prob: NDArray[np.float32]  # o_t^i  (T, N)
    usage: NDArray[np.float32]  # u_t^i  (T, N), after reading token t
    read_by: ReadBy = "token"  # what one decision is on
    mentions: LogMentions | None = None  # of the people found; None where only the gates were asked for
    quotations: LogQuotations | None = None  # with mentions of their speakers; None where nobody looked for them
    edits: tuple[Edit, ...] = ()  # corrections of the people found, in the order they were made
    _links: Links | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.coref_prob.ndim != 2 or self.coref_prob.shape[1] < 1:
            raise LogError(
                f"coref_prob has the shape {self.coref_prob.shape}; expected one row per token "
                "and one column per cell, at least one."
            )
        tokens, cells = self.num_tokens, self.num_cells
        for name in ("starts", "ends", "words"):
            _check_array(name, getattr(self, name), np.int64, (tokens,))
        _check_array("mention_prob", self.mention_prob, np.float32, (tokens,))
        for name in ("coref_prob", "overwrite_prob", "usage"):
            _check_array(name, getattr(self, name), np.float32, (tokens, cells))
        for name in ("mention_prob", "coref_prob", "overwrite_prob", "usage"):
            _check_probabilities(name, getattr(self, name))
        if not 0 <= self.threshold <= 1:
            raise LogError(f"The threshold of the log is {self.threshold}; it lies between 0 and 1.")
        self._check_offsets()
        if self.mentions is not None:
            self.mentions.check(characters=len(self.text), tokens=self.num_tokens)
        elif self.read_by == "mention":
            raise LogError("The log was read mention by mention and holds no mentions. Write it again.")
        if self.quotations is not None and self.mentions is not None:
            self.quotations.check(characters=len(self.text), mentions=len(self.mentions))

    @property
    def num_tokens(self) -> int:
        return len(self.starts)

    @property
    def num_cells(self) -> int:
        return int(self.coref_prob.shape[1])

    @property
    def links(self) -> Links:
        """The links between tokens; its running sums are made on first use and kept."""
        if self._links is None:
            object.__setattr__(self, "_links", Links(self.coref_prob, self.overwrite_prob))
        assert self._links is not None
        return self._links

    def tokens_in(self, start: int, end: int) -> range:
        """The tokens that overlap the characters start..end."""
        first = int(np.searchsorted(self.ends, start, side="right"))
        last = int(np.searchsorted(self.starts, end, side="left"))
        return range(first, max(first, last))

    def link_probability(self, first: tuple[int, int], second: tuple[int, int]) -> float:
        """P_CL of two character spans: the largest over their token pairs.

        The spans may come in either order; the earlier token of a pair is the paper's t_1.
        """
        return self.links.between_spans(self._tokens_of(first), self._tokens_of(second))

    def _tokens_of(self, span: tuple[int, int]) -> range:
        start, end = span
        if not 0 <= start < end <= len(self.text):
            raise LogError(
                f"The span {start}..{end} is not a part of the text; expected 0 <= start < end <= {len(self.text)} "
                "(characters, the end not included)."
            )
        tokens = self.tokens_in(start, end)
        if not tokens:
            raise LogError(
                f"The span {start}..{end} ({self.text[start:end]!r:.60}) covers no token; "
                "give one that covers a word of the text."
            )
        return tokens

    def _check_offsets(self) -> None:
        if not self.num_tokens:
            return
        ordered = all((np.diff(values) >= 0).all() for values in (self.starts, self.ends, self.words))
        inside = self.starts[0] >= 0 and self.ends[-1] <= len(self.text) and (self.starts <= self.ends).all()
        if not (ordered and inside):
            raise LogError(
                f"The tokens of the log do not follow each other inside its text ({len(self.text)} characters); "
                "starts, ends and words must not fall, and lie within the text."
            )


def _check_array(name: str, array: NDArray[Any], dtype: type[np.generic], shape: tuple[int, ...]) -> None:
    if array.dtype != dtype or array.shape != shape:
        raise LogError(
            f"{name} is {array.dtype} of shape {array.shape}; "
            f"expected {np.dtype(dtype)} of shape {shape}, as the log's other arrays have it."
        )


def _check_probabilities(name: str, array: NDArray[np.float32]) -> None:
    # Written so that a nan, which compares false with everything, fails too.
    if array.size and not (array.min() >= 0 and array.max() <= 1 + _ROUNDING):
        raise LogError(
            f"{name} has values from {array.min()} to {array.max()}; probabilities lie between 0 and 1. "
            "The model that read the text may be damaged."
        )
