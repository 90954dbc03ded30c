from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from supervision_samples import ADA, scene, words_of

from petra.training.data.instances.discourse import continued
from petra.training.data.instances.people import ArticlePerson, Naming
from petra.training.data.instances.replaced import replaceable
from petra.training.data.instances.snippets import snippet


def test_a_name_makes_way_and_offsets_stay_exact() -> None:
    passage, namings = scene("With Ruth Pym they met Ada Vale. Vale's boat sank.")
    [reference] = replaceable(passage, namings)
    instance = snippet(reference, "one", "https://example.org", Random(1))
    assert instance is not None
    assert instance.text == "With Ruth Pym they met Ada Vale. Her boat sank."
    assert words_of(instance) == ("Her", "Ruth Pym", "Ada Vale")
    assert (instance.a_coref, instance.b_coref, instance.gender) == (False, True, "feminine")
    assert (instance.id, instance.url) == ("one", "https://example.org")


def test_a_pronoun_becomes_the_name_that_is_asked_for() -> None:
    passage, namings = scene("She sailed with Ruth. They won. She left.")
    [reference] = continued(passage, namings, ADA)
    instance = snippet(reference, "one", "", Random(1))
    assert instance is not None
    assert instance.text == "Vale sailed with Ruth. They won. She left."
    assert words_of(instance) == ("She", "Vale", "Ruth")
    assert (instance.a_coref, instance.b_coref) == (True, False)


def test_nobody_else_of_the_gender_makes_no_instance() -> None:
    passage, namings = scene("Tom met Ada Vale. Vale's boat sank.")
    [reference] = replaceable(passage, namings)
    assert snippet(reference, "one", "", Random(1)) is None


def test_a_sentence_too_long_makes_no_instance() -> None:
    passage, namings = scene(f"With Ruth they met Ada Vale {'and so on ' * 40}. Vale's boat sank.")
    [reference] = replaceable(passage, namings)
    assert snippet(reference, "one", "", Random(1)) is None


def test_two_others_are_asked_for_now_and_then() -> None:
    text = "With Ruth Pym and Nell Wood they waved. Ada Vale sailed. She won."
    passage, namings = scene(text)
    nell = Naming(ArticlePerson("Nell", "Wood", "feminine", sure=True), range(4, 6))
    [reference] = continued(passage, (namings[0], nell, *namings[1:]), None)
    instance = [snippet(reference, "one", "", Random(seed)) for seed in range(40)]
    assert {words_of(it)[1:] for it in instance if it is not None} == {
        ("Ruth Pym", "Ada Vale"),
        ("Nell Wood", "Ada Vale"),
        ("Ruth Pym", "Nell Wood"),
    }


@given(st.integers(0, 10_000))
def test_a_snippet_is_whole_sentences_of_the_passage(seed: int) -> None:
    sentences = [f"It rained on day {day} and the crew slept in the cold cabin." for day in range(12)]
    sentences[2] = "Ruth waved to the crew."
    sentences[8] = "Ada sailed on with Ruth Pym."
    sentences[9] = "She won, and Ada saw Ruth again."
    passage, namings = scene(" ".join(sentences))
    for reference in continued(passage, namings, None):
        instance = snippet(reference, "one", "", Random(seed))
        assert instance is not None
        assert instance.text in passage.text
        assert instance.text.startswith(tuple(sentences))
        assert instance.text.endswith(tuple(sentences))
        pronoun, a, b = words_of(instance)
        assert pronoun == "She"
        assert (instance.a_coref, instance.b_coref) == ("Ada" in a, "Ada" in b)
        assert instance.a.end <= instance.b.start
