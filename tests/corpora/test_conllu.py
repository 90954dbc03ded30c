from __future__ import annotations

from pathlib import Path

import pytest

from petra.corpora.conllu import read_conllu, running_text
from petra.errors import DataError

LINES = (
    "# newpar",
    "# text = I don't (know).",
    "1\tI\tI\tPRON\tPRP\t_\t4\tnsubj\t_\tEntity=(1-person)",
    "2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_",
    "2\tdo\tdo\tAUX\tVBP\t_\t5\taux\t_\t_",
    "3\tn't\tnot\tPART\tRB\t_\t5\tadvmod\t_\t_",
    "4\t(\t(\tPUNCT\t-LRB-\t_\t5\tpunct\t_\tSpaceAfter=No",
    "4.1\tto\tto\t_\t_\t_\t_\t_\t_\t_",
    "5\tknow\tknow\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No",
    "6\t)\t)\tPUNCT\t-RRB-\t_\t5\tpunct\t_\tSpaceAfter=No",
    "7\t.\t.\tPUNCT\t.\t_\t5\tpunct\t_\t_",
    "",
    "# text = Yes",
    "1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_",
    "",
    "# newpar",
    "1\tNo\tno\tINTJ\tUH\t_\t0\troot\t_\t_",
)


def write(folder: Path, *lines: str) -> Path:
    path = folder / "sample.conllu"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_tokens_have_their_heads_and_tags(tmp_path: Path) -> None:
    first, *_ = read_conllu(write(tmp_path, *LINES))
    assert [(it.form, it.tag, it.head, it.relation) for it in first.tokens[:2]] == [
        ("I", "PRP", 3, "nsubj"),
        ("do", "VBP", 4, "aux"),
    ]
    assert first.tokens[4].head is None
    assert first.tokens[0].misc["Entity"] == "(1-person)"
    assert [it.form for it in first.tokens] == ["I", "do", "n't", "(", "know", ")", "."]  # without the empty node


def test_the_text_is_joined_again(tmp_path: Path) -> None:
    running = running_text(read_conllu(write(tmp_path, *LINES)))
    assert running.text == "I don't (know). Yes\n\nNo"
    assert [running.text[start:end] for start, end in running.places[0]] == ["I", "do", "n't", "(", "know", ")", "."]


@pytest.mark.parametrize(
    ("number", "line", "message"),
    [
        (3, "1\tI\tI", r"has 3 columns, separated by tabs; expected 10 \(ID, FORM"),
        (3, LINES[2].replace("1\tI", "2\tI", 1), "the ID is '2'; expected 1"),
        (3, LINES[2].replace("\t4\t", "\t8\t"), "column HEAD is '8'; expected a whole number of 0 to 7"),
        (3, LINES[2].replace("\t4\t", "\tx\t"), "column HEAD is 'x'; expected a whole number of 0 to 7"),
        (4, LINES[3].replace("2-3", "2-9"), "column ID is '9'; expected a whole number of 0 to 7"),
    ],
)
def test_an_odd_line_is_named(number: int, line: str, message: str, tmp_path: Path) -> None:
    path = write(tmp_path, *LINES[: number - 1], line, *LINES[number:])
    with pytest.raises(DataError, match=rf"^sample\.conllu, line {number}: {message}"):
        read_conllu(path)


def test_tokens_that_do_not_read_as_the_text_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"line 13: the tokens of the sentence read 'Yes'; expected 'Yess'"):
        read_conllu(write(tmp_path, *LINES[:12], "# text = Yess", *LINES[13:]))


def test_a_sentence_without_tokens_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"line 1: a sentence has comments and no tokens"):
        read_conllu(write(tmp_path, "# newpar"))
