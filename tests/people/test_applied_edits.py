from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petra.domain import Mention, Person, Quotation
from petra.errors import EditError
from petra.log.edits import Edit, Place
from petra.people.edits import Editor, apply_edits

TEXT = "Anne met Tom. “Come,” said Anne. She left him. Miss Vale was late. “Why?” said her friend."


def at(words: str, number: int = 1) -> tuple[int, int]:
    """The place of words, where they stand for the first time or a later one."""
    start = -1
    for _ in range(number):
        start = TEXT.index(words, start + 1)
    return start, start + len(words)


def mention(words: str, kind: str = "name", number: int = 1) -> Mention:
    start, end = at(words, number)
    return Mention(start, end, words, kind, 0.8)  # type: ignore[arg-type]


ANNE = Person(1, "Anne", (mention("Anne"), mention("Anne", number=2), mention("She", "pronoun")))
TOM = Person(2, "Tom", (mention("Tom"), mention("him", "pronoun")))
VALE = Person(3, "Miss Vale", (mention("Miss Vale"), mention("her", "pronoun")))
FRIEND = Person(4, "her friend", (mention("her friend", "nominal"),))
PEOPLE = (ANNE, TOM, VALE, FRIEND)
COME, WHY = at("“Come,”"), at("“Why?”")
QUOTATIONS = (
    Quotation(*COME, (COME,), 1, 2, "explicit", 0.9, at("Anne", 2), at("Tom")),
    Quotation(*WHY, (WHY,), 4, None, "anaphoric", 0.7, at("her friend")),
)


def editor(*edits: Edit) -> Editor:
    return Editor(TEXT, PEOPLE, QUOTATIONS, edits)


def people(state: Editor) -> dict[str, list[str]]:
    return {person.name: [mention.text for mention in person.mentions] for person in state.people}


def test_an_edit_names_a_person_by_the_words_of_the_name() -> None:
    narrator = Person(1, "her friend", (mention("She", "pronoun"), mention("her friend", "nominal")))
    desk = Editor(TEXT, (narrator,), ())
    assert str(desk.rename(1, "Ada")) == "rename 'her friend' to 'Ada'"
    assert str(desk.delete(1)) == "delete 'her friend'"


def test_merged_people_are_one_with_the_mentions_of_both() -> None:
    desk = editor()
    desk.merge(1, 3)
    assert people(desk) == {
        desk.people[0].name: ["Anne", "Anne", "She", "Miss Vale", "her"],
        "Tom": ["Tom", "him"],
        "her friend": ["her friend"],
    }
    assert [(person.id, person.corrected) for person in desk.people] == [(1, True), (2, False), (3, False)]
    assert [each.speaker for each in desk.quotations] == [1, 3]  # they keep their people under new numbers


def test_a_new_name_outlives_a_merge() -> None:
    desk = editor()
    desk.rename(1, "Anne Vale")
    desk.merge(3, 1)
    assert desk.people[0].name == "Anne Vale"


def test_some_mentions_become_a_person_of_their_own() -> None:
    desk = editor()
    desk.split([at("Anne", 2), at("She")], "Anne the younger")
    assert people(desk)["Anne the younger"] == ["Anne", "She"]
    assert people(desk)["Anne"] == ["Anne"]
    split = desk.people[2]
    assert split.corrected
    assert all(each.corrected and each.probability == 1 for each in split.mentions)
    assert desk.quotations[0].speaker == split.id  # the speaker follows the mention that named them


def test_a_moved_mention_takes_its_quotation_along() -> None:
    desk = editor()
    desk.move([at("Anne", 2)], 2)
    assert people(desk)["Tom"] == ["Tom", "Anne", "him"]
    assert desk.quotations[0].speaker == 2


def test_a_deleted_person_says_nothing() -> None:
    desk = editor()
    desk.delete(1)
    assert [person.name for person in desk.people] == ["Tom", "Miss Vale", "her friend"]
    assert (desk.quotations[0].speaker, desk.quotations[0].addressee) == (None, 1)


def test_what_is_no_mention_goes_and_a_person_without_mentions_too() -> None:
    desk = editor()
    desk.remove([at("her friend"), at("She")])
    assert people(desk) == {"Anne": ["Anne", "Anne"], "Tom": ["Tom", "him"], "Miss Vale": ["Miss Vale", "her"]}


def test_mentions_are_added_to_a_person_or_a_new_one() -> None:
    desk = editor()
    desk.add([at("friend")], 2)
    desk.add([at("late")], name="Late")
    assert people(desk)["Tom"] == ["Tom", "him", "friend"]
    assert [(each.kind, each.corrected) for each in desk.people[1].mentions][-1] == ("nominal", True)
    assert people(desk)["Late"] == ["late"]


def test_speakers_are_set_and_taken_away() -> None:
    desk = editor()
    desk.set_speaker(COME, 2)
    desk.set_addressee((COME[0] + 2, COME[0] + 3), None)  # any place inside
    assert (desk.quotations[0].speaker, desk.quotations[0].addressee) == (2, None)
    assert (desk.quotations[0].corrected, desk.quotations[0].probability) == (True, 1)
    assert not desk.quotations[1].corrected


