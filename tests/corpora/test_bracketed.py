from __future__ import annotations

from pathlib import Path

import pytest

from petra.corpora.bracketed import kind_of, read_bracketed
from petra.domain import Kind
from petra.errors import DataError

FILE = """\
# Two texts.

@ 1: gender, name-form
[Mary]1 told [[her]1 husband]2, [Tunde Bello]2, that [he]2 was late.

@ letter

Dear [Ada]1,

[I]2'm [[your]1 brother]2.
[Bo]2

"""


def written(folder: Path, text: str) -> Path:
    path = folder / "plain.txt"
    path.write_bytes(text.encode())
    return path


def test_texts_have_their_words_tags_and_people(tmp_path: Path) -> None:
    first, second = read_bracketed(written(tmp_path, FILE))
    assert (first.document.id, first.tags) == ("1", ("gender", "name-form"))
    assert first.document.text == "Mary told her husband, Tunde Bello, that he was late."
    assert tuple(mention[:4] for mention in first.document.mentions) == (
        (0, 4, "name", "1"),
        (10, 13, "pronoun", "1"),
        (10, 21, "nominal", "2"),
        (23, 34, "name", "2"),
        (41, 43, "pronoun", "2"),
    )
    assert (second.document.id, second.tags) == ("letter", ())
    assert second.document.text == "Dear Ada,\n\nI'm your brother.\nBo"
    text = second.document.text
    assert [[text[it.start : it.end] for it in person] for person in second.document.people] == [
        ["Ada", "your"],
        ["I", "your brother", "Bo"],
    ]


@pytest.mark.parametrize(
    ("words", "own_words", "kind"),
    [
        ("Themself", "Themself", "pronoun"),
        ("xyr", "xyr", "pronoun"),
        ("Uncle Bilal", "Uncle Bilal", "name"),
        ("her friend Ruth Levin", " friend Ruth Levin", "name"),
        ("Ruth's friend", "'s friend", "nominal"),
        ("Aisha and Ben", " and ", "nominal"),
        ("A man called Galli", "A man called Galli", "nominal"),
        ("Somebody", "Somebody", "nominal"),
        ("customers", "customers", "nominal"),
    ],
)
def test_kinds_are_told_by_rule(words: str, own_words: str, kind: Kind) -> None:
    assert kind_of(words, own_words) == kind


def test_a_kind_may_be_written_out(tmp_path: Path) -> None:
    [text] = read_bracketed(written(tmp_path, "@ 1\n[Organisers]1/nominal met [jo]2/name and/or [Ada]3."))
    assert text.document.text == "Organisers met jo and/or Ada."
    assert [it.kind for it in text.document.mentions] == ["nominal", "name", "name"]


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("Ada ran.\n@ 1\nx", 1, "'Ada ran.' stands before the first text; expected a remark '# ..' or '@ ID: TAGS'."),
        ("@ 1 gender\nx", 1, "'@ 1 gender' is no heading of a text; expected '@ ID' or '@ ID: TAG, TAG'."),
        ("@ 1\n\n@ 2\nx", 1, "no text follows '@ 1'; expected one."),
        ("@ 1\nx\n@ 1\ny", 3, "the ID '1' stands in line 1 already; expected each once."),
        ("@ 1\n\nAda]1 ran.", 3, "']1' closes no mention; expected '[' before it."),
        ("@ 1\n[Ada] ran.", 2, "no number follows '[Ada]'; expected that of the person, as in '[Ada]1'."),
        (
            "@ 1\nOh.\n[Ada ran.\nOh.",
            3,
            "the mention 'Ada ran.\\nOh.' is not closed; expected ']' and a number after it.",
        ),
        ("@ 1\n[Ada ]1ran.", 2, "the mention 'Ada ' is empty or has white space at its ends; expected words alone."),
        ("@ 1\n[]1 ran.", 2, "the mention '' is empty or has white space at its ends; expected words alone."),
        ("@ 1\n[[Ada]1]2 ran.", 2, "'Ada' is marked twice; expected each mention once."),
        ("@ 1\n[Ada]1/noun ran.", 2, "the kind of 'Ada' is 'noun'; expected one of name, nominal, pronoun."),
    ],
)
def test_an_odd_line_is_named(text: str, line: int, problem: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read_bracketed(written(tmp_path, text))
    assert str(caught.value) == f"plain.txt, line {line}: {problem}"


def test_a_file_without_texts_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"^plain\.txt has no text; expected a line '@ ID: TAGS'"):
        read_bracketed(written(tmp_path, "# Nothing yet.\n"))
