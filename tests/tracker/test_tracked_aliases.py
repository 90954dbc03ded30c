"""Texts of our own in which somebody has two names: the text says so, and they are one person."""

from __future__ import annotations

import pytest
from absent import need_encoder

import petra
from petra.trained import DEFAULT, model_folder, read_config

CONFIG = read_config(model_folder(DEFAULT))
pytestmark = pytest.mark.skipif(not CONFIG.spans.max_width, reason="the default model has no span head")

TEXTS = {
    "Harriet Quill, better known as Nora Vane, grew up in Leeds. Vane wrote her first play at ten. Quill died old.": [
        ["Harriet Quill", "Nora Vane", "Vane", "her", "Quill"],
    ],
    "Edwin Marsh, known as Zed, sings in a band. Zed wrote the song with his wife.": [
        ["Edwin Marsh", "Zed", "Zed", "his"],
        ["his wife"],
    ],
    "Lucy Starling was born Edna May Horton in 1926. Starling married at sixteen, and she left the factory.": [
        ["Lucy Starling", "Edna May Horton", "Starling", "she"],
    ],
}


@pytest.mark.parametrize("text", TEXTS)
def test_another_name_is_of_the_same_person(text: str) -> None:
    need_encoder(CONFIG.encoder.name)
    people = petra.load(device="cpu").track(text).people
    assert [[mention.text for mention in person.mentions] for person in people] == TEXTS[text]
