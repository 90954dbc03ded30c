from __future__ import annotations

import contextlib
import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
import spacy
from hypothesis import given
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from strategies import texts

from petra import ConfigError, ModelError, Tracker
from petra.integrations.spacy import PetraComponent, make_petra

TEXTS = [
    "Lena Brook met Paul. He told her that his mother was the doctor. Amelia saw Lena and said it.",
    "",
    "Amelia Shepherd met Paul. She told him that Lena Brook saw her mother.",
]


@pytest.fixture(scope="module")
def settings(tiny_model: Path) -> dict[str, Any]:
    return {"model": str(tiny_model), "device": "cpu"}


@pytest.fixture(scope="module")
def nlp(settings: dict[str, Any]) -> Language:
    pipeline = spacy.blank("en")
    pipeline.add_pipe("petra", config=settings)
    return pipeline


def component(pipeline: Language) -> PetraComponent:
    found = pipeline.get_pipe("petra")
    assert isinstance(found, PetraComponent)
    return found


def test_spacy_finds_the_component_by_its_entry_point() -> None:
    (entry,) = entry_points(group="spacy_factories", name="petra")
    assert entry.load() is make_petra


def test_pipelines_without_the_component_pay_nothing() -> None:
    # spaCy imports what every entry point names, whether or not the pipeline uses it.
    program = """
import sys, spacy
from spacy.tokens import Doc, Span, Token
spacy.blank("en")
assert "petra.integrations.spacy" in sys.modules
assert "petra.tracker" not in sys.modules and "transformers" not in sys.modules
assert not any(kind.has_extension(name) for kind in (Doc, Span, Token) for name in ("petra", "people", "person"))
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_doc_has_what_the_tracker_finds(nlp: Language, tiny_tracker: Tracker) -> None:
    doc = nlp(TEXTS[0])
    expected = tiny_tracker.track(TEXTS[0])
    assert doc._.petra == expected.to_dict()
    assert [found.name for found in doc._.people] == [found.name for found in expected.people]
    assert len(expected.people) > 2
    assert [span.text for span in doc.spans["petra"]] == ["Lena Brook", "met", "Paul", "Lena", "it"]
    assert [span.label_ for span in doc.spans["petra"]] == [span._.person.label for span in doc.spans["petra"]]


@given(texts())
def test_every_mention_lies_within_its_span(nlp: Language, text: str) -> None:
    doc = nlp(text)
    for found in doc._.people:
        for span in found.mentions:
            mention = span._.mention
            assert span.start_char <= mention.start < mention.end <= span.end_char
            assert text[mention.start : mention.end] == mention.text
            assert span._.person == found


def test_a_stream_is_read_in_order_as_single_texts_are(nlp: Language) -> None:
    for batch_size in (1, 2, 1000):
        docs = list(nlp.pipe(TEXTS * 2, batch_size=batch_size))
        assert [doc.text for doc in docs] == TEXTS * 2
        assert [doc._.petra for doc in docs] == [nlp(text)._.petra for text in TEXTS * 2]


# Python 3.12 warns of every fork beside threads; spaCy forks.
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_several_processes_read_a_stream(nlp: Language) -> None:
    docs = list(nlp.pipe(TEXTS, n_process=2, batch_size=1))
    assert [doc._.petra for doc in docs] == [nlp(text)._.petra for text in TEXTS]


def test_several_processes_read_after_several_threads_computed(tiny_model: Path) -> None:
    # OpenMP's threads stay behind when a process forks; batches are large enough to be computed by several.
    program = """
