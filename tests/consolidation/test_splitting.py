"""People who go by several roles like names."""

from __future__ import annotations

from recorded_people import Mark, consolidated, recorded

from petra.consolidation.splitting import split_people

KING: list[Mark] = [("the King", "nominal", 1), ("He", "pronoun", 1)]
GRYPHON: list[Mark] = [("the Gryphon", "nominal", 1), ("He", "pronoun", 1)]


def people(text: str, *marks: Mark) -> list[int]:
    events, records = recorded(text, *marks)
    return [record.person for record in split_people(events, records)]


def test_two_roles_are_two_people_and_pronouns_go_with_the_last() -> None:
    text = "Here sat the King. He slept. " * 3 + "There lay the Gryphon. He sang. " * 3
    assert people(text, *KING * 3, *GRYPHON * 3) == [1] * 6 + [2] * 6


def test_a_role_used_once_or_twice_divides_nobody() -> None:
    text = "Here sat the King. He slept. " * 3 + "There lay the Gryphon. He sang. " * 2
    assert people(text, *KING * 3, *GRYPHON * 2) == [1] * 10


def test_the_same_role_with_an_adjective_is_no_other() -> None:
    text = "Here sat the White Rabbit. He ran. " * 3 + "There sat the Rabbit. He ran. " * 3
    marks: list[Mark] = [("the White Rabbit", "nominal", 1), ("He", "pronoun", 1)] * 3
    marks += [("the Rabbit", "nominal", 1), ("He", "pronoun", 1)] * 3
    assert people(text, *marks) == [1] * 12


def test_a_role_that_mostly_is_somebody_elses_leaves_a_named_person() -> None:
    text = "Here sat the King. He slept. " * 4 + "Tom Vale came. " * 3 + "Here sat the King. " * 3
    marks: list[Mark] = [*KING * 4, *[("Tom Vale", "name", 2)] * 3, *[("the King", "nominal", 2)] * 3]  # type: ignore[list-item]
    assert people(text, *marks) == [1] * 8 + [2] * 3 + [3] * 3
    assert consolidated(text, *marks) == [["the King", "He"] * 4 + ["the King"] * 3, ["Tom Vale"] * 3]
