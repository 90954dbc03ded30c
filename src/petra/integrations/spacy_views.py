"""What PeTra found, seen through spaCy's objects.

``doc._.petra`` holds it as plain values (schema ``petra.tracking/1``), so that it survives
``Doc.to_bytes`` and ``DocBin``. The other attributes are views, made when they are asked
for and by character offsets, so that they stay right when tokens are merged or split:

    doc._.people       everybody, with mentions as spans
    doc._.quotations   what is said, by whom and to whom
    doc._.resolved     the text with pronouns replaced by names
    span._.person      whose mention a span is
    span._.mention     kind, probability and exact characters of a mention
    token._.person     who is mentioned at a token; within nested mentions, by the innermost
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast
from weakref import WeakKeyDictionary

from spacy.tokens import Doc, Span, Token
from spacy.util import filter_spans

from petra.domain import FoundBy, Mention, Person
from petra.errors import ConfigError
from petra.integrations.placed_people import PlacedMention, PlacedPeople, people_of
from petra.people.resolving import resolve
from petra.report.page.notebook import colours_of

DATA = "petra"  # the attribute that holds the plain values
_ENTITY = "PERSON"  # the label that pipelines of spaCy have for people


@dataclass(frozen=True, slots=True)
class PersonInDoc:
    """A person of a Doc."""

    id: int  # from 1, in order of first mention
    name: str
    label: str  # of the spans: the name, with the id if several people have it
    doc: Doc = field(repr=False)
    _found: Person = field(repr=False)

    @property
    def mentions(self) -> tuple[Span, ...]:
        """Where the person is mentioned, in text order."""
        # Made when asked for: a novel has thousands, and every token of it may be asked for its person.
        return tuple(_snapped(mention, self.label, self.doc) for mention in self._found.mentions)


@dataclass(frozen=True, slots=True)
class QuotationInDoc:
    """A quotation of a Doc."""

    span: Span  # from the first part to the last
    parts: tuple[Span, ...]  # several where "said Jane" or a paragraph's end divides it
    speaker: PersonInDoc | None
    addressee: PersonInDoc | None
    found_by: FoundBy
    probability: float


def quotations(doc: Doc) -> tuple[QuotationInDoc, ...]:
    """The quotations of a Doc in text order; none if it has not been read."""
    values = doc._.get(DATA) or {}
    by_id = {person.id: person for person in people(doc)}
    return tuple(
        QuotationInDoc(
            span=_chars(doc, it["start"], it["end"]),
            parts=tuple(_chars(doc, start, end) for start, end in it["parts"]),
            speaker=by_id.get(it["speaker"]),
            addressee=by_id.get(it["addressee"]),
            found_by=it["found_by"],
            probability=it["probability"],
        )
        for it in values.get("quotations", ())
    )


def people(doc: Doc) -> tuple[PersonInDoc, ...]:
    """The people of a Doc in order of first mention; none if it has not been read."""
    placed = _placed(doc)
    return tuple(_seen(person, placed, doc) for person in placed.people)


def spans(doc: Doc) -> list[Span]:
    """The mentions of everybody in text order, each with the label of its person."""
    placed = _placed(doc)
    return [_snapped(place.mention, placed.labels[place.person.id], doc) for place in placed.places]


def with_names(doc: Doc) -> list[Span]:
    """The entities of a Doc with the names of people, labelled PERSON, in place of those that share tokens with them.

    The ``id_`` of such an entity is the label of the person. Of names within names the longest is taken.
    """
    placed = _placed(doc)
    names = filter_spans(
        [
            _snapped(place.mention, _ENTITY, doc, placed.labels[place.person.id])
            for place in placed.places
            if place.mention.kind == "name"
        ]
    )
    taken = {token.i for name in names for token in name}
    others = [entity for entity in doc.ents if taken.isdisjoint(range(entity.start, entity.end))]
    return sorted([*names, *others], key=_bounds)


def displacy_options(doc: Doc, spans_key: str = "petra") -> dict[str, Any]:
    """The options for ``displacy.render(doc, style="span", options=..)``: a colour for each person.

    The twelve people mentioned most often have one each, as in reports, and the others are grey.
    """
    placed = _placed(doc)
    colours = colours_of(placed.people)
    return {"spans_key": spans_key, "colors": {placed.labels[number]: colour for number, colour in colours.items()}}


def resolved(doc: Doc) -> str:
    """The text with pronouns replaced by names (see ``resolving``); where words are tagged, tags say what "her" is."""
    return resolve(doc.text, _placed(doc).people, lambda mention: _is_possessive(mention, doc))


def person_of_span(span: Span) -> PersonInDoc | None:
    """The person that a span is a mention of."""
    place = _place_of_span(span)
    return None if place is None else _seen(place.person, _placed(span.doc), span.doc)


def mention_of_span(span: Span) -> Mention | None:
    """The mention that a span is, with the characters it really has: a span holds whole tokens, and may have more."""
    place = _place_of_span(span)
    return None if place is None else place.mention


def person_of_token(token: Token) -> PersonInDoc | None:
    """The person mentioned at a token; within nested mentions, by the innermost."""
    placed = _placed(token.doc)
    places = placed.sharing(token.idx, token.idx + len(token))
    if not places:
        return None
    innermost = min(places, key=lambda place: place.mention.end - place.mention.start)
    return _seen(innermost.person, placed, token.doc)


def register() -> None:
    """Give spaCy's objects the attributes.

    The component does so itself; a program that only reads stored Docs calls this. An
    attribute of the same name that another package made stays, and an error is raised.
    """
    _check_free(Doc, DATA, None)
    Doc.set_extension(DATA, default=None, force=True)
    getters: tuple[tuple[type[Doc] | type[Span] | type[Token], str, Callable[..., object]], ...] = (
        (Doc, "people", people),
        (Doc, "quotations", quotations),
        (Doc, "resolved", resolved),
        (Span, "person", person_of_span),
        (Span, "mention", mention_of_span),
        (Token, "person", person_of_token),
    )
    for kind, name, getter in getters:
        _check_free(kind, name, getter)
        kind.set_extension(name, getter=getter, force=True)


# Found people by their Doc, so that asking every token of a novel takes no time. They hold
# no spaCy object: a Span would keep its Doc alive.
_KNOWN: WeakKeyDictionary[Doc, tuple[Mapping[str, Any], PlacedPeople]] = WeakKeyDictionary()


def _placed(doc: Doc) -> PlacedPeople:
    values = doc._.get(DATA)
    if values is None:
        return PlacedPeople.of(())
    known = _KNOWN.get(doc)
    if known is None or known[0] is not values:
        known = _KNOWN[doc] = (values, PlacedPeople.of(people_of(values, doc.text)))
    return known[1]


def _place_of_span(span: Span) -> PlacedMention | None:
    """The mention at exactly the tokens of a span; of several, the one of the person that the label gives."""
    placed = _placed(span.doc)
    found = [
        place
        for place in placed.sharing(span.start_char, span.end_char)
        if _bounds(_chars(span.doc, place.mention.start, place.mention.end)) == _bounds(span)
    ]
    labelled = [place for place in found if placed.labels[place.person.id] in (span.label_, span.id_)]
    return next(iter(labelled or found), None)


def _seen(person: Person, placed: PlacedPeople, doc: Doc) -> PersonInDoc:
    return PersonInDoc(person.id, person.name, placed.labels[person.id], doc, person)


def _snapped(mention: Mention, label: str, doc: Doc, span_id: str = "") -> Span:
    """The tokens that have a part in a mention. There are some: its offsets lie within the text."""
    span = doc.char_span(mention.start, mention.end, label=label, span_id=span_id, alignment_mode="expand")
    return cast(Span, span)


def _chars(doc: Doc, start: int, end: int) -> Span:
    """The tokens that have a part in a range of characters."""
    return cast(Span, doc.char_span(start, end, alignment_mode="expand"))


def _bounds(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _is_possessive(mention: Mention, doc: Doc) -> bool | None:
    token = cast(Span, doc.char_span(mention.start, mention.end, alignment_mode="expand"))[0]
    if token.tag_:
        return token.tag_ == "PRP$"
    return "Yes" in token.morph.get("Poss", []) if token.has_morph() else None


def _check_free(kind: type[Doc] | type[Span] | type[Token], name: str, getter: Callable[..., object] | None) -> None:
    """Refuse to take the place of another package's attribute; our own may be set again, as on a reload."""
    if not kind.has_extension(name):
        return
    other = kind.get_extension(name)[2]
    if getattr(other, "__module__", None) != getattr(getter, "__module__", None):
        raise ConfigError(
            f"{kind.__name__}._.{name} exists already and is not PeTra's. Use one of the two in this process, or "
            f"remove the other with {kind.__name__}.remove_extension({name!r}) before petra is added."
        )