import sys, warnings, spacy, torch
warnings.simplefilter("ignore")
torch.set_num_threads(2)
nlp = spacy.blank("en")
nlp.add_pipe("petra", config={"model": sys.argv[1], "device": "cpu"})
torch.ones(800, 800) @ torch.ones(800, 800)
texts = ["Lena Brook met Paul. He told her that his mother was the doctor. Amelia saw Lena."] * 16
read = [doc._.petra for doc in nlp.pipe(texts, n_process=2)]
assert read == [nlp(texts[0])._.petra] * 16
"""
    with subprocess.Popen([sys.executable, "-c", program, str(tiny_model)], start_new_session=True) as process:
        try:
            assert process.wait(timeout=240) == 0
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # those that wait for ever too


class Breaking:
    """A tracker that cannot read what mentions a storm."""

    def __init__(self, tracker: Tracker) -> None:
        self._tracker = tracker

    def track(self, text: str, **settings: Any) -> Any:
        if "storm" in text:
            raise MemoryError("too much")
        return self._tracker.track(text, **settings)

    def track_many(self, texts: list[str], **settings: Any) -> Iterator[Any]:
        return (self.track(text, **settings) for text in texts)


def test_a_doc_that_fails_goes_to_the_error_handler(
    settings: dict[str, Any], tiny_tracker: Tracker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("petra.load", lambda *_, **__: Breaking(tiny_tracker))
    pipeline = spacy.blank("en")
    pipeline.add_pipe("petra", config=settings)
    coming = [TEXTS[0], "A storm.", TEXTS[2]]
    with pytest.raises(MemoryError, match="too much"):
        list(pipeline.pipe(coming))
    failed: list[str] = []
    pipeline.set_error_handler(lambda name, part, docs, error: failed.extend(doc.text for doc in docs))
    assert [doc.text for doc in pipeline.pipe(coming)] == [TEXTS[0], TEXTS[2]]
    assert failed == ["A storm."]


def test_settings_are_those_of_the_tracker(settings: dict[str, Any], tiny_tracker: Tracker) -> None:
    pipeline = spacy.blank("en")
    pipeline.add_pipe("petra", config={**settings, "cells": 2, "threshold": 0.1, "spans_key": "people"})
    doc = pipeline(TEXTS[0])
    assert doc._.petra == tiny_tracker.track(TEXTS[0], cells=2, threshold=0.1).to_dict()
    assert "petra" not in doc.spans
    assert len(doc.spans["people"]) == sum(len(found.mentions) for found in doc._.people)


def test_names_are_entities_if_asked_for(settings: dict[str, Any]) -> None:
    pipeline = spacy.blank("en")
    pipeline.add_pipe("petra", config={**settings, "ents": True})
    doc = pipeline(TEXTS[0])
    names = [span for span in doc.spans["petra"] if span._.mention.kind == "name"]
    assert names
    assert [(entity.text, entity.label_, entity.id_) for entity in doc.ents] == [
        (name.text, "PERSON", name.label_) for name in names
    ]


def test_what_is_wrong_is_told_when_the_component_is_added(settings: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match="No model named 'huge'"):
        spacy.blank("en").add_pipe("petra", config={"model": "huge"})
    with pytest.raises(ConfigError, match="threshold"):
        spacy.blank("en").add_pipe("petra", config={**settings, "threshold": 3.0})


def test_a_stored_pipeline_holds_settings_and_no_weights(
    settings: dict[str, Any], tmp_path: Path, nlp: Language
) -> None:
    pipeline = spacy.blank("en")
    pipeline.add_pipe("petra", config={**settings, "threshold": 0.1})
    pipeline.to_disk(tmp_path / "stored")
    stored = json.loads((tmp_path / "stored" / "petra" / "petra.json").read_text(encoding="utf-8"))
    assert stored == {
        "schema": "petra.spacy/1",
        "model": settings["model"],
        "cells": None,
        "threshold": 0.1,
        "spans_key": "petra",
        "ents": False,
    }
    assert [path.name for path in (tmp_path / "stored" / "petra").iterdir()] == ["petra.json"]
    loaded = spacy.load(tmp_path / "stored")
    assert loaded(TEXTS[0])._.petra == pipeline(TEXTS[0])._.petra


def test_a_component_takes_over_what_another_stored(settings: dict[str, Any]) -> None:
    pipeline, other = spacy.blank("en"), spacy.blank("en")
    pipeline.add_pipe("petra", config={**settings, "threshold": 0.1, "spans_key": "people"})
    other.add_pipe("petra", config=settings)
    other.from_bytes(pipeline.to_bytes())
    assert component(other).reading == component(pipeline).reading
    doc = other(TEXTS[0])
    assert doc._.petra == pipeline(TEXTS[0])._.petra
    assert "people" in doc.spans


def test_a_pickled_component_loads_its_model_anew(nlp: Language) -> None:
    pickled = pickle.dumps(component(nlp))
    assert len(pickled) < 1000
    again = pickle.loads(pickled)
    assert again(nlp.make_doc(TEXTS[0]))._.petra == nlp(TEXTS[0])._.petra


def test_read_docs_survive_docbin(nlp: Language, tmp_path: Path) -> None:
    docs = list(nlp.pipe(TEXTS))
    DocBin(docs=docs, store_user_data=True).to_disk(tmp_path / "docs.spacy")
    stored: list[Doc] = list(DocBin().from_disk(tmp_path / "docs.spacy").get_docs(nlp.vocab))
    assert [json.dumps(doc._.petra) for doc in stored] == [json.dumps(doc._.petra) for doc in docs]
    assert [found.name for found in stored[0]._.people] == [found.name for found in docs[0]._.people]
