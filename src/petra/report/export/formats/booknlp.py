"""The files of BookNLP: ``.tokens``, ``.entities``, ``.quotes`` and ``.book``.

Columns are BookNLP's, so that programs made for it read them. PeTra parses no sentences:
in ``.tokens`` the columns for parts of speech and syntax hold "_", and in ``.book`` the
lists of what people do, own and are like are empty. Offsets of tokens are characters of the text.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from petra.domain import Kind, Mention, Person, Quotation
from petra.report.export.format import ExportOptions, Files, Format
from petra.report.export.layout import Layout, lay_out
from petra.report.export.names import one_line
from petra.report.export.tracked import TrackedText

_PROPS: dict[Kind, str] = {"name": "PROP", "nominal": "NOM", "pronoun": "PRON"}
_GROUPS: dict[Kind, str] = {"name": "proper", "nominal": "common", "pronoun": "pronoun"}
_TOKENS = (
    *("paragraph_ID", "sentence_ID", "token_ID_within_sentence", "token_ID_within_document", "word", "lemma"),
    *("byte_onset", "byte_offset", "POS_tag", "fine_POS_tag", "dependency_relation", "syntactic_head_ID", "event"),
)
_ENTITIES = ("COREF", "start_token", "end_token", "prop", "cat", "text")
_QUOTES = ("quote_start", "quote_end", "mention_start", "mention_end", "mention_phrase", "char_id", "quote")


def _files(tracked: TrackedText, _: ExportOptions) -> Files:
    layout = lay_out(tracked)
    return {
        ".entities": _table(_ENTITIES, _entities(layout)),
        ".quotes": _table(_QUOTES, _quotes(tracked, layout)),
        ".tokens": _table(_TOKENS, _tokens(layout)),
        ".book": json.dumps({"characters": list(map(_character, _by_mentions(tracked.people)))}, ensure_ascii=False),
    }


def _table(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    return "".join("\t".join(map(str, row)) + "\n" for row in [columns, *rows])


def _tokens(layout: Layout) -> Iterator[tuple[object, ...]]:
    for number, sentence in enumerate(layout.sentences):
        for position, token in enumerate(sentence):
            start, end = layout.tokens[token]
            word = layout.word(token)
            yield (
                *(layout.paragraphs[number], number, position, token, word, "_"),
                *(start, end, "_", "_", "_", token, "O"),
            )


def _entities(layout: Layout) -> Iterator[tuple[object, ...]]:
    for it in layout.mentions:
        yield it.person.id, it.tokens[0], it.tokens[-1], _PROPS[it.mention.kind], "PER", layout.words(it.tokens)


def _quotes(tracked: TrackedText, layout: Layout) -> Iterator[tuple[object, ...]]:
    """A row for each part of a quotation; BookNLP takes what an interruption divides for two."""
    starts = {person.id: [mention.start for mention in person.mentions] for person in tracked.people}
    people = {person.id: person for person in tracked.people}
    for quotation in tracked.quotations:
        who: tuple[object, object, object] = (None, None, None)
        if quotation.speaker is not None:
            mention = _nearest(people[quotation.speaker].mentions, starts[quotation.speaker], quotation)
            tokens = layout.tokens_in(mention.start, mention.end)
            who = (tokens[0], tokens[-1], layout.words(tokens)) if tokens else who
        for start, end in quotation.parts:
            said = layout.tokens_in(start, end)
            if said:
                yield said[0], said[-1], *who, quotation.speaker, layout.words(said)


def _nearest(mentions: Sequence[Mention], starts: Sequence[int], quotation: Quotation) -> Mention:
    """The mention of a speaker nearest to a quotation: outside of its parts, if there is one there."""

    def distance(mention: Mention) -> tuple[bool, int]:
        inside = any(start < mention.end and mention.start < end for start, end in quotation.parts)
        return inside, min(max(start - mention.end, mention.start - end) for start, end in quotation.parts)

    places: set[int] = set()
    for start, end in quotation.parts:
        places.update((bisect_left(starts, start) - 1, bisect_left(starts, end)))
    beside = [mentions[place] for place in sorted(places) if 0 <= place < len(mentions)]
    return min(beside or mentions, key=distance)


def _by_mentions(people: Iterable[Person]) -> list[Person]:
    return sorted(people, key=lambda person: (-len(person.mentions), person.id))


def _character(person: Person) -> dict[str, object]:
    counts: dict[Kind, Counter[str]] = {kind: Counter() for kind in _GROUPS}
    for mention in person.mentions:
        counts[mention.kind][one_line(mention.text)] += 1
    return {
        **{role: [] for role in ("agent", "patient", "mod", "poss")},
        "id": person.id,
        "g": None,
        "count": len(person.mentions),
        "mentions": {
            group: [{"c": count, "n": words} for words, count in counts[kind].most_common()]
            for kind, group in _GROUPS.items()
        },
    }


FORMAT = Format(about="the files of BookNLP: .entities, .quotes, .tokens and .book", files=_files)
