from __future__ import annotations

from pathlib import Path

import pytest
from winobias_samples import write_winobias

from petra.corpora.winobias import STEREOTYPES, TYPES, WinoBiasSentence, read_winobias, read_winobias_file
from petra.errors import DataError


def write(folder: Path, *lines: str) -> Path:
    path = folder / "pro_stereotyped_type1.txt.dev"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def words(sentence: WinoBiasSentence) -> tuple[str, str, str]:
    pronoun, person, other = (
        sentence.text[slice(*span)] for span in (sentence.pronoun, sentence.person, sentence.other)
    )
    return pronoun, person, other


def test_the_other_person_is_the_one_of_the_other_sentence(tmp_path: Path) -> None:
    write_winobias(tmp_path)
    first, second = read_winobias(tmp_path, 1, "anti", "dev")
    assert first.text == "The diver thanked the potter because she fell."
    assert words(first) == ("she", "The diver", "potter")
    assert words(second) == ("he", "the potter", "diver")
    assert [words(it) for it in read_winobias(tmp_path, 2, "pro", "dev")] == [
        ("her", "the potter", "diver"),
        ("him", "the diver", "potter"),
    ]


def test_the_pronoun_may_come_first_and_more_than_once(tmp_path: Path) -> None:
    lines = (
        "1 As [she] left, [the potter] took [her] hat from the diver.",
        "2 [The diver] met the potter as [he] ran.",
    )
    first, _ = read_winobias_file(write(tmp_path, *lines))
    assert first.text == "As she left, the potter took her hat from the diver."
    assert words(first) == ("she", "the potter", "diver")


def test_spaces_in_brackets_and_a_missing_article_do_not_matter(tmp_path: Path) -> None:
    lines = ("1 The [ potter] met the diver as [she] ran.", "2 The potter met [the diver] as [he] ran.")
    assert [words(it) for it in read_winobias_file(write(tmp_path, *lines))] == [
        ("she", "potter", "diver"),
        ("he", "the diver", "potter"),
    ]


def test_without_the_other_sentence_anybody_of_the_file_is_the_other(tmp_path: Path) -> None:
    lines = (
        "1 [The diver] met the potter as [he] ran.",
        "2 The diver met [the potter] as [she] ran.",
        "3 [The baker] met the potter as [he] ran.",
    )
    *_, last = read_winobias_file(write(tmp_path, *lines))
    assert words(last) == ("he", "The baker", "potter")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[The diver] met the potter as [he] ran.", "found .* expected the number 1 and a sentence"),
        ("2 [The diver] met the potter as [he] ran.", "found .* expected the number 1 and a sentence"),
        ("1 [The diver] met the potter as he ran.", "1 people and 0 pronouns are in brackets; expected one of each"),
        ("1 [The diver] met [the potter] as [he] ran.", "2 people and 1 pronouns are in brackets"),
        ("1 [The diver] met the potter as [he] ran.", "names one person; expected another"),
    ],
)
def test_an_odd_line_is_named(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=rf"^pro_stereotyped_type1\.txt\.dev, line 1: {message}"):
        read_winobias_file(write(tmp_path, line))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"type2\.txt\.test is missing. Get it from the repository 'corefBias'"):
        read_winobias(tmp_path, 2, "pro", "test")


def test_every_sentence_of_the_corpus_has_two_people(data: Path) -> None:
    for type_ in TYPES:
        for side in STEREOTYPES:
            sentences = read_winobias(data, type_, side, "dev")
            assert len(sentences) == 396
            assert {it.text[slice(*it.pronoun)] for it in sentences} <= {"he", "she", "him", "her", "his"}
            for it in sentences:
                assert it.person.end <= it.other.start or it.other.end <= it.person.start
