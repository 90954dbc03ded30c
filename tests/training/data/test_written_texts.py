from __future__ import annotations

import pytest

from petra.corpora.annotated import AnnotatedDocument
from petra.evaluation.plain.scoring import long_texts, short_texts
from petra.training.data.written_texts import written_documents

Documents = tuple[AnnotatedDocument, ...]


@pytest.fixture(scope="module")
def learned() -> Documents:
    return written_documents("training")


@pytest.fixture(scope="module")
def held_out() -> Documents:
    return written_documents("held_out")


def _runs(text: str) -> set[tuple[str, ...]]:
    words = "".join(letter if letter.isalnum() or letter == "'" else " " for letter in text.lower()).split()
    return {tuple(words[first : first + 6]) for first in range(len(words) - 5)}


def test_one_in_five_is_held_out(learned: Documents, held_out: Documents) -> None:
    assert len(learned) + len(held_out) == 22743
    assert 0.17 < len(held_out) / 22743 < 0.23
    assert not {document.id for document in learned} & {document.id for document in held_out}


def test_twins_are_on_the_same_side(learned: Documents, held_out: Documents) -> None:
    sides = [{document.id[:-1] for document in part if document.id[-1].isalpha()} for part in (learned, held_out)]
    assert all(sides)
    assert not sides[0] & sides[1]


def test_every_text_has_mentions_and_kinds(learned: Documents, held_out: Documents) -> None:
    assert all(document.mentions for document in (*learned, *held_out))
    assert sum(len(document.mentions) for document in (*learned, *held_out)) > 335000


def test_they_share_no_six_words_with_the_plain_texts(learned: Documents, held_out: Documents) -> None:
    measured = set[tuple[str, ...]]().union(*(_runs(it.document.text) for it in (*short_texts(), *long_texts())))
    for document in (*learned, *held_out):
        assert not _runs(document.text) & measured, document.id
