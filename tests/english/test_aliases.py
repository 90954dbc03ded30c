from __future__ import annotations

import pytest

from petra.english.aliases import LONGEST, gives_alias, gives_own_alias


@pytest.mark.parametrize(
    "text",
    [
        "Samuel Clemens|, better known as |Mark Twain",
        "Samuel Clemens| (also known as |Mark Twain",
        "Paul Hewson| is known to his fans as “|Bono",
        "Paul Hewson|, known simply as |Bono",
        "Paul Hewson|, who is professionally known as |Bono",
        "Paul Hewson|, known by the stage name |Bono",
        "Marilyn Monroe| (born |Norma Jeane Mortenson",
        "Marilyn Monroe| was born |Norma Jeane Mortenson",
        "Agatha Christie|, née |Miller",
        "William Bonney|, alias |Billy the Kid",
        "William Bonney|, a.k.a. |Billy the Kid",
        "Charlotte Brontë| wrote under the pseudonym |Currer Bell",
        "Charlotte Brontë| published it under the pen name of |Currer Bell",
        "her| pen name |George Eliot",
        "his| real name was |Paul Hewson",
        "She changed her| name to |Ada Vale",
        "the singer|, whose real name is |Paul Hewson",
        "Ada Vale|, formerly called |Ada Orr",
        "his| nickname, “|Buzz",
        "The boy|'s name was |Tom",
        "Ada Vale|’s pen name, |Ada Orr",
        "Samuel Clemens| – later known as |Mark Twain",
    ],
)
def test_words_that_give_another_name(text: str) -> None:
    _, between, _ = text.split("|")
    assert gives_alias(between)


@pytest.mark.parametrize(
    "text",
    [
        "Ada Vale|, |Tom Orr",
        "Ada Vale| and |Tom Orr",
        "Teri Hatcher|, best known as |Lois Lane",  # mostly of a part that is played
        "Ada Vale| had known |Tom Orr",
        "Ada Vale| was born to |Tom Orr",
        "Ada Vale|'s name was unknown to |Tom Orr",
        "Ada Vale| was not known as |Tom Orr",
        "Ada Vale| served under |Tom Orr",
        "Ada Vale| called |Tom Orr",
        "Ada Vale|-born |Tom Orr",
        "Ada Vale|'s born |Tom Orr",
        "Ada Vale| was known as a painter. She met |Tom Orr",
    ],
)
def test_words_that_do_not(text: str) -> None:
    _, between, _ = text.split("|")
    assert not gives_alias(between)


def test_what_stands_far_apart_is_left_aside() -> None:
    assert gives_alias(f", known as{' ' * (LONGEST - 10)}")
    assert not gives_alias(f", known as{' ' * (LONGEST - 9)}")


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("Bulsara, who called himself ", True),
        ("She names herself “", True),
        ("He was calling himself ", True),
        ("He renamed himself ", True),
        ("He dubbed himself ", True),
        ("She styled herself ", True),
        ("She asked herself ", False),
        ("She called ", False),
        ("She called herself a friend of ", False),
    ],
)
def test_an_alias_that_somebody_takes(before: str, expected: bool) -> None:
    assert gives_own_alias(before) is expected
