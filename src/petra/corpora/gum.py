"""Reader of GUM: texts of many genres in which every mention of a person is marked.

A document is ``dep/ID.conllu``. The key ``Entity`` of its last column opens and closes
mentions, as ``(12-person-new-..`` and ``12)``; the fields between the hyphens are named
by the comment ``global.Entity``. Only people are read here, groups of people among them.
``splits.md`` lists the documents of each part but training, under a heading. See
docs/gum.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, NoReturn

from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.corpora.conllu import ENTITY_FIELDS, Sentence, Token, read_conllu, running_text
from petra.corpora.places import require
from petra.corpora.rows import read_lines
from petra.domain import Kind
from petra.english.heads import head_span
from petra.errors import DataError

GumSplit = Literal["train", "dev"]

_PERSON = "person"
_ID = re.compile(r"GUM_(?P<genre>[^\W_]+)_\w+")
_BRACKET = re.compile(r"\((?P<opened>[^()]+)(?P<at_once>\))?|(?P<closed>[^()]+)\)")
_LATER_PART = re.compile(r"\[(?!1/)\d+/\d+\]$")  # of a discontinuous mention: 12[2/3]

_PRONOUNS = frozenset(("PRP", "PRP$", "WP", "WP$", "DT"))
_NAMES = frozenset(("NNP", "NNPS"))
_POSSESSIVE_ENDING = "POS"


class Bracketed(NamedTuple):
    """Tokens of a sentence from an opening bracket to its closing one."""

    first: int
    last: int
    entity: str
    fields: tuple[str, ...]  # of the opening bracket, after the entity


def read_gum(data: Path, split: GumSplit) -> tuple[AnnotatedDocument, ...]:
    """The documents of a part, by name. What no list of another part names is to train on."""
    listed = listed_parts(require(data, "gum/splits.md"))
    folder = require(data, "gum/dep")
    if split == "train":
        elsewhere = {name for part, names in listed.items() if part != split for name in names}
        names = sorted(path.stem for path in folder.glob("*.conllu") if path.stem not in elsewhere)
    else:
        names = sorted(listed.get(split, ()))
    if not names:
        raise DataError(f"gum/splits.md leaves no document for the part {split!r}. Fetch GUM again.")
    return tuple(read_gum_file(require(data, f"gum/dep/{name}.conllu")) for name in names)


def listed_parts(splits: Path) -> dict[str, tuple[str, ...]]:
    """The documents that ``splits.md`` lists under the heading of each part."""
    parts: dict[str, list[str]] = {}
    names: list[str] = []
    for line in read_lines(splits):
        if line.startswith("## "):
            names = parts.setdefault(line.removeprefix("## ").strip(), [])
        elif line.strip().startswith("*"):
            names.append(line.strip().removeprefix("*").strip())
    return {part: tuple(names) for part, names in parts.items()}


def genre_of(document_id: str) -> str:
    """The genre of a document: ``bio`` of ``GUM_bio_byron``."""
    found = _ID.fullmatch(document_id)
    if found is None:
        raise DataError(f"The document is called {document_id!r}; expected GUM_GENRE_NAME. Fetch GUM again.")
    return found["genre"]


def read_gum_file(path: Path) -> AnnotatedDocument:
    """The document of one file, with the head word of every mention."""
    sentences = read_conllu(path)
    running = running_text(sentences)
    type_field = _type_field(path, sentences[0])
    mentions: list[GoldMention] = []
    for sentence, places in zip(sentences, running.places, strict=True):
        for first, last, entity, _ in people_in(path, sentence.tokens, type_field):
            start, end = places[first][0], places[last][1]
            head, kind = _head(sentence.tokens, places, running.text, first, last)
            mentions.append(GoldMention(start, end, kind, entity, head))
    return AnnotatedDocument(id=path.stem, text=running.text, mentions=tuple(sorted(mentions)))


def _type_field(path: Path, first: Sentence) -> int:
    """Which field of a bracket holds the type of entity."""
    fields = first.comments.get(ENTITY_FIELDS, "").split("-")
    if fields[0] != "GRP" or "etype" not in fields:
        raise DataError(
            f"{path.name}: the comment {ENTITY_FIELDS} is {'-'.join(fields)!r}; expected GRP first and etype among the "
            "fields, as GRP-etype-infstat. Fetch GUM again."
        )
    return fields.index("etype")


def people_in(path: Path, tokens: Sequence[Token], type_field: int | None) -> Iterator[Bracketed]:
    """The mentions of people in a sentence.

    A mention in several parts is taken for its first part. A possessive ending is no
    part of a mention. Without a field for the type of entity, all of them are people.
    """
    opened: list[tuple[int, str, tuple[str, ...]]] = []  # first token, name in the closing bracket, fields
    for place, token in enumerate(tokens):
        for bracket in _BRACKET.finditer(token.misc.get("Entity", "")):
            if bracket["closed"] is None:
                name, *fields = bracket["opened"].split("-")
                if type_field is not None and len(fields) < type_field:
                    _fail(path, token, f"the bracket {bracket.group()!r} has no type of entity; expected one.")
                opened.append((place, name, tuple(fields)))
            name = bracket["closed"] or name
            if bracket["at_once"] or bracket["closed"]:
                at = max((at for at, (_, known, _) in enumerate(opened) if known == name), default=None)
                if at is None:
                    _fail(path, token, f"the entity {name} ends and has not begun in the sentence.")
                first, _, found = opened.pop(at)
                is_person = type_field is None or found[type_field - 1] == _PERSON
                if is_person and not _LATER_PART.search(name):
                    last = place - (place > first and token.tag == _POSSESSIVE_ENDING)
                    yield Bracketed(first, last, name.partition("[")[0], found)
    if opened:
        first, name, _ = opened[-1]
        _fail(path, tokens[first], f"the entity {name} begins and does not end in the sentence.")


def _head(
    tokens: Sequence[Token], places: Sequence[tuple[int, int]], text: str, first: int, last: int
) -> tuple[tuple[int, int], Kind]:
    """Where the head word of a mention stands in the text, and the kind that follows from it.

    The head is the token that depends on one outside the mention. The dependencies have
    the first word of a name for its head and the first of several people joined; here it
    is the last word of the name but for suffixes and the word that joins, as in
    ``petra.english.heads``, which also decides where no single token depends on one outside.
    """
    inside = range(first, last + 1)
    roots = [place for place in inside if tokens[place].head not in inside]
    words = range(first, last + 1)
    if len(roots) == 1:
        [root] = roots
        conjuncts = [place for place in inside if tokens[place].head == root and tokens[place].relation == "conj"]
        for place in inside:
            if tokens[place].head in conjuncts and tokens[place].relation.startswith("cc"):
                return places[place], _kind(tokens[root].tag)
        words = range(root, _end_of_name(tokens, root, inside) + 1)
    if len(words) == 1:
        return places[words[0]], _kind(tokens[words[0]].tag)
    begin = places[words[0]][0]
    start, end = head_span(text[begin : places[words[-1]][1]])
    head = (begin + start, begin + end)
    tag = next(tokens[place].tag for place in words if places[place][1] > head[0])
    return head, _kind(tag)


def _end_of_name(tokens: Sequence[Token], root: int, inside: range) -> int:
    """The last word of a name that begins at a token; the token itself where it begins none."""
    name = {root}
    for place in inside:
        if tokens[place].head in name and tokens[place].relation.startswith("flat"):
            name.add(place)
    return max(name)


def _kind(tag: str) -> Kind:
    return "pronoun" if tag in _PRONOUNS else "name" if tag in _NAMES else "nominal"


def _fail(path: Path, token: Token, problem: str) -> NoReturn:
    raise DataError(f"{path.name}, line {token.line}: {problem} Correct it, or fetch the corpus again.")
