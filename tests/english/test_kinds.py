from __future__ import annotations

import pytest

from petra.english.kinds import kind_of


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("She", "pronoun"),
        ("herself", "pronoun"),
        ("Miss Vale", "name"),
        ("Anne", "name"),
        ("her friend", "nominal"),
        ("Anne's friend", "nominal"),
        ("The doctor", "nominal"),
    ],
)
def test_words_tell_the_kind(words: str, kind: str) -> None:
    assert kind_of(words) == kind
