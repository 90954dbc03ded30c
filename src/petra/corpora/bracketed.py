"""Reader of bracketed texts: mentions of people marked in the text itself.

    # Lines before the first text are remarks.

    @ 1: gender, nominal
    [Mary]1 told [[her]1 husband]2 that [he]2 was late.

A file holds texts. Each begins with a line ``@ ID`` or ``@ ID: TAG, TAG``; what follows
up to the next one is the text, without blank lines at its ends. A mention stands in
brackets with the number of its person at once after them, and mentions may nest. Its kind
is told by rule (``kind_of``); where the rule is wrong the kind is written after the
number, ``[Organisers]3/nominal``. Brackets have no other use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, NoReturn

from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.corpora.rows import read_lines
from petra.domain import KINDS, Kind
from petra.errors import DataError

_HEADING = re.compile(r"@ (?P<id>[\w-]+)(?:: (?P<tags>[\w-]+(?:, [\w-]+)*))?")
_BRACKET = re.compile(r"\[|\](?P<entity>\d*)(?:/(?P<kind>\w+))?")
_WORD = re.compile(r"[^\W_]+")


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Personal, possessive and reflexive, with the neopronouns xe, ze, ey, fae and ve.
ANNOTATED_PRONOUNS = _listed("""
    i me my mine myself we us our ours ourselves you your yours yourself yourselves
    he him his himself she her hers herself they them their theirs themselves themself
    xe xem xyr xyrs xemself ze zir zirs zirself hir hirs hirself ey em eir eirs emself
    fae faer faers faerself ve ver vis verself
    """)
# A mention that opens with one of these is nominal, whatever names are in it: "a man called Galli".
_DETERMINERS = _listed("""
    a an the this that these those some any every each no all both either neither another several many few
    two three four five six seven eight nine ten
    somebody someone anybody anyone everybody everyone nobody
    """)


@dataclass(frozen=True, kw_only=True, slots=True)
class TaggedDocument:
    """An annotated text and the tags of its heading."""

    document: AnnotatedDocument
    tags: tuple[str, ...]


class _BracketedLine(NamedTuple):
    """A line of a file, numbered from 1."""

    file: str
    number: int
    text: str

    def fail(self, problem: str) -> NoReturn:
        raise DataError(f"{self.file}, line {self.number}: {problem}")


class _Opened(NamedTuple):
    """A mention that is not closed yet."""

    line: _BracketedLine
    start: int  # in the text without brackets
    inside: list[tuple[int, int]]  # the mentions nested in it, without those nested in these


def read_bracketed(path: Path) -> tuple[TaggedDocument, ...]:
    """The texts of a file, in its order."""
    lines = [_BracketedLine(path.name, number, text) for number, text in enumerate(read_lines(path), start=1)]
    begins = [at for at, line in enumerate(lines) if line.text.startswith("@")]
    for line in lines[: begins[0] if begins else None]:
        if line.text.strip() and not line.text.startswith("#"):
            line.fail(f"{line.text[:40]!r} stands before the first text; expected a remark '# ..' or '@ ID: TAGS'.")
    if not begins:
        raise DataError(f"{path.name} has no text; expected a line '@ ID: TAGS' and a text after it.")
    heading_of: dict[str, _BracketedLine] = {}
    found: list[TaggedDocument] = []
    for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        tagged = _read_text(lines[begin], lines[begin + 1 : end])
        first = heading_of.setdefault(tagged.document.id, lines[begin])
        if first is not lines[begin]:
            lines[begin].fail(
                f"the ID {tagged.document.id!r} stands in line {first.number} already; expected each once."
            )
        found.append(tagged)
    return tuple(found)


def kind_of(words: str, own_words: str) -> Kind:
    """The kind of a mention, given its words and those of them outside the mentions nested in it.

    A listed pronoun is one. What opens with a determiner is nominal. Of the rest a mention
    is a name if a word of its own has a capital, "her friend Ruth", and else nominal,
    "Ruth's friend", as are people named together, "Ruth and Tom".
    """
    if words.lower() in ANNOTATED_PRONOUNS:
        return "pronoun"
    opening = _WORD.match(words)
    if opening is not None and opening.group().lower() in _DETERMINERS:
        return "nominal"
    return "name" if any(word[0].isupper() for word in _WORD.findall(own_words)) else "nominal"


def _read_text(heading: _BracketedLine, lines: list[_BracketedLine]) -> TaggedDocument:
    match = _HEADING.fullmatch(heading.text)
    if match is None:
        heading.fail(f"{heading.text!r} is no heading of a text; expected '@ ID' or '@ ID: TAG, TAG'.")
    filled = [at for at, line in enumerate(lines) if line.text.strip()]
    if not filled:
        heading.fail(f"no text follows {heading.text!r}; expected one.")
    text, mentions = _unbracketed(lines[filled[0] : filled[-1] + 1])
    document = AnnotatedDocument(id=match["id"], text=text, mentions=tuple(sorted(mentions)))
    return TaggedDocument(document=document, tags=tuple((match["tags"] or "").split(", ")) if match["tags"] else ())


def _unbracketed(lines: list[_BracketedLine]) -> tuple[str, list[GoldMention]]:
    """The text without its brackets, and the mentions that they marked."""
    text = ""
    mentions: list[GoldMention] = []
    opened: list[_Opened] = []
    for line in lines:
        text += "\n" if text else ""
        place = 0
        for bracket in _BRACKET.finditer(line.text):
            text += line.text[place : bracket.start()]
            place = bracket.end()
            if bracket.group() == "[":
                opened.append(_Opened(line, len(text), []))
            else:
                mentions.append(_closed(line, bracket, text, opened, mentions))
        text += line.text[place:]
    for mention in opened[:1]:
        mention.line.fail(
            f"the mention {text[mention.start :][:40]!r} is not closed; expected ']' and a number after it."
        )
    return text, mentions


def _closed(
    line: _BracketedLine, bracket: re.Match[str], text: str, opened: list[_Opened], mentions: list[GoldMention]
) -> GoldMention:
    """The mention that a bracket closes at the end of the text so far."""
    if not opened:
        line.fail(f"{bracket.group()!r} closes no mention; expected '[' before it.")
    start, end, inside = opened[-1].start, len(text), opened.pop().inside
    words = text[start:end]
    if not words.strip() or words != words.strip():
        line.fail(f"the mention {words!r} is empty or has white space at its ends; expected words alone.")
    if not bracket["entity"]:
        line.fail(f"no number follows '[{words}]'; expected that of the person, as in '[{words}]1'.")
    if (start, end) in ((it.start, it.end) for it in mentions):
        line.fail(f"{words!r} is marked twice; expected each mention once.")
    own_words = " ".join(_outside(text, start, end, inside))
    kind = next((kind for kind in KINDS if kind == bracket["kind"]), None)
    if bracket["kind"] and kind is None:
        line.fail(f"the kind of {words!r} is {bracket['kind']!r}; expected one of {', '.join(KINDS)}.")
    if opened:
        opened[-1].inside.append((start, end))
    return GoldMention(start, end, kind or kind_of(words, own_words), bracket["entity"])


def _outside(text: str, start: int, end: int, inside: list[tuple[int, int]]) -> Iterator[str]:
    for nested_start, nested_end in inside:
        yield text[start:nested_start]
        start = nested_end
    yield text[start:end]
