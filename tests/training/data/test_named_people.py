from __future__ import annotations

from supervision_samples import NAMES

from petra.english.sentences import parse
from petra.training.data.instances.people import ArticlePeople, ArticlePerson, find_people

ARTICLE = (
    "Ada Vale was a sailor. Vale said she loved the sea.",
    "Tom Ash told Ruth Pym about his boat. Vale wrote her diary in Kew.",
    "Vale and Ash said little. Vale died in Kew.",
)


def cast_of(*paragraphs: str, title: str = "Sailing") -> tuple[ArticlePeople, list[list[str]]]:
    """The cast of an article, and in each passage who is named by which words."""
    passages = [parse(text) for text in paragraphs]
    cast = find_people(title, passages, NAMES)
    named = [
        [f"{it.person.first}: {passage.text[slice(*passage.span(it.words))]}" for it in namings]
        for passage, namings in zip(passages, cast.namings, strict=True)
    ]
    return cast, named


def test_a_surname_alone_means_the_one_who_bears_it() -> None:
    cast, named = cast_of(*ARTICLE)
    assert named == [
        ["Ada: Ada Vale", "Ada: Vale"],
        ["Tom: Tom Ash", "Ruth: Ruth Pym", "Ada: Vale"],
        ["Ada: Vale", "Tom: Ash", "Ada: Vale"],
    ]
    assert cast.namings[0][0].person == ArticlePerson("Ada", "Vale", "feminine", sure=True)
    assert cast.about is None


def test_the_title_names_whom_the_article_is_about() -> None:
    cast, named = cast_of(*ARTICLE, "Ruth Vale, a niece, met Vale.", title="Ada Vale (sailor)")
    assert cast.about == ArticlePerson("Ada", "Vale", "feminine", sure=True)
    assert named[-1] == ["Ruth: Ruth Vale", "Ada: Vale"]  # a name alone is hers, whoever else bears it


def test_a_surname_of_two_people_alone_means_nobody() -> None:
    _, named = cast_of("Ada Vale met Ruth Vale.", "Vale left.")
    assert named == [["Ada: Ada Vale", "Ruth: Ruth Vale"], []]


def test_places_and_things_are_no_people() -> None:
    _, named = cast_of("In Ada Vale they met.", "Ruth Street is long. The Tom Cup and the Tom Ash were lost.")
    assert named == [[], []]


def test_a_first_name_used_again_and_again_is_a_person() -> None:
    _, named = cast_of("Ruth sails. She sees Tom.", "Ruth sinks and Ruth swims.")
    assert named == [["Ruth: Ruth"], ["Ruth: Ruth", "Ruth: Ruth"]]


def test_pronouns_against_the_name_leave_a_person_out() -> None:
    _, named = cast_of("Ruth Pym sold his boat. He left with his crew and Ruth Pym lost his oar.")
    assert named == [[]]


def test_an_unlisted_name_that_does_what_people_do_is_a_person() -> None:
    text = "Zork Quill said he left. Quill said his boat sank. Quill told his crew. Quill lost his oar, his sail."
    _, named = cast_of(text)
    assert named == [["Zork: Zork Quill", "Zork: Quill", "Zork: Quill", "Zork: Quill"]]
