"""A spaCy pipeline component that finds the people of a text.

``nlp.add_pipe("petra")`` needs no import: spaCy finds the component by its entry point.
``spacy_views`` defines what it adds to a Doc and its spans and tokens. spaCy imports this
module with every pipeline, so it is light, and adds nothing before the component is used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from petra.errors import DataError
from petra.integrations.readings import ReadingSettings

try:
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.util import raise_error
except ModuleNotFoundError as error:
    raise ImportError(f"The component needs spaCy ({error}). Install it with: pip install 'petra[spacy]'") from None

from petra.integrations.spacy_views import DATA, PersonInDoc, displacy_options, register, spans, with_names

if TYPE_CHECKING:
    from petra.tracker import Tracker, Tracking

__all__ = ["PersonInDoc", "PetraComponent", "displacy_options", "make_petra", "register"]

SCHEMA = "petra.spacy/1"
_FILE = "petra.json"
ErrorHandler = Callable[[str, "PetraComponent", list[Doc], Exception], object]


class PetraComponent:
    """Finds the people of each Doc.

    It is stored and sent to other processes by what it reads with, a model's name and
    settings; the model is loaded where it is needed.
    """

    def __init__(self, name: str, reading: ReadingSettings, spans_key: str, ents: bool = False) -> None:
        register()
        self.name = name
        self.reading = reading
        self.spans_key = spans_key
        self.ents = ents  # whether names of people become entities of the Doc
        self._tracker: Tracker | None = None
        self._error_handler: ErrorHandler = raise_error

    def load(self) -> Tracker:
        """The tracker that reads the texts, loaded on first use."""
        if self._tracker is None:
            self._tracker = self.reading.load()
        return self._tracker

    def __call__(self, doc: Doc) -> Doc:
        return self._annotated(doc, self.reading.track(self.load(), doc.text))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Each Doc of a stream, in order; texts are encoded together. A Doc that fails goes to the error handler."""
        coming = iter(stream)
        while docs := list(islice(coming, batch_size)):
            found = self.reading.track_each(self.load(), [doc.text for doc in docs])
            for doc, tracking in zip(docs, found, strict=True):
                if isinstance(tracking, Exception):
                    self._error_handler(self.name, self, [doc], tracking)
                else:
                    yield self._annotated(doc, tracking)

    def set_error_handler(self, error_handler: ErrorHandler) -> None:
        self._error_handler = error_handler

    def get_error_handler(self) -> ErrorHandler:
        return self._error_handler

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:  # noqa: ARG002  what spaCy gives has no part here
        """What the component reads with: a few settings, no weights, and not the device, which is this machine's."""
        settings = asdict(self.reading) | {"spans_key": self.spans_key, "ents": self.ents}
        del settings["device"]
        return json.dumps({"schema": SCHEMA, **settings}).encode()

    def from_bytes(self, content: bytes, *, exclude: Iterable[str] = ()) -> PetraComponent:  # noqa: ARG002
        """Read from now on as the stored component did; the model is loaded when the next text comes."""
        values = json.loads(content)
        if values.get("schema") != SCHEMA:
            raise DataError(f"Found a component of the schema {values.get('schema')!r}; this PeTra reads {SCHEMA!r}.")
        stored = {name: values[name] for name in ("model", "cells", "threshold")}
        reading = replace(self.reading, **stored)
        if reading != self.reading:
            self.reading, self._tracker = reading, None
        self.spans_key = values["spans_key"]
        self.ents = values.get("ents", False)
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _FILE).write_bytes(self.to_bytes(exclude=exclude))

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> PetraComponent:
        return self.from_bytes((Path(path) / _FILE).read_bytes(), exclude=exclude)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_tracker": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        register()
        self.__dict__.update(state)

    def _annotated(self, doc: Doc, tracking: Tracking) -> Doc:
        doc._.set(DATA, tracking.to_dict())
        doc.spans[self.spans_key] = spans(doc)
        if self.ents:
            doc.ents = with_names(doc)
        return doc


@Language.factory(
    "petra",
    assigns=[
        "doc._.petra",
        "doc._.people",
        "doc._.quotations",
        "doc._.resolved",
        "doc.ents",
        "doc.spans",
        "span._.person",
        "span._.mention",
        "token._.person",
    ],
    default_config={
        "model": None,
        "device": None,
        "cells": None,
        "threshold": None,
        "spans_key": "petra",
        "ents": False,
    },
)
def make_petra(
    nlp: Language,  # noqa: ARG001  given to every factory
    name: str,
    model: str | None,
    device: str | None,
    cells: int | None,
    threshold: float | None,
    spans_key: str,
    ents: bool,
) -> PetraComponent:
    """The component by its settings. The model is loaded at once, so that a wrong name fails here."""
    component = PetraComponent(
        name, ReadingSettings(model=model, device=device, cells=cells, threshold=threshold), spans_key, ents
    )
    component.load()
    return component
