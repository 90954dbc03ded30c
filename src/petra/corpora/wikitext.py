"""Reader of WikiText-2: articles of an encyclopedia, as running text.

The files hold one paragraph a line, cut into words that blanks part from every mark
(``Vale 's dog , a half @-@ breed``), with headings between equals signs. Reading puts
the words together again as people write them.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from petra.corpora.places import require
from petra.errors import DataError

_TITLE = re.compile(r"= ([^=].*) =")
_HEADING = re.compile(r"=.*=")

# In this order: a hyphen inside a word and marks inside a number come before the marks of a sentence.
_JOINTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r" @([-,.])@(?: |$)"), r"\1"),
    (re.compile(r"(?<=\d) ([–/:]) (?=\d)"), r"\1"),
    (re.compile(r" (?=[,;:!?%)\]}]|\.(?!\w)|\.\.\.|'(?:s|t|m|d|re|ve|ll)\b|’)"), ""),
    (re.compile(r"(?<=[(\[{$£€’]) "), ""),
    (re.compile(r"\b([DLO]) '(?=[A-Z])"), r"\1'"),
    (re.compile(r"(?<=s) ' "), "' "),
)
_QUOTED = re.compile(r'" ([^"]*?) ?"')


@dataclass(frozen=True, kw_only=True, slots=True)
class Article:
    """The paragraphs of one article, without its headings."""

    title: str
    paragraphs: tuple[str, ...]


def read_wikitext(data: Path) -> tuple[Article, ...]:
    """The articles in the data folder, in the order of the files' names and of the files."""
    folder = require(data, "wikitext2")
    files = sorted(folder.rglob("*.raw.gz"))
    if not files:
        raise DataError(f"{folder} holds no .raw.gz file; expected the parts of WikiText-2. Fetch it again.")
    return tuple(article for path in files for article in _articles(_text(path)))


def running_text(line: str) -> str:
    """A line of the corpus as people write it."""
    text = " ".join(line.split())
    text = _QUOTED.sub(r'"\1"', text)
    for joint, replacement in _JOINTS:
        text = joint.sub(replacement, text)
    return text


def _articles(text: str) -> Iterator[Article]:
    title, paragraphs = "", list[str]()
    for line in (line.strip() for line in text.split("\n")):
        if found := _TITLE.fullmatch(line):
            if paragraphs:
                yield Article(title=title, paragraphs=tuple(paragraphs))
            title, paragraphs = running_text(found.group(1)), []
        elif line and not _HEADING.fullmatch(line):
            paragraphs.append(running_text(line))
    if paragraphs:
        yield Article(title=title, paragraphs=tuple(paragraphs))


def _text(path: Path) -> str:
    try:
        return gzip.decompress(path.read_bytes()).decode("utf-8")
    except UnicodeDecodeError:
        raise DataError(f"{path.name} is not UTF-8. Fetch it again.") from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise DataError(f"{path.name} is not a whole gzip file. Fetch it again.") from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}.") from None
