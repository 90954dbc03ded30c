"""Annotated passages as training needs them: the tokens of every mention, who it is of, and all it is compared with.

The memory reads a passage mention by mention, each at its head token, the last word
piece of its head word. Who it is of is known, so all that the reading needs is computed
before: the chain of mentions of each person, what each mention is compared with (the
latest mention of every person before it), and the features of linking for each comparison
and for a new person, by the same code that reading uses.

Letters: L tokens of a passage, K mentions, P comparisons, Q features that are not 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.domain import KINDS
from petra.english.gender import Gender
from petra.english.heads import head_span
from petra.english.names import parse_name
from petra.english.sentences import parse
from petra.linking.context import Context
from petra.linking.cues import Cues, read_cues
from petra.linking.discourse import Discourse
from petra.linking.features import FEATURES, FeatureRow
from petra.linking.profile import SURE
from petra.text.document import Document

Integers = NDArray[np.int64]
FEATURE_NAMES = tuple(FEATURES)  # the order of the weights in training

_NUMBERS = {name: number for number, name in enumerate(FEATURE_NAMES)}
_MOST_SENTENCES = 4  # of a short part
_UNSURE, _MISTAKEN = 15, 3  # per cent of the people whose names tell no gender to the span head, or the other one


class SparseFeatures(NamedTuple):
    """The features of some rows, those that are not 0."""

    row: Integers  # (Q,)
    feature: Integers  # (Q,) place in FEATURE_NAMES
    value: NDArray[np.float32]  # (Q,)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Comparisons:
    """What each mention of a passage is compared with: persons before it, each by its latest mention."""

    mention: Integers  # (P,) the mention
    latest: Integers  # (P,) the latest mention of the person, before it
    distance: Integers  # (P,) tokens from head to head
    is_same: NDArray[np.bool_]  # (P,) whether the mention is of that person
    features: SparseFeatures  # rows are the P comparisons
    new_person: SparseFeatures  # rows are the K mentions


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class AnnotatedPassage:
    """A text as tokens, and the mentions in it, ordered by head."""

    token_ids: Integers  # (L,)
    words: Integers  # (L,)
    first: Integers  # (K,) first token of a mention
    last: Integers  # (K,) last token
    head: Integers  # (K,) head token
    kind: Integers  # (K,) place among KINDS
    person: Integers  # (K,) persons are numbered in order of first mention
    feminine: Integers  # (K,) of a name 1 or 0 by the person's gender; -1 where it is not known, and for other kinds
    is_learned: NDArray[np.bool_]  # (K,) whether the link of a mention is learned from
    comparisons: Comparisons

    def __len__(self) -> int:
        return len(self.token_ids)


def annotated_passage(
    document: Document, annotated: AnnotatedDocument, *, name_gender: bool = False, one_gender: bool = False
) -> AnnotatedPassage:
    """An annotated document with its tokens as a passage. Of mentions that share a head token the shorter stays.

    ``name_gender`` tells whether the span head classifies the gender of names: then most
    names come with their gender. With ``one_gender`` features see everybody as of one gender.
    """
    kept = by_head(document, annotated)
    genders = person_genders(annotated)
    told = genders if name_gender else {}
    comparisons = _comparisons(annotated, *kept, told, one_gender=one_gender)
    return _passage(document, kept, genders, np.ones(len(kept.mentions), np.bool_), comparisons)


def distant_passage(document: Document, annotated: AnnotatedDocument) -> AnnotatedPassage:
    """A document with names and some pronouns marked: the links of its pronouns are learned, without features."""
    kept = by_head(document, annotated)
    is_pronoun = np.array([mention.kind == "pronoun" for mention in kept.mentions])
    return _passage(document, kept, {}, is_pronoun, _bare_comparisons(kept, is_pronoun))


class ByHead(NamedTuple):
    """The mentions of a document, at most one at each head token, ordered by head."""

    mentions: list[GoldMention]
    heads: list[int]
    persons: list[int]  # numbered in order of first mention


class OwnDecision(NamedTuple):
    """What a mention was compared with, and what was decided, which need not be right."""

    person: int  # that the mention was linked to
    candidates: Sequence[int]  # P persons before it
    features: Sequence[FeatureRow]  # of the candidates and of a new person
    right: int | None  # the candidate that is right; None: a new person is
    is_learned: bool


def decided_passage(
    document: Document, annotated: AnnotatedDocument, kept: ByHead, decisions: Sequence[OwnDecision]
) -> AnnotatedPassage:
    """An annotated document in which every mention comes after the decisions of a model and not after right ones."""
    latest: dict[int, int] = {}
    rows: list[tuple[int, int, int, bool]] = []
    for number, (head, decision) in enumerate(zip(kept.heads, decisions, strict=True)):
        for other in decision.candidates:
            rows.append((number, latest[other], head - kept.heads[latest[other]], other == decision.right))
        latest[decision.person] = number
    features = [row for decision in decisions for row in decision.features[:-1]]
    comparisons = _compared(rows, _sparse(features), _sparse([decision.features[-1] for decision in decisions]))
    is_learned = np.array([decision.is_learned for decision in decisions])
    decided = kept._replace(persons=[decision.person for decision in decisions])
    return _passage(document, decided, person_genders(annotated), is_learned, comparisons)


def by_head(document: Document, annotated: AnnotatedDocument) -> ByHead:
    """The mentions of a document by their head tokens; of those that share one the shorter."""
    by_head: dict[int, GoldMention] = {}
    for mention in sorted(annotated.mentions, key=lambda mention: mention.start - mention.end):
        start, end = head_span(annotated.text[mention.start : mention.end])
        by_head[document.tokens_in(mention.start + start, mention.start + end)[-1]] = mention
    heads = sorted(by_head)
    mentions = [by_head[head] for head in heads]
    numbers = {entity: number for number, entity in enumerate(dict.fromkeys(mention.entity for mention in mentions))}
    return ByHead(mentions, heads, [numbers[mention.entity] for mention in mentions])


def _passage(
    document: Document,
    kept: ByHead,
    genders: Mapping[str, Gender],
    is_learned: NDArray[np.bool_],
    comparisons: Comparisons,
) -> AnnotatedPassage:
    mentions, heads, persons = kept
    inside = [document.tokens_in(mention.start, mention.end) for mention in mentions]
    return AnnotatedPassage(
        token_ids=document.token_ids,
        words=document.words,
        first=_integers(tokens[0] for tokens in inside),
        last=_integers(tokens[-1] for tokens in inside),
        head=_integers(heads),
        kind=_integers(KINDS.index(mention.kind) for mention in mentions),
        person=_integers(persons),
        feminine=_integers(_feminine(mention, genders) for mention in mentions),
        is_learned=is_learned,
        comparisons=comparisons,
    )


def person_genders(annotated: AnnotatedDocument) -> dict[str, Gender]:
    """The gender of each person whose pronouns, nouns and titles in the document all tell the same one."""
    by_entity: dict[str, set[Gender | None]] = {}
    for mention in annotated.mentions:
        text = annotated.text[mention.start : mention.end]
        if mention.kind == "name":
            name = parse_name(text)
            found = name.gender if name.has_gendered_title else None
        else:
            found = read_cues(text, mention.kind).gender
        by_entity.setdefault(mention.entity, set()).add(found)
    genders: dict[str, Gender] = {}
    for entity, found_for in by_entity.items():
        known = [gender for gender in found_for if gender is not None]
        if len(known) == 1:
            genders[entity] = known[0]
    return genders


def _feminine(mention: GoldMention, genders: Mapping[str, Gender]) -> int:
    if mention.kind != "name" or mention.entity not in genders:
        return -1
    return int(genders[mention.entity] == "feminine")


def _feminine_log_odds(
    annotated: AnnotatedDocument, mention: GoldMention, genders: Mapping[str, Gender]
) -> float | None:
    """What the span head may take from a name: mostly the person's gender, now and then nothing or the other one."""
    if mention.kind != "name" or mention.entity not in genders:
        return None
    chance = crc32(f"{annotated.id} {mention.entity}".encode()) % 100
    if chance < _UNSURE:
        return None
    told = SURE if genders[mention.entity] == "feminine" else -SURE
    return -told if chance < _UNSURE + _MISTAKEN else told


