from __future__ import annotations

from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from supervision_samples import NAMES, asked, words_of

from petra.corpora.gap import GapInstance, read_gap
from petra.corpora.names import read_names
from petra.training.data.instances.swaps import surnames_of, swap_gender, swap_names

STORY = "Ada Vale told Tom's wife Ruth Pym that Ada's boat was lost. She blamed her and her brother."


def test_names_change_everywhere_and_nothing_else() -> None:
    swapped = swap_names(asked(STORY, "She", "Ada Vale", "Ruth Pym"), NAMES, Random(1))
    pronoun, a, b = words_of(swapped)
    new_ada, new_ruth = a.removesuffix(" Vale"), b.removesuffix(" Pym")
    assert pronoun == "She"
    assert {new_ada, new_ruth} <= NAMES.female - {"Ada", "Ruth"}
    assert new_ada != new_ruth
    assert swapped.text == STORY.replace("Ada", new_ada).replace("Ruth", new_ruth)
    assert swapped.gender == "feminine"


def test_surnames_are_drawn_from_those_given() -> None:
    swapped = swap_names(asked(STORY, "She", "Ada Vale", "Ruth Pym"), NAMES, Random(1), ("Quill", "Stroud"))
    _, a, b = words_of(swapped)
    assert {a.split()[1], b.split()[1]} == {"Quill", "Stroud"}


def test_a_surname_alone_is_the_same_surname() -> None:
    text = "Ada Vale left. Vale and Pym met her."
    swapped = swap_names(asked(text, "her", "Vale", "Pym"), NAMES, Random(3), ("Quill", "Stroud", "Ness"))
    _, a, b = words_of(swapped)
    assert swapped.text == text.replace("Vale", a).replace("Pym", b)
    assert not {a, b} & {"Vale", "Pym"}


def test_gender_changes_for_everybody() -> None:
    swapped = swap_gender(asked(STORY, "She", "Ada Vale", "Ruth Pym"), NAMES, Random(1))
    pronoun, a, b = words_of(swapped)
    new_ada, new_ruth = a.removesuffix(" Vale"), b.removesuffix(" Pym")
    new_tom = swapped.text.split(" told ")[1].split("'s")[0]
    assert swapped.text == (
        f"{new_ada} Vale told {new_tom}'s husband {new_ruth} Pym that {new_ada}'s boat was lost. "
        "He blamed him and his sister."
    )
    assert {new_ada, new_ruth} <= NAMES.male
    assert new_tom in NAMES.female
    assert (pronoun, swapped.gender) == ("He", "masculine")


def test_a_first_name_that_is_a_surname_here_stays() -> None:
    swapped = swap_gender(asked("Ada Tom met Ruth Pym, and she left.", "she", "Ada Tom", "Ruth Pym"), NAMES, Random(1))
    assert words_of(swapped)[1].endswith(" Tom")


def test_the_surnames_of_instances() -> None:
    assert surnames_of([asked(STORY, "She", "Ruth Pym", "Ada Vale")], NAMES) == ("Pym", "Vale")
    assert surnames_of([asked(STORY, "She", "Ada", "Ruth Pym that")], NAMES) == ()


# After "her" and "him" only words that no one can own, so that the way back is plain too.
CLAUSES = (
    "{a} saw {b}",
    "{pronoun} left Kew",
    "they told {objective} that it rained",
    "{b} praised {possessive} boat",
    "it was {absolute}",
    "{a}'s crew sang",
    "the cook hid {reflexive}",
)
FORMS = {
    "feminine": ("she", "her", "her", "hers", "herself"),
    "masculine": ("he", "him", "his", "his", "himself"),
}


@st.composite
def instances(draw: st.DrawFn) -> GapInstance:
    """Instances about two people of one gender, in clauses of our own."""
    gender = draw(st.sampled_from(sorted(FORMS)))
    a, b = draw(st.permutations(sorted(NAMES.female if gender == "feminine" else NAMES.male)))[:2]
    surname = draw(st.sampled_from(["", " Vale"]))
    parts = ("pronoun", "objective", "possessive", "absolute", "reflexive")
    words = dict(zip(parts, FORMS[gender], strict=True), a=a + surname, b=b)
    clauses = draw(st.lists(st.sampled_from(CLAUSES), max_size=6))
    text = "; ".join(clause.format(**words) for clause in (CLAUSES[0], *clauses, CLAUSES[1]))
    pronoun = text.rindex(words["pronoun"] + " left")
    made = asked(text, words["pronoun"], words["a"], b, gender=gender)
    span = made.pronoun._replace(start=pronoun, end=pronoun + len(words["pronoun"]))
    return GapInstance(**{name: getattr(made, name) for name in made.__slots__} | {"pronoun": span})


@given(instances(), st.integers(0, 99))
def test_swapping_gender_twice_restores_all_but_the_names(instance: GapInstance, seed: int) -> None:
    once = swap_gender(instance, NAMES, Random(seed))
    assert words_of(once)[0] == {"she": "he", "he": "she"}[words_of(instance)[0]]
    twice = swap_gender(once, NAMES, Random(seed + 1))
    assert (twice.gender, words_of(twice)[0]) == (instance.gender, words_of(instance)[0])
    assert _without_names(twice) == _without_names(instance)


@given(instances(), st.integers(0, 99))
def test_swapping_names_changes_names_alone(instance: GapInstance, seed: int) -> None:
    swapped = swap_names(instance, NAMES, Random(seed), ("Quill", "Stroud"))
    assert _without_names(swapped) == _without_names(instance)
    assert words_of(swapped)[0] == words_of(instance)[0]
    _, a, b = words_of(swapped)
    assert not {a.split()[0], b} & {words_of(instance)[1].split()[0], words_of(instance)[2]}
    assert (swapped.a_coref, swapped.b_coref, swapped.gender) == (True, False, instance.gender)


def _without_names(instance: GapInstance) -> str:
    _, a, b = words_of(instance)
    text = instance.text.replace(a, "A").replace(b, "B")
    return text.replace(a.split()[0], "A")


def test_every_gap_instance_can_be_swapped(data: Path) -> None:
    names, instances, rng = read_names(data), read_gap(data, "development"), Random(1)
    surnames = surnames_of(instances, names)
    assert len(surnames) > 500
    for instance in instances[::10]:
        mirrored = swap_gender(instance, names, rng)
        assert mirrored.gender != instance.gender
        assert words_of(mirrored)[0].lower() in {"he", "him", "his", "she", "her", "hers"}
        renamed = swap_names(instance, names, rng, surnames)
        assert words_of(renamed)[0] == words_of(instance)[0]
