from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from petra.corpora.wikitext import Article, read_wikitext, running_text
from petra.errors import DataError

RAW = """
 = Ada Vale =

 Ada Vale ( born 1901 ) was a sailor .

 = = Life = =

 Vale 's boat , a half @-@ decker , cost £ 1 @,@ 200 .
 = Kew =

 Kew is a place .
"""


def write(data: Path, name: str, content: bytes) -> Path:
    folder = data / "wikitext2"
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(content)
    return data


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("Vale 's dog , a half @-@ breed .", "Vale's dog, a half-breed."),
        ("It cost $ 1 @,@ 200 @.@ 50 ( 5 % more ) .", "It cost $1,200.50 (5% more)."),
        ('She said , " I won \'t go . " Then " no " .', 'She said, "I won\'t go." Then "no".'),
        ("They won 3 – 2 at 10 : 30 ; nobody cared !", "They won 3–2 at 10:30; nobody cared!"),
        ("The sailors ' boats and O 'Brien 's .", "The sailors' boats and O'Brien's."),
        ("J. R. Vale met St. John .", "J. R. Vale met St. John."),
    ],
)
def test_the_words_are_put_together_again(raw: str, text: str) -> None:
    assert running_text(raw) == text


def test_articles_are_parted_by_titles_and_headings_left_out(tmp_path: Path) -> None:
    write(tmp_path, "b.raw.gz", gzip.compress(RAW.encode()))
    write(tmp_path, "a.raw.gz", gzip.compress(b" = Sea = \n \n Wide . \n"))
    assert read_wikitext(tmp_path) == (
        Article(title="Sea", paragraphs=("Wide.",)),
        Article(
            title="Ada Vale",
            paragraphs=("Ada Vale (born 1901) was a sailor.", "Vale's boat, a half-decker, cost £1,200."),
        ),
        Article(title="Kew", paragraphs=("Kew is a place.",)),
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (gzip.compress(b" = Sea = \n\n Wide . \n", mtime=0)[:-9], r"^a\.raw\.gz is not a whole gzip file"),
        (gzip.compress(b"\xff", mtime=0), r"^a\.raw\.gz is not UTF-8"),
    ],
)
def test_a_damaged_file_is_named(content: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message):
        read_wikitext(write(tmp_path, "a.raw.gz", content))


def test_a_folder_without_files_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "wikitext2").mkdir()
    with pytest.raises(DataError, match=r"holds no \.raw\.gz file"):
        read_wikitext(tmp_path)


def test_the_corpus_reads_as_running_text(data: Path) -> None:
    articles = read_wikitext(data)
    paragraphs = [text for article in articles for text in article.paragraphs]
    assert (len(articles), len(paragraphs)) == (751, 21582)
    assert sum(len(text.split()) for text in paragraphs) > 2_000_000
    assert not [text for text in paragraphs if re.search(r"@[-,.]@| [,.;] |\( ", text)]