def test_undo_takes_back_one_edit_after_the_other() -> None:
    desk = editor()
    desk.merge(1, 3)
    desk.delete(2)
    assert desk.undo().verb == "delete"
    assert desk.undo().verb == "merge"
    assert (desk.people, desk.quotations) == (PEOPLE, QUOTATIONS)
    with pytest.raises(EditError, match="no correction"):
        desk.undo()


def test_mentions_of_a_person_never_overlap() -> None:
    desk = editor()
    desk.merge(3, 4)  # "her" lies in "her friend": the longer stays
    assert [each.text for each in desk.people[2].mentions] == ["Miss Vale", "her friend"]
    desk.add([at("Vale")], 3)  # what is added takes the place of what it overlaps
    assert [each.text for each in desk.people[2].mentions] == ["Vale", "her friend"]


def test_edits_fit_another_reading_with_other_numbers_and_ends() -> None:
    desk = editor()
    desk.merge(1, 3)
    desk.rename(1, "Anne Vale")
    again = (
        Person(1, "Tom", (mention("Tom"),)),
        Person(2, "Anne", (mention("Anne", number=2),)),
        Person(3, "Vale", (mention("Vale"),)),
    )
    # Nobody is mentioned by the first "Anne" in this reading, so the edits by it do not fit.
    state = apply_edits(TEXT, again, (), desk.edits)
    assert [(misfit.number, misfit.edit.verb) for misfit in state.misfits] == [(1, "merge"), (2, "rename")]
    assert "nobody is mentioned by 'Anne' at 0..4 any more" in str(state.misfits[0])
    wider = (Person(1, "Anne", (Mention(0, 8, "Anne met", "name", 1.0),)), *again[1:])
    state = apply_edits(TEXT, wider, (), desk.edits)
    assert not state.misfits
    assert [(person.id, person.name) for person in state.people] == [(1, "Anne Vale"), (2, "Anne")]


def test_an_edit_of_another_text_is_told() -> None:
    state = apply_edits(
        TEXT,
        PEOPLE,
        (),
        [Edit(verb="delete", person=Place(0, 4, "Anna")), Edit(verb="delete", person=Place(9, 12, "Tom"))],
    )
    (misfit,) = state.misfits
    assert misfit.reason.startswith("the text has 'Anne' at 0..4, and not 'Anna'")
    assert [person.name for person in state.people] == ["Anne", "Miss Vale", "her friend"]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda desk: desk.merge(1, 9), "no person 9"),
        (lambda desk: desk.merge(1, 1), "two people"),
        (lambda desk: desk.rename(1, "  "), "between 1 and 200"),
        (lambda desk: desk.move([(5, 8)], 2), "no mention 'met'"),
        (lambda desk: desk.add([(0, 999)], 2), "not a part of the text"),
        (lambda desk: desk.add([(0, 4), (2, 6)], 2), "overlap"),
        (lambda desk: desk.set_speaker((0, 4), 2), "No quotation"),
    ],
)
def test_what_cannot_be_done_changes_nothing(wrong: object, words: str) -> None:
    desk = editor()
    with pytest.raises(EditError, match=words):
        wrong(desk)  # type: ignore[operator]
    assert (desk.people, desk.edits) == (PEOPLE, ())


_SPANS = st.tuples(st.integers(0, len(TEXT) - 2), st.integers(1, 12)).map(
    lambda pair: (pair[0], min(len(TEXT), pair[0] + pair[1]))
)


@given(st.lists(st.tuples(st.sampled_from(["merge", "split", "delete", "move", "remove", "add"]), _SPANS, st.data())))
def test_any_edits_leave_people_in_order_with_mentions_apart(
    steps: list[tuple[str, tuple[int, int], st.DataObject]],
) -> None:
    desk = editor()
    for verb, span, data in steps:
        if not desk.people:
            break
        someone = data.draw(st.integers(1, len(desk.people)))
        spans = [(each.start, each.end) for each in desk.people[someone - 1].mentions]
        try:
            match verb:
                case "merge":
                    desk.merge(1, someone)
                case "split":
                    desk.split(spans[:2])
                case "delete":
                    desk.delete(someone)
                case "move":
                    desk.move(spans[:1], 1)
                case "remove":
                    desk.remove(spans[-1:])
                case _:
                    desk.add([span], someone)
        except EditError:
            continue
    assert [person.id for person in desk.people] == list(range(1, len(desk.people) + 1))
    firsts = [person.mentions[0].start for person in desk.people]
    assert firsts == sorted(firsts)
    for person in desk.people:
        assert all(TEXT[each.start : each.end] == each.text for each in person.mentions)
        assert all(before.end <= after.start for before, after in pairwise(person.mentions))
    again = apply_edits(TEXT, PEOPLE, QUOTATIONS, desk.edits)
    assert (again.people, again.quotations, again.misfits) == (desk.people, desk.quotations, ())
