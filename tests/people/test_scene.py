from __future__ import annotations

from petra.people.compatibility import Weights
from petra.people.cues import read_cues
from petra.people.scene import Scene

WEIGHTS = Weights(narrator=1, same_speaker=2, own_speech=-4)


def said(scene: Scene, word: str, quotation: int | None, *people: int) -> list[float]:
    cues = read_cues(word, "pronoun", quotation)
    return [scene.evidence(cues, person, WEIGHTS) for person in people]


def test_the_narrator_is_one_person() -> None:
    scene = Scene().after(read_cues("I", "pronoun"), 7)
    assert said(scene, "my", None, 7, 8) == [1, 0]
    assert said(scene, "you", None, 7, 8) == [0, 0]
    assert said(scene, "my", 1, 7, 8) == [0, 0]  # somebody else may be quoted
    assert said(Scene(), "my", None, 7) == [0]


def test_within_a_quotation_the_speaker_stays() -> None:
    scene = Scene().after(read_cues("I", "pronoun", 3), 1).after(read_cues("you", "pronoun", 3), 2)
    assert said(scene, "my", 3, 1, 2, 5) == [2, 0, 0]
    assert said(scene, "your", 3, 1, 2, 5) == [-4, 2, 0]
    assert said(scene, "she", 3, 1, 2, 5) == [-4, 0, 0]
    assert said(scene, "we", 3, 1) == [0]
    assert said(scene, "my", 4, 1, 2) == [0, 0]
    assert scene.narrator is None


def test_another_quotation_has_its_own_speaker() -> None:
    scene = Scene().after(read_cues("I", "pronoun", 3), 1).after(read_cues("he", "pronoun", 4), 2)
    assert said(scene, "I", 4, 1, 2) == [0, 0]


def test_names_are_no_matter_of_who_speaks() -> None:
    scene = Scene().after(read_cues("I", "pronoun", 3), 1)
    assert scene.evidence(read_cues("Jane", "name", 3), 1, WEIGHTS) == 0


def test_a_forgotten_person_leaves_the_scene() -> None:
    scene = Scene(narrator=1, quotation=3, speaker=1, addressee=2)
    assert scene.without(1) == Scene(quotation=3, addressee=2)
    assert scene.without(2) == Scene(narrator=1, quotation=3, speaker=1)
