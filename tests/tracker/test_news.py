"""News of our own: people who are told by what they are, and named beside it."""

from __future__ import annotations

import pytest
from absent import need_encoder

import petra
from petra.trained import DEFAULT, model_folder, read_config

CONFIG = read_config(model_folder(DEFAULT))
pytestmark = pytest.mark.skipif(not CONFIG.spans.max_width, reason="the default model has no span head")

TEXTS = {
    "Police said on Tuesday that Marcus Hale had been charged with theft. The suspect appeared before magistrates with "
    "his lawyer, Dana Whitfield. His mother, Ruth Hale, wept. The judge, Peter Lowe, set a hearing for May.": [
        ["Police"],
        ["Marcus Hale", "The suspect", "his", "His"],
        ["magistrates"],
        ["his lawyer", "Dana Whitfield"],
        ["His mother", "Ruth Hale"],
        ["The judge", "Peter Lowe"],
    ],
    "The victim, a nurse, was walking home when the driver lost control of his car. He told the police officer that he "
    "had not seen her. Her brother, Daniel Obi, asked witnesses to come forward.": [
        ["The victim", "a nurse", "her", "Her"],
        ["the driver", "his", "He", "he"],
        ["the police officer"],
        ["Her brother", "Daniel Obi"],
        ["witnesses"],
    ],
}


# "He" and "he" go to the victim, and "her" to the officer.
WRONG = pytest.mark.xfail(strict=True, reason="base takes the victim for a man")


@pytest.mark.parametrize(
    "text", [pytest.param(text, marks=WRONG if text.startswith("The victim") else ()) for text in TEXTS]
)
def test_people_are_told_by_what_they_are(text: str) -> None:
    need_encoder(CONFIG.encoder.name)
    people = petra.load(device="cpu").track(text).people
    assert [[mention.text for mention in person.mentions] for person in people] == TEXTS[text]
