"""The documents that the paper shows, its failures among them: each person one person, with every mention."""

from __future__ import annotations

from pathlib import Path

import pytest
from absent import need_encoder

import petra
from petra.corpora.gap import read_gap
from petra.tracker import Tracker
from petra.trained import DEFAULT, model_folder, read_config

CONFIG = read_config(model_folder(DEFAULT))
pytestmark = pytest.mark.skipif(not CONFIG.spans.max_width, reason="the default model has no span head")

# The people that the paper marks, with their mentions in order, and what describes them.
MARKED = {
    "validation-296": [["Bethenny", "Bethenny", "Bethenny"], ["Jason"], ["Bethenny's assistant", "Julie", "she"]],
    "validation-17": [["Fripp", "Fripp", "He", "Robert Fripp", "his"], ["Steve Ball"]],
    "validation-267": [
        ["Amelia Shepherd", "a fictional character", "her", "Amelia", "her"],
        ["Caterina Scorsone"],
        ["her former sister-in-law", "Addison Montgomery"],
    ],
    "validation-293": [["Neef", "She", "a finalist"], ["Svetlana Goncharenko"]],
}
# A band and a series that `base` takes for somebody.
MISTAKEN = {"validation-17": [["King Crimson"]], "validation-267": [["Grey's Anatomy"]]}
# The same traps in other words: a rare name again and again, a surname before the full name, people beside things.
OTHER_TEXTS = {
    "Jorunn opens the letter to see what everyone wants, but Magnus is rude to the guests, and Jorunn has to calm "
    "them down. There is trouble with Jorunn's secretary, Petra, who starts to cry when asked if she likes the work.": [
        ["Jorunn", "Jorunn", "Jorunn"],
        ["Magnus"],
        ["Jorunn's secretary", "Petra", "she"],
    ],
    "Harwell has shown his Nightpieces in several towns. He has also recorded quiet pieces for the Blue Harbour label. "
    "In June 2004 Peter Strand invited Thomas Harwell back to the Oakridge studio.": [
        ["Harwell", "his", "He", "Thomas Harwell"],
        ["Peter Strand"],
    ],
    "Miriam Halloway is a character in the British television series Green Harbour, played by Joanna Pike. In her "
    "first episode Miriam visited her old friend, Susan Merrow.": [
        # `base` ends the predicate before "in the British television series Green Harbour".
        ["Miriam Halloway", "a character", "her", "Miriam", "her"],
        ["Joanna Pike"],
        ["her old friend", "Susan Merrow"],
    ],
    "Keane won a silver medal at the 1996 European Cup behind France's Elodie Marchand and came back a year later to "
    "win gold. She was a finalist at the 1998 Championships.": [["Keane", "She", "a finalist"], ["Elodie Marchand"]],
}


@pytest.fixture(scope="module")
def tracker() -> Tracker:
    need_encoder(CONFIG.encoder.name)
    return petra.load(device="cpu")


def found(tracker: Tracker, text: str) -> list[list[str]]:
    return [[mention.text for mention in person.mentions] for person in tracker.track(text).people]


@pytest.mark.parametrize("document", MARKED)
def test_the_paper_s_documents_come_out_right(tracker: Tracker, data: Path, document: str) -> None:
    [text] = [instance.text for instance in read_gap(data, "validation") if instance.id == document]
    people = found(tracker, text)
    for person in MARKED[document]:
        assert person in people
    # Nobody else is named: what else is found can only be a nominal, such as "everyone".
    others = [mentions for mentions in people if mentions not in MARKED[document]]
    assert [each for each in MISTAKEN.get(document, []) if each not in others] == []
    others = [mentions for mentions in others if mentions not in MISTAKEN.get(document, [])]
    assert not any(mention[0].isupper() for mentions in others for mention in mentions)


@pytest.mark.parametrize("text", OTHER_TEXTS)
def test_other_texts_with_the_same_traps(tracker: Tracker, text: str) -> None:
    people = found(tracker, text)
    for person in OTHER_TEXTS[text]:
        assert person in people


# What docs/paper-logs.md shows of examples/paper: the people found by the paper's two models.
SHOWN = {
    ("series", "paper-petra-8"): [["Miriam Halloway", "her", "Miriam", "her"], ["Joanna Pike"], ["Susan Merrow"]],
    ("series", "paper-reader-8"): [["Miriam Halloway", "her"], ["Miriam", "her"]],
    ("meeting", "paper-petra-8"): [["Jorunn"], ["Jorunn"], ["Jorunn"], ["Petra", "she"]],
    ("meeting", "paper-reader-8"): [["Jorunn"], ["Jorunn"], ["Petra", "she"]],
    ("medal", "paper-petra-8"): [["Keane", "She"], ["Elodie Marchand"]],
    ("medal", "paper-reader-8"): [["Keane", "She"]],
    ("studio", "paper-petra-8"): [["Harwell", "his", "He"], ["Peter Strand"], ["Thomas Harwell"]],
    ("studio", "paper-reader-8"): [["Harwell", "He"], ["Peter Strand"], ["Thomas Harwell"]],
}


@pytest.mark.parametrize("model", ["paper-petra-8", "paper-reader-8"])
def test_the_pictures_of_the_paper_s_models_are_true(model: str) -> None:
    need_encoder(read_config(model_folder(model)).encoder.name)
    reader = petra.load(model, device="cpu")
    for (name, by), people in SHOWN.items():
        if by == model:
            text = (Path(__file__).parents[2] / f"examples/paper/{name}.txt").read_text(encoding="utf-8")
            assert found(reader, text) == people
