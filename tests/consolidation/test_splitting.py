"""People who go by what is of two people."""

from __future__ import annotations

from recorded_people import Mark, consolidated, recorded

from petra.consolidation.splitting import return_names, split_people

KING: list[Mark] = [("the King", "nominal", 1), ("He", "pronoun", 1)]
GRYPHON: list[Mark] = [("the Gryphon", "nominal", 1), ("He", "pronoun", 1)]


def people(text: str, *marks: Mark) -> list[int]:
    events, records = recorded(text, *marks)
    return [record.person for record in split_people(text, events, records)]


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


def test_names_of_both_genders_are_two_people_and_pronouns_go_with_their_gender() -> None:
    text = "Mr. Vale sat. Edna rose. She sang. He slept. " * 3
    marks: list[Mark] = [("Mr. Vale", "name", 1), ("Edna", "name", 1), ("She", "pronoun", 1), ("He", "pronoun", 1)]
    assert people(text, *marks * 3) == [1, 2, 2, 1] * 3


def test_a_name_of_the_other_gender_used_now_and_then_divides_nobody() -> None:
    marks: list[Mark] = [("Mr. Vale", "name", 1), ("Edna", "name", 1)]
    assert people("Mr. Vale sat. Edna rose. " * 2, *marks * 2) == [1] * 4
    assert people("Mr. Vale sat. " * 60 + "Edna rose. " * 3, *marks[:1] * 60, *marks[1:] * 3) == [1] * 63


def test_somebody_who_bore_given_names_of_both_genders_is_one() -> None:
    marks: list[Mark] = [("Bradley", "name", 1), ("Chelsea", "name", 1)]
    assert people("Bradley sat. Chelsea rose. " * 3, *marks * 3) == [1] * 6


def test_a_given_name_after_a_title_of_the_other_gender_tells_none() -> None:
    marks: list[Mark] = [("Miss Charlie Vale", "name", 1), ("Charlie", "name", 1)]
    assert people("Miss Charlie Vale sat. Charlie rose. " * 3, *marks * 3) == [1] * 6


def test_a_title_before_two_surnames_is_two_people() -> None:
    marks: list[Mark] = [("Mr. Hall", "name", 1), ("Mr. Henfrey", "name", 1), ("He", "pronoun", 1)]
    assert people("Mr. Hall sat. Mr. Henfrey rose. He sang. " * 3, *marks * 3) == [1, 2, 2] * 3


def test_a_title_before_a_given_name_and_a_surname_is_one() -> None:
    marks: list[Mark] = [("Miss Emma", "name", 1), ("Miss Woodhouse", "name", 1)]
    assert people("Miss Emma sat. Miss Woodhouse rose. " * 3, *marks * 3) == [1] * 6


def owners(text: str, *marks: Mark) -> list[int]:
    return [record.person for record in return_names(*recorded(text, *marks))]


def test_a_name_that_is_somebody_elses_is_given_back() -> None:
    text = "Oak came. " * 2 + "Ada met Oak. She left. " + "Ada sat. " * 4
    marks: list[Mark] = [("Oak", "name", 1)] * 2
    marks += [("Ada", "name", 2), ("Oak", "name", 2), ("She", "pronoun", 2), *[("Ada", "name", 2)] * 4]  # type: ignore[list-item]
    assert owners(text, *marks) == [1, 1, 2, 1, 2, 2, 2, 2, 2]
    # As often of the one as of the other, it may be of both.
    assert owners(text[10:], *marks[1:]) == [1, 2, 2, 2, 2, 2, 2, 2]


def test_what_somebody_is_usually_called_is_not_given_back() -> None:
    text = "Oak came. " * 2 + "Ada met Oak. " + "Ada sat. " * 2
    marks: list[Mark] = [("Oak", "name", 1)] * 2
    marks += [("Ada", "name", 2), ("Oak", "name", 2), *[("Ada", "name", 2)] * 2]  # type: ignore[list-item]
    assert owners(text, *marks) == [1, 1, 2, 2, 2, 2]


def test_another_form_of_the_same_name_is_not_given_back() -> None:
    text = "Oak came. " * 2 + "Ada Oak came. " * 5 + "Oak sat."
    marks: list[Mark] = [*[("Oak", "name", 1)] * 2, *[("Ada Oak", "name", 2)] * 5, ("Oak", "name", 2)]  # type: ignore[list-item]
    assert owners(text, *marks) == [1, 1, 2, 2, 2, 2, 2, 2]


def test_a_name_inside_a_mention_of_its_owner_is_not_given_back() -> None:
    text = "Oak came. " * 2 + "Ada sat. " * 5 + "She met the man called Oak."
    marks: list[Mark] = [*[("Oak", "name", 1)] * 2, *[("Ada", "name", 2)] * 5, ("She", "pronoun", 2)]  # type: ignore[list-item]
    marks += [("the man called Oak", "nominal", 1), (">Oak", "name", 2)]
    assert owners(text, *marks) == [1] * 2 + [2] * 6 + [1, 2]


def test_two_given_names_in_one_sentence_are_two_people_and_pronouns_go_with_the_last() -> None:
    text = "Lucy looked at Charlotte. She waited. " * 3
    marks: list[Mark] = [("Lucy", "name", 1), ("Charlotte", "name", 1), ("She", "pronoun", 1)]
    assert people(text, *marks * 3) == [1, 2, 2] * 3


def test_given_names_that_no_sentence_tells_apart_or_that_are_forms_of_each_other_divide_nobody() -> None:
    marks: list[Mark] = [("Lucy", "name", 1), ("Charlotte", "name", 1)]
    assert people("Lucy sat. Charlotte rose. " * 3, *marks * 3) == [1] * 6
    assert people("Lucy, or Charlotte, sat. " + "Lucy sat. Charlotte rose. " * 3, *marks * 4) == [1] * 8
    nicknames: list[Mark] = [("Elizabeth", "name", 1), ("Lizzy", "name", 1)]
    assert people("Elizabeth, or Lizzy, sat. " * 3, *nicknames * 3) == [1] * 6
