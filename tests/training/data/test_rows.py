from __future__ import annotations

import numpy as np
from marked_texts import marked

from petra.training.data.rows import unrelated_rows
from petra.training.data.written_texts import written_documents

ADA = marked("Ada waved. She left.", ("Ada", "name", "1"), ("She", "pronoun", "1"))
TOM = marked("Tom sat down. He slept.", ("Tom", "name", "1"), ("He", "pronoun", "1"))
NAMESAKE = marked("Ada Vale sang.", ("Ada Vale", "name", "1"))
MINE = marked("I ran.", ("I", "pronoun", "1"))
MY = marked("My aunt laughed.", ("My aunt", "nominal", "2"), (">My", "pronoun", "1"))


def test_a_row_has_the_mentions_of_its_texts_and_nobody_in_common() -> None:
    (row,) = unrelated_rows([ADA, TOM], np.random.default_rng(1))
    texts = sorted(row.text.split("\n\n") if "\n\n" in row.text else row.text.split("\n"))
    assert texts == ["Ada waved. She left.", "Tom sat down. He slept."]
    people = [[row.text[it.start : it.end] for it in person] for person in row.people]
    assert sorted(people) == [["Ada", "She"], ["Tom", "He"]]


def test_namesakes_and_two_narrators_are_never_in_one_row() -> None:
    for seed in range(20):
        rows = list(unrelated_rows([ADA, TOM, NAMESAKE, MINE, MY], np.random.default_rng(seed)))
        assert sum(len(row.mentions) for row in rows) == 8
        for row in rows:
            assert row.text.count("Ada") < 2
            assert row.text.count("I ran") + row.text.count("My aunt") < 2


def test_every_text_is_in_one_row() -> None:
    documents = written_documents("held_out")[:200]
    rows = list(unrelated_rows(documents, np.random.default_rng(2)))
    assert sorted(name for row in rows for name in row.id.split("+")) == sorted(it.id for it in documents)
    assert max(row.id.count("+") for row in rows) == 7
