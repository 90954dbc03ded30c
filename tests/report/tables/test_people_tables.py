from __future__ import annotations

import io

from rich.console import Console
from written_logs import written_log

from petra.domain import Mention, Person
from petra.people.finding import find_people
from petra.report.tables.people import people_lines, show_people

TEXT = "Jane Eyre left.\nShe slept. 李娜 woke."
LOG = written_log(TEXT, ("Jane", 0, "new"), ("She", 0, "same"), ("李娜", 1, "new"))


def shown(people: tuple[Person, ...], text: str, *, terminal: bool, width: int = 100) -> str:
    file = io.StringIO()
    show_people(people, text, Console(file=file, force_terminal=terminal, width=width, color_system=None))
    return file.getvalue()


def test_columns_are_aligned_by_what_the_eye_sees() -> None:
    assert people_lines(find_people(LOG), TEXT) == [
        "   Name       Mentions  Line  Kinds              Also called",
        "1  Jane Eyre         2     1  1 name, 1 pronoun",
        "2  李娜              1     2  1 name",
    ]


def test_a_pipe_gets_plain_lines_of_any_width() -> None:
    people = find_people(LOG)
    assert shown(people, TEXT, terminal=False, width=20).splitlines() == people_lines(people, TEXT)


def test_a_terminal_gets_a_table_of_its_width() -> None:
    lines = shown(find_people(LOG), TEXT, terminal=True, width=72).splitlines()
    assert any("Jane Eyre" in line for line in lines)
    assert any("─" in line for line in lines)
    assert max(map(len, lines)) <= 72


def test_nobody_is_said_in_words() -> None:
    assert shown((), "", terminal=False) == "No people were found.\n"
    assert shown((), "", terminal=True) == "No people were found.\n"


def test_a_name_is_not_read_as_markup() -> None:
    name = "[red]Jane[/red] :smile:"
    person = Person(1, name, (Mention(0, 4, "Jane", "name", 1.0),))
    assert name in shown((person,), "Jane", terminal=True)
    assert name in shown((person,), "Jane", terminal=False)


def test_many_names_are_cut_short() -> None:
    names = [f"Jane {letter}" for letter in "ABCDEFG"]
    person = Person(1, "Jane A", tuple(Mention(0, 6, name, "name", 1.0) for name in names))
    assert people_lines([person], "Jane A")[1].endswith("7 names  Jane B, Jane C, Jane D, Jane E, 2 more")
