"""Reader of CoNLL-2012: a token a line, with coreference in the last column.

A text is what stands between ``#begin document (NAME); part 000`` and ``#end document``; an
empty line ends a sentence. The last column opens and closes mentions, ``(3``, ``3)`` and
``(3)``, several parted by ``|``. Every entity is taken for a person: the format does not say
what is one. The format keeps no spaces, so the text is written out as people write.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple, NoReturn

from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.corpora.rows import read_lines
from petra.corpora.running_text import write_out
from petra.english.kinds import kind_of
from petra.errors import DataError

_WORD, _LEAST = 3, 5  # the column of the word, and the columns there are at least
_BEGIN = re.compile(r"#begin document \((?P<name>.*)\)(?:; part (?P<part>\d+))?")
_BRACKET = re.compile(r"(?P<opens>\()?(?P<entity>\d+)(?P<closes>\))?")


class _ConllToken(NamedTuple):
    line: int
    word: str
    brackets: str


def read_conll2012(path: Path) -> tuple[AnnotatedDocument, ...]:
    """The texts of a file."""
    documents: list[AnnotatedDocument] = []
    sentences: list[list[_ConllToken]] | None = None
    name = ""
    for number, line in enumerate(read_lines(path), start=1):
        if line.startswith("#begin document"):
            found = _BEGIN.match(line)
            if found is None or sentences is not None:
                _fail(path, number, "a text begins inside another; expected '#end document' first.")
            name, sentences = f"{found['name']}-{found['part'] or '0'}", [[]]
        elif line.startswith("#end document"):
            if sentences is None:
                _fail(path, number, "a text ends that has not begun.")
            documents.append(_document(path, name, [each for each in sentences if each]))
            sentences = None
        elif line.startswith("#"):
            continue
        elif not line.strip():
            if sentences is not None:
                sentences.append([])
        else:
            columns = line.split()
            if sentences is None:
                _fail(path, number, "a token stands outside a text; expected '#begin document (NAME); part 000' first.")
            if len(columns) < _LEAST:
                _fail(path, number, f"has {len(columns)} columns; expected {_LEAST} or more, coreference last.")
            sentences[-1].append(_ConllToken(number, columns[_WORD], columns[-1]))
    if sentences is not None:
        raise DataError(f"{path.name}: the last text does not end; expected '#end document'.")
    if not documents:
        raise DataError(f"{path.name}: there is no text in it; expected '#begin document (NAME); part 000'.")
    return tuple(documents)


def _document(path: Path, name: str, sentences: list[list[_ConllToken]]) -> AnnotatedDocument:
    running = write_out([[token.word for token in sentence] for sentence in sentences])
    mentions: list[GoldMention] = []
    opened: list[tuple[str, int, int]] = []  # entity, where it starts, the line
    for sentence, places in zip(sentences, running.places, strict=True):
        for token, (start, end) in zip(sentence, places, strict=True):
            for bracket in () if token.brackets in ("-", "_", "*") else token.brackets.split("|"):
                found = _BRACKET.fullmatch(bracket)
                if found is None or not (found["opens"] or found["closes"]):
                    _fail(path, token.line, f"the coreference is {token.brackets!r}; expected (3, 3), (3) or -.")
                if found["opens"]:
                    opened.append((found["entity"], start, token.line))
                if found["closes"]:
                    at = max((at for at, (entity, *_) in enumerate(opened) if entity == found["entity"]), default=None)
                    if at is None:
                        _fail(path, token.line, f"the entity {found['entity']} ends and has not begun.")
                    entity, first, _ = opened.pop(at)
                    mentions.append(GoldMention(first, end, kind_of(running.text[first:end]), entity))
    if opened:
        _fail(path, opened[-1][2], f"the entity {opened[-1][0]} begins and does not end.")
    return AnnotatedDocument(id=name, text=running.text, mentions=tuple(sorted(set(mentions))))


def _fail(path: Path, line: int, problem: str) -> NoReturn:
    raise DataError(f"{path.name}, line {line}: {problem}")
