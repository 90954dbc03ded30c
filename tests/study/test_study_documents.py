from __future__ import annotations

from pathlib import Path

import pytest
from gap_samples import row, write_gap

from petra.errors import DataError, StudyError, TextError
from petra.study.design import Design, draw_documents
from petra.study.documents import PAPER_SPLIT, find_texts


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    rows = [row(ID=f"validation-{number}") for number in (1, 2, 3)]
    write_gap(tmp_path / "corpora" / "gap" / "gap-validation.tsv", *rows)
    return tmp_path / "corpora"


def test_a_split_an_id_and_a_file(corpora: Path, tmp_path: Path) -> None:
    story = tmp_path / "story.txt"
    story.write_text("Ada left.\r\n", encoding="utf-8", newline="")
    assert [text.name for text in find_texts([PAPER_SPLIT], corpora)] == [
        "validation-1",
        "validation-2",
        "validation-3",
    ]
    (one, own) = find_texts(["validation-2", str(story), "validation-2"], corpora)
    assert (one.name, own.name, own.text) == ("validation-2", str(story), "Ada left.\r\n")


def test_what_is_not_there_is_told(corpora: Path, tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="has no text with the id validation-9"):
        find_texts(["validation-9"], corpora)
    with pytest.raises(StudyError, match="There is no document 'story'"):
        find_texts(["story"], corpora)
    with pytest.raises(DataError, match=r"gap-test\.tsv is missing"):
        find_texts(["gap-test"], corpora)
    (tmp_path / "empty.txt").write_text(" \n")
    with pytest.raises(StudyError, match="has no words"):
        find_texts([str(tmp_path / "empty.txt")], None)
    (tmp_path / "latin.txt").write_bytes(b"Andr\xe9")
    with pytest.raises(TextError, match="is not UTF-8"):
        find_texts([str(tmp_path / "latin.txt")], None)


def test_the_papers_documents(data: Path) -> None:
    texts = find_texts([PAPER_SPLIT], data)
    assert len(texts) == 454
    drawn = [texts[number].name for number in draw_documents(len(texts), Design())]
    assert len(set(drawn)) == 50
    assert all(name.startswith("validation-") for name in drawn)
