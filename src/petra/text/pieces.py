"""Where a long text may be cut without changing its tokens.

Tokenizers look no further than a word: a text cut before the white space that ends a
word has the same tokens as the whole. Only a word longer than the limit is cut through.
"""

from __future__ import annotations

PIECE_LIMIT = 16_384  # characters

# What every tokenizer takes for white space. Others (no-break space, form feed) are
# dropped or kept as letters by some, so that a cut there could split a word.
_WHITE_SPACE = " \t\n\r"


class PieceCutter:
    """Cuts a text that arrives in parts into pieces for the tokenizer.

    The pieces joined are the text. Cuts through a word fall in the same places
    however the text was fed.
    """

    def __init__(self, limit: int = PIECE_LIMIT) -> None:
        self._limit = limit
        self._held = ""  # fed, but not yet in a piece; no safe cut lies in it

    def feed(self, text: str) -> list[str]:
        """The pieces finished by this text, each at most as long as the limit."""
        known = self._held + text
        start, searched, pieces = 0, len(self._held), []
        while (cut := self._next_cut(known, start, searched)) is not None:
            pieces.append(known[start:cut])
            start = searched = cut
        self._held = known[start:]
        return pieces

    def finish(self) -> list[str]:
        """The rest of the text: one piece, or none."""
        rest, self._held = self._held, ""
        return [rest] if rest else []

    def _next_cut(self, text: str, start: int, searched: int) -> int | None:
        """The end of the piece that begins at start, if enough of the text is known."""
        reach = start + self._limit
        for cut in range(min(reach, len(text) - 1), max(start, searched - 1), -1):
            if is_safe_cut(text, cut):
                return cut
        return reach if len(text) > reach else None


def is_safe_cut(text: str, cut: int) -> bool:
    """Whether the text before ``cut`` and the text from it on can be tokenised separately.

    The cut stands before white space, so that a tokenizer that joins a space to the
    following word still sees it there, and after a visible character: what becomes of
    format characters and runs of different spaces depends on their neighbours.
    """
    before = text[cut - 1]
    return text[cut] in _WHITE_SPACE and before != " " and before.isprintable()
