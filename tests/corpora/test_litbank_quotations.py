from __future__ import annotations

from pathlib import Path

import pytest

from petra.corpora.litbank_quotations import GoldQuotation, read_litbank_quotations
from petra.errors import DataError

TEXT = "“ Come , ” said Ada .\n“ Why ? ”\n"
COREF = "MENTION\tT1\t0\t5\t0\t5\tAda\tPER\tPROP\nCOREF\tT1\tAda-0\n"
QUOTES = "QUOTE\tQ1\t0\t0\t0\t3\t“ Come , ”\nATTRIB\tQ1\tAda-0\nQUOTE\tQ2\t1\t0\t1\t3\t“ Why ? ”\nATTRIB\tQ2\tTom-1\n"


def corpus(folder: Path, quotes: str) -> Path:
    files = {
        "splits/0/dev.ids": "story.tsv\n",
        "coref/story.txt": TEXT,
        "coref/story.ann": COREF,
        "quotations/tsv/story.ann": quotes,
    }
    for name, content in files.items():
        path = folder / "litbank" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def test_quotations_have_the_places_of_their_tokens(tmp_path: Path) -> None:
    (document,) = read_litbank_quotations(corpus(tmp_path, QUOTES), "validation")
    text = document.document.text
    assert [text[each.start : each.end] for each in document.quotations] == ["“Come,”", "“Why?”"]
    assert document.quotations[0] == GoldQuotation(0, 7, "Ada-0")
    assert [mention.entity for mention in document.document.mentions] == ["Ada-0"]


def test_in_some_documents_nobody_speaks(tmp_path: Path) -> None:
    (document,) = read_litbank_quotations(corpus(tmp_path, ""), "validation")
    assert document.quotations == ()


@pytest.mark.parametrize(
    ("quotes", "problem"),
    [
        (QUOTES.replace("\t3\t“ Why", "\t9\t“ Why"), "line 3"),
        (QUOTES.replace("ATTRIB\tQ2\tTom-1\n", ""), "Q2"),
        ("QUOTE\tQ1\n", "line 1"),
        ("SAID\tQ1\tAda-0\n", "line 1"),
    ],
)
def test_a_malformed_file_is_refused(quotes: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=problem):
        read_litbank_quotations(corpus(tmp_path, quotes), "validation")