def _comparisons(
    annotated: AnnotatedDocument,
    mentions: Sequence[GoldMention],
    heads: Sequence[int],
    persons: Sequence[int],
    genders: Mapping[str, Gender],
    *,
    one_gender: bool,
) -> Comparisons:
    """Every mention against the persons before it, with all decisions before it right."""
    context, discourse = Context(), Discourse()
    context.feed(annotated.text)
    context.finish()
    latest: dict[int, int] = {}
    rows: list[tuple[int, int, int, bool]] = []
    features: list[FeatureRow] = []
    new_person: list[FeatureRow] = []
    for number, (mention, person) in enumerate(zip(mentions, persons, strict=True)):
        found = context.of(mention, _feminine_log_odds(annotated, mention, genders))
        if one_gender:
            found = found._replace(cues=_of_one_gender(found.cues))
        people = [
            other
            for other in latest
            if other == person or (other not in found.excludes and discourse.may_be(found.cues, other))
        ]
        *known, new = discourse.features(found, people)
        for other in people:
            rows.append((number, latest[other], heads[number] - heads[latest[other]], other == person))
        features += known
        new_person.append(new)
        discourse.commit(found, person)
        context.commit(mention, person)
        latest[person] = number
    return _compared(rows, _sparse(features), _sparse(new_person))


