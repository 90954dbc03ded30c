"""Reader of unlabelled texts: ``text/NAME.jsonl.gz``, a JSON object with title and text on every line."""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path

from petra.corpora.places import require
from petra.corpora.wikitext import Article
from petra.errors import DataError


def read_texts(data: Path, name: str) -> tuple[Article, ...]:
    """The texts of one collection as articles, in the order of its file."""
    return tuple(_article(title, text) for title, text in titled_texts(data, name))


def titled_texts(data: Path, name: str) -> list[tuple[str, str]]:
    """The title and the text as it is written of everything in one collection, in the order of its file."""
    path = require(data, f"text/{name}.jsonl.gz")
    try:
        lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
    except (EOFError, zlib.error, gzip.BadGzipFile, UnicodeDecodeError):
        raise DataError(f"{path.name} is not a whole gzip file of UTF-8 text. Fetch it again.") from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}.") from None
    return [_titled(path.name, number, line) for number, line in enumerate(lines, start=1)]


def _titled(file: str, number: int, line: str) -> tuple[str, str]:
    try:
        value = json.loads(line)
        return str(value["title"]), str(value["text"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DataError(f"{file}, line {number}: expected a JSON object with title and text. Fetch it again.") from None


def _article(title: str, text: str) -> Article:
    paragraphs = (" ".join(paragraph.split()) for paragraph in text.split("\n\n"))
    return Article(title=title, paragraphs=tuple(filter(None, paragraphs)))
