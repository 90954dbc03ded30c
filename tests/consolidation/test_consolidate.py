"""Who each mention of a whole text is of after the second pass."""

from __future__ import annotations

import pytest
from recorded_people import Mark, consolidated, recorded

from petra.consolidation.consolidate import consolidate, join, shares_of_people
from petra.consolidation.narrator import detach_narrator, find_narrator, name_narrator


def test_an_empty_text_has_nobody() -> None:
    assert consolidate("", [], []) == []


def test_where_nobody_is_joined_nothing_changes() -> None:
    marks: list[Mark] = [("Ada", "name", 1), ("Tom", "name", 2), ("She", "pronoun", 1, {1: 0.6, 2: 0.4})]
    assert consolidated("Ada met Tom. She smiled.", *marks) == [["Ada", "She"], ["Tom"]]


def test_the_shares_of_people_who_are_one_add_up() -> None:
    # Eve leads with 0.4, but the two that are Ada have 0.5 together.
    text = "Ada sat. She read. She wrote. Eve sang. She ran. Ada rose. She left."
    marks: list[Mark] = [
        ("Ada", "name", 1),
        ("She", "pronoun", 1),
        ("She", "pronoun", 1),
        ("Eve", "name", 2),
        ("She", "pronoun", 2),
        ("Ada", "name", 3),
        ("She", "pronoun", 2, {2: 0.4, 1: 0.3, 3: 0.2}),
    ]
    decided = join(text, *recorded(text, *marks))
    assert decided.shares[-1] == {2: 0.4, 1: pytest.approx(0.5)}
    assert decided.people[-1] == 1
    assert consolidated(text, *marks) == [["Ada", "She", "She", "Ada", "She"], ["Eve", "She"]]


def test_mentions_of_one_person_never_overlap() -> None:
    # Both are called Ada, so they are joined; "her" inside "her mother Ada" cannot be of the same person.
    text = "Ada sat. She read. Then her mother Ada came. She sang."
    marks: list[Mark] = [
        ("Ada", "name", 1),
        ("She", "pronoun", 1),
        ("her mother Ada", "name", 2),
        (">her", "pronoun", 1),
        ("She", "pronoun", 2),
    ]
    events, records = recorded(text, *marks)
    people = consolidate(text, events, records)
    spans = {(event.mention.start, event.mention.end): person for event, person in zip(events, people, strict=True)}
    inner = text.index("her mother")
    assert spans[inner, inner + 3] != spans[inner, inner + len("her mother Ada")]


def test_a_new_person_has_the_share_of_a_new_person() -> None:
    _, records = recorded("Ada met Tom.", ("Ada", "name", 1), ("Tom", "name", 2, {1: 0.25, 2: 0.75}))
    assert shares_of_people(records[1], {1: 1, 2: 2}) == {2: 0.75, 1: 0.25}


TIMES = 40  # that the story is told: a narrator is one of a long text
STORY = "I saw Holt. Holt slept, and I left. I ate. I ran. I sat. “Come, Watts,” said Holt. “I come,” said I. "


def story(times: int) -> tuple[str, list[Mark]]:
    """A story in which linking took the narrator for Holt, whom the narration tells of."""
    marks: list[Mark] = [
        *((words, kind, 1) for words, kind in (("I", "pronoun"), ("Holt", "name"), ("Holt", "name"))),  # type: ignore[list-item]
        *(("I", "pronoun", 1) for _ in range(4)),
        ("Watts", "name", 2),
        ("Holt", "name", 1),
        ("I", "pronoun", 1),
        ("I", "pronoun", 1),
    ]
    return STORY * times, marks * times


def test_the_narrator_is_not_whom_the_narration_tells_of() -> None:
    text, marks = story(TIMES)
    people = consolidated(text, *marks)
    assert [set(mentions) for mentions in people] == [{"I", "Watts"}, {"Holt"}]
    assert len(people[0]) == TIMES * 8


def test_the_narrator_is_whom_others_call_by_a_name_that_the_narration_does_not_use() -> None:
    text, marks = story(TIMES)
    _, records = recorded(text, *marks)
    narrator = find_narrator(records)
    assert narrator == 1
    detached, person = detach_narrator(records, narrator)
    assert person == 3
    assert name_narrator(detached, {1: 1, 2: 2}, person) == 2


def test_those_called_by_name_in_a_tale_within_the_story_are_not_the_narrator() -> None:
    # Watts is called in every part of the text; Small more often, but in one part of it, where somebody tells a tale.
    text, marks = story(TIMES)
    tale = "“Run, Small,” said Holt. "
    calls: list[Mark] = [("Small", "name", 4), ("Holt", "name", 1)]
    _, records = recorded(text + tale * 2 * TIMES, *marks, *calls * 2 * TIMES)
    narrator = find_narrator(records)
    assert narrator == 1
    detached, person = detach_narrator(records, narrator)
    assert name_narrator(detached, {1: 1, 2: 2, 4: 4}, person) == 2


def test_a_few_letters_make_no_narrator() -> None:
    text, marks = story(1)
    _, records = recorded(text, *marks)
    assert find_narrator(records) is None
