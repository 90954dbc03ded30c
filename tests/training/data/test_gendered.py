from __future__ import annotations

import pytest

from petra.training.data.instances.edits import rewrite
from petra.training.data.instances.gendered import swap_words


def swapped(text: str) -> str:
    return rewrite(text, swap_words(text), ())[0]


@pytest.mark.parametrize(
    ("text", "mirrored"),
    [
        ("He told her that she lost his boat.", "She told him that he lost her boat."),
        ("HE saw Her.", "SHE saw Him."),
        ("He hurt himself; it was a friend of his.", "She hurt herself; it was a friend of hers."),
        ("The boat was hers, and her own crew left her.", "The boat was his, and his own crew left him."),
        ("They sent her home and helped her win.", "They sent him home and helped him win."),
        ("His home is the sea.", "Her home is the sea."),
        ("his mother, an actress, met the king's son", "her father, an actor, met the queen's daughter"),
        ("Mr. Vale met Miss Pym and Queen Ruth.", "Mrs. Vale met Mr Pym and King Ruth."),
    ],
)
def test_gendered_words_become_their_counterparts(text: str, mirrored: str) -> None:
    assert swapped(text) == mirrored


@pytest.mark.parametrize(
    "text", ["Stephen King wrote.", "They miss the boat.", "Lady of the lake", "There, the heron."]
)
def test_what_only_looks_gendered_stays(text: str) -> None:
    assert swapped(text) == text
