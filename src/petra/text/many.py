"""Many texts: each checked to be one, and what is read of them counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from petra.runtime.progress import Report
from petra.text.document import Document


def checked(texts: Iterable[str]) -> Iterator[str]:
    """The texts; one that is no str, such as the NaN of an empty cell of a table, is named by its row.

    Of a list or a column all are looked at before the first is given out.
    """
    if isinstance(texts, str):
        raise TypeError("Several texts were expected, and one came. Give a list of texts, or use Tracker.track.")
    if hasattr(texts, "__getitem__"):  # a list, a column of a table; not what is read as it is needed
        for _ in _each(texts):
            pass
    return _each(texts)


def _each(texts: Iterable[str]) -> Iterator[str]:
    for row, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(
                f"Row {row} of the texts, counted from 0, is {text!r:.40} ({type(text).__name__}), and a str was "
                "expected. Leave out the rows that have no text, or put an empty one there."
            )
        yield text


class Counted:
    """Counts the tokens of texts as they are taken and read, and reports both sums."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._taken = 0
        self._read = 0  # of texts that are read whole

    def take(self, document: Document) -> None:
        """Count a text that is taken to be read."""
        self._taken += len(document)
        self._report(self._read, self._taken)

    def within(self, document: Document) -> Report:
        """What to report to while a text is read."""
        before = self._read
        self._read += len(document)
        return lambda done, _: self._report(before + done, self._taken)