def _of_one_gender(cues: Cues) -> Cues:
    """The cues of a mention in a text told of men alone."""
    return replace(
        cues,
        gender=None if cues.gender is None else "masculine",
        name_gender=-abs(cues.name_gender),
        pronoun_set="he" if cues.pronoun_set == "she" else cues.pronoun_set,
    )


def _bare_comparisons(kept: ByHead, is_compared: NDArray[np.bool_]) -> Comparisons:
    """Some mentions against everybody before them, without features."""
    latest: dict[int, int] = {}
    rows: list[tuple[int, int, int, bool]] = []
    for number, (head, person) in enumerate(zip(kept.heads, kept.persons, strict=True)):
        if is_compared[number]:
            rows += [(number, before, head - kept.heads[before], other == person) for other, before in latest.items()]
        latest[person] = number
    return _compared(rows, _sparse([]), _sparse([]))


def _compared(
    rows: Sequence[tuple[int, int, int, bool]], features: SparseFeatures, new_person: SparseFeatures
) -> Comparisons:
    columns = np.array(rows, dtype=np.int64).reshape(-1, 4)
    return Comparisons(
        mention=columns[:, 0],
        latest=columns[:, 1],
        distance=columns[:, 2],
        is_same=columns[:, 3].astype(np.bool_),
        features=features,
        new_person=new_person,
    )


def _sparse(rows: Sequence[FeatureRow]) -> SparseFeatures:
    entries = [(row, _NUMBERS[name], value) for row, found in enumerate(rows) for name, value in found.items()]
    return SparseFeatures(
        _integers(entry[0] for entry in entries),
        _integers(entry[1] for entry in entries),
        np.array([entry[2] for entry in entries], dtype=np.float32),
    )


def _integers(values: Iterator[int] | Sequence[int]) -> Integers:
    return np.array([*values], dtype=np.int64)


def long_parts(
    annotated: AnnotatedDocument, most_tokens: int, tokenize: Callable[[str], Document], random: np.random.Generator
) -> Iterator[AnnotatedDocument]:
    """A document in parts of whole sentences, each of at most so many tokens; the first begins at a random place."""
    document = tokenize(annotated.text)
    sentences = parse(annotated.text)
    starts = [sentences.bounds(number, number).start for number in range(len(sentences.sentences))]
    if not starts:
        return
    tokens = np.searchsorted(document.starts, [*starts, len(annotated.text)])  # the first token of each sentence
    first = 0
    if len(document) > most_tokens:  # a short first part, so that the others begin elsewhere the next time
        first = int(random.integers(0, max(1, int(np.searchsorted(tokens, most_tokens // 2)))))
    spans = [(0, first)] if first else []
    while first < len(starts):
        last = max(first + 1, int(np.searchsorted(tokens, tokens[first] + most_tokens, side="right")) - 1)
        spans.append((first, last))
        first = last
    for begin, end in spans:
        stop = starts[end] if end < len(starts) else len(annotated.text)
        yield _part(annotated, starts[begin] if begin else 0, stop)


def short_parts(annotated: AnnotatedDocument, random: np.random.Generator) -> Iterator[AnnotatedDocument]:
    """A document in parts of one to four sentences, without those whose ends cut a mention."""
    sentences = parse(annotated.text)
    first = 0
    while first < len(sentences.sentences):
        last = min(first + int(random.integers(_MOST_SENTENCES)), len(sentences.sentences) - 1)
        start, end = sentences.bounds(first, last)
        crossing = [each for each in annotated.mentions if each.start < start < each.end or each.start < end < each.end]
        if not crossing:
            yield _part(annotated, start, end)
        first = last + 1


def _part(annotated: AnnotatedDocument, start: int, end: int) -> AnnotatedDocument:
    """The characters start..end of a document, and the mentions that lie wholly in them."""
    inside = (mention for mention in annotated.mentions if start <= mention.start and mention.end <= end)
    return AnnotatedDocument(
        id=f"{annotated.id}-{start}",
        text=annotated.text[start:end],
        mentions=tuple(_moved(mention, -start) for mention in inside),
    )


def _moved(mention: GoldMention, by: int) -> GoldMention:
    head = mention.head and (mention.head[0] + by, mention.head[1] + by)
    return mention._replace(start=mention.start + by, end=mention.end + by, head=head)


def previous(passage: AnnotatedPassage) -> Integers:
    """For each mention the one before it of the same person, (K,); -1 for the first of a person."""
    latest: dict[int, int] = {}
    found = np.full(len(passage.head), -1, dtype=np.int64)
    for mention, person in enumerate(passage.person.tolist()):
        found[mention] = latest.get(person, -1)
        latest[person] = mention
    return found
