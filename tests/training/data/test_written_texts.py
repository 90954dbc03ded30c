from __future__ import annotations

from typing import Literal

from petra.evaluation.plain.scoring import long_texts, short_texts
from petra.training.data.written_texts import written_documents

_PARTS: tuple[Literal["training", "held_out"], ...] = ("training", "held_out")


def _runs(text: str) -> set[tuple[str, ...]]:
    words = "".join(letter if letter.isalnum() or letter == "'" else " " for letter in text.lower()).split()
    return {tuple(words[first : first + 6]) for first in range(len(words) - 5)}


def test_one_in_five_is_held_out() -> None:
    learned, held_out = written_documents("training"), written_documents("held_out")
    assert len(learned) + len(held_out) == 11005
    assert 0.17 < len(held_out) / 11005 < 0.23
    assert not {document.id for document in learned} & {document.id for document in held_out}


def test_twins_are_on_the_same_side() -> None:
    sides = [{document.id[:-1] for document in written_documents(part) if document.id[-1] in "ab"} for part in _PARTS]
    assert all(sides)
    assert not sides[0] & sides[1]


def test_every_text_has_mentions_and_kinds() -> None:
    documents = (*written_documents("training"), *written_documents("held_out"))
    assert all(document.mentions for document in documents)
    assert sum(len(document.mentions) for document in documents) > 168000


def test_they_share_no_six_words_with_the_plain_texts() -> None:
    measured = set[tuple[str, ...]]().union(*(_runs(it.document.text) for it in (*short_texts(), *long_texts())))
    for document in (*written_documents("training"), *written_documents("held_out")):
        assert not _runs(document.text) & measured, document.id
