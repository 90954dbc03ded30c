from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petra.english.name_forms import name_form, on_one_line


@pytest.mark.parametrize(
    ("mention", "name"),
    [
        ("Only old Benjamin", "Benjamin"),
        ("this fellow Jones", "Jones"),
        ("Miss Bath-\nsheba", "Miss Bathsheba"),
        ("My dear Mr. Vale", "Mr. Vale"),
        ("Tom's Aunt Polly", "Aunt Polly"),
        ("the Right Honourable Lady Anne de Vere", "Lady Anne de Vere"),
        ("Ada, the heroine", "Ada"),
        ("Sarah, Duchess of York", "Sarah"),
        ("Martin Luther King, Jr.", "Martin Luther King, Jr."),
        ("Tom King.", "Tom King"),
        ("Malcolm X", "Malcolm X"),
        ("King Charles II", "King Charles II"),
        ("VI Edna", "Edna"),
        ("Lucy dear", "Lucy"),
        ("Tom Vale of the Civic Party", "Tom Vale"),
        ("Tom Vale from the Democratic Party", "Tom Vale"),
        ("the Vale who came with Charles I", "Vale"),
        ("William the Conqueror", "William the Conqueror"),
        ("Undersecretary Mr. Vale", "Mr. Vale"),
        ("Major general Tom Vale", "Major general Tom Vale"),
        ("her aunt Polly", "Polly"),
        ("lady Anne", "lady Anne"),
        ("Prof. Anna d'Ettorre", "Prof. Anna d'Ettorre"),
        ('Tom "Shep" Vale', 'Tom "Shep" Vale'),
        ("L. Ron Vale", "L. Ron Vale"),
        ("Vale and colleagues", "Vale and colleagues"),
        ("The kind-hearted, gentle Mrs. Vale", "Mrs. Vale"),
        ("Mr. Elton. Harriet", "Harriet"),
        ("Edm. Vale", "Edm. Vale"),
        ("Ada_Vale", "Ada_Vale"),
        ("Joan of Arc", "Joan of Arc"),
        ("de Gaulle", "de Gaulle"),
        ("Mr. and Mrs. Vale", "Mr. and Mrs. Vale"),
        ("Ada’s", "Ada"),
        ("_Miss_\nVale", "Miss Vale"),
        ("李娜", "李娜"),  # a script without capitals
    ],
)
def test_the_name_in_a_mention(mention: str, name: str) -> None:
    form = name_form(mention)
    assert form is not None
    assert form.text == name


@pytest.mark.parametrize(
    "mention",
    [
        "",
        "...",
        "cabman",
        "Emma's father",
        "He",
        "Silly devil",
        "Tiresome old fool",
        "The President",
        "President of the Guild",
        "the East Bay sheriff",
    ],
)
def test_a_mention_without_a_name(mention: str) -> None:
    assert name_form(mention) is None


def test_what_stands_right_before_a_name() -> None:
    form = name_form("the Little Dorrit")
    assert form is not None
    assert (form.text, form.epithet, form.has_article) == ("Dorrit", "Little", True)
    plain = name_form("the late Mr. Vale")
    assert plain is not None
    assert (plain.text, plain.epithet, plain.has_article) == ("Mr. Vale", "", False)


@given(st.text())
def test_any_text_can_be_asked(text: str) -> None:
    form = name_form(text)
    assert form is None or (form.text and form.text == on_one_line(form.text))
