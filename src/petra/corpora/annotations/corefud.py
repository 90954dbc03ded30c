"""Reader of CorefUD: CoNLL-U with entities in the last column, of which the people are read.

The comment ``global.Entity`` names the fields of a bracket, as ``eid-etype-head-other``; of
entities with a type only those of the type ``person`` are read, without types all. The kind of a
mention is given as ``kind:name`` in the field ``other``, or else told by its words.
"""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path
from typing import cast

from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.corpora.conllu import ENTITY_FIELDS, Sentence, read_conllu, running_text
from petra.corpora.gum import people_in
from petra.domain import KINDS, Kind
from petra.english.kinds import kind_of
from petra.errors import DataError

_KIND = re.compile(rf"kind:({'|'.join(KINDS)})")


def read_corefud(path: Path) -> tuple[AnnotatedDocument, ...]:
    """The texts of a file; a comment ``newdoc`` begins each."""
    sentences = read_conllu(path)
    fields = next((each.comments[ENTITY_FIELDS] for each in sentences if ENTITY_FIELDS in each.comments), "")
    names = fields.split("-")
    if names[0] not in ("eid", "GRP"):
        raise DataError(
            f"{path.name}, line 1: the comment {ENTITY_FIELDS} is {fields!r}; expected fields, as eid-etype-head-other."
        )
    type_field = names.index("etype") if "etype" in names else None
    number = 0

    def count(sentence: Sentence) -> int:
        nonlocal number
        number += any(key.startswith("newdoc") for key in sentence.comments)
        return number

    return tuple(
        _document(path, f"{path.stem}-{group}" if group > 1 else path.stem, tuple(own), type_field)
        for group, own in groupby(sentences, key=count)
    )


def _document(path: Path, name: str, sentences: tuple[Sentence, ...], type_field: int | None) -> AnnotatedDocument:
    running = running_text(sentences)
    mentions = set()
    for sentence, places in zip(sentences, running.places, strict=True):
        for first, last, entity, fields in people_in(path, sentence.tokens, type_field):
            start, end = places[first][0], places[last][1]
            given = next(filter(None, map(_KIND.match, fields)), None)
            kind = cast(Kind, given[1]) if given else kind_of(running.text[start:end])
            mentions.add(GoldMention(start, end, kind, entity))
    return AnnotatedDocument(id=name, text=running.text, mentions=tuple(sorted(mentions)))
