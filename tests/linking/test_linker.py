from __future__ import annotations

import numpy as np
import pytest
from scripted_people import ScriptedMemory

from petra.domain import Kind
from petra.english.quotations import Turn, Utterance
from petra.linking.context import MentionContext
from petra.linking.cues import read_cues
from petra.linking.linker import Link, Linker
from petra.linking.scorer import FeatureWeights, initial_weights

ONE, OTHER, NOBODY = (np.array(vector, dtype=np.float32) for vector in ([1, 0], [0, 1], [0, 0]))


class Story:
    """A linker, and mentions fed to it one after the other."""

    def __init__(self, num_cells: int = 3, strength: float = 2.0) -> None:
        self.memory = ScriptedMemory(num_cells, strength)
        self.linker = Linker(self.memory, initial_weights())
        self.token = 0

    def link(self, text: str, kind: Kind, hidden: np.ndarray = NOBODY, quotation: Utterance | None = None) -> Link:
        self.token += 10
        return self.linker.link(MentionContext(read_cues(text, kind, quotation)), hidden, self.token)


def test_the_shares_are_the_softmax_of_equation_4() -> None:
    story = Story(strength=float(np.log(3)))
    first = story.link("somebody", "nominal", ONE)
    assert (first.person, first.share) == (1, 1.0)
    np.testing.assert_array_equal(first.coref_prob, [0, 0, 0])
    np.testing.assert_array_equal(first.overwrite_prob, [1, 0, 0])
    # A score of ln 3 against 0 for a new person: 3/4 and 1/4. Cell 1 is the next to be written.
    again = story.link("she", "pronoun", ONE)
    assert (again.person, again.share) == (1, pytest.approx(0.75))
    np.testing.assert_allclose(again.coref_prob, [0.75, 0, 0])
    np.testing.assert_allclose(again.overwrite_prob, [0, 0.25, 0])
    # -ln 3 against 0: 1/4 and 3/4, a new person.
    other = story.link("you", "pronoun", OTHER)
    assert (other.person, other.share) == (2, pytest.approx(0.75))
    np.testing.assert_allclose(other.overwrite_prob, [0, 0.75, 0])


def test_a_known_person_goes_before_a_new_one_of_the_same_score() -> None:
    story = Story()
    story.link("friend", "nominal")
    assert story.link("friend", "nominal").person == 1


def test_nobody_is_somebody_else_every_time() -> None:
    story = Story()
    assert [story.link("nobody", "nominal").person for _ in range(3)] == [1, 2, 3]


def test_new_people_can_be_made_rarer_by_the_kind_of_mention() -> None:
    def people(kind: Kind, weights: FeatureWeights) -> list[int]:
        linker = Linker(ScriptedMemory(3, strength=2.0), weights)
        cues = read_cues("you", kind)
        return [linker.link(MentionContext(cues), hidden, token).person for token, hidden in enumerate((ONE, OTHER))]

    assert people("pronoun", initial_weights()) == [1, 2]
    assert people("pronoun", {**initial_weights(), "new_pronoun": -3}) == [1, 1]
    assert people("nominal", {**initial_weights(), "new_pronoun": -3, "new_name": -3}) == [1, 2]


def test_one_who_cannot_be_meant_is_left_out() -> None:
    story = Story(strength=20)
    story.link("somebody", "nominal", ONE)
    link = story.linker.link(MentionContext(read_cues("somebody", "nominal"), excludes=frozenset([1])), ONE, 20)
    assert link.person == 2
    np.testing.assert_allclose(link.coref_prob + link.overwrite_prob, [0, 1, 0])


def test_a_name_calls_a_person_back_from_the_register() -> None:
    story = Story(num_cells=1)
    story.link("Robert Fripp", "name", ONE)
    story.link("Steve Ball", "name", OTHER)
    link = story.link("Fripp", "name")
    assert link.person == 1
    # It is an overwrite of the only cell.
    np.testing.assert_array_equal(link.coref_prob < 0.1, [True])
    assert link.overwrite_prob[0] > 0.9


def test_so_does_a_pet_name_or_the_same_definite_nominal() -> None:
    story = Story(num_cells=1)
    story.link("Elizabeth Bennet", "name", ONE)
    story.link("the turnkey", "nominal", OTHER)
    assert story.link("Lizzy", "name", ONE).person == 1
    assert story.link("the turnkey", "nominal", OTHER).person == 2
    assert story.link("Eliza", "name", ONE).person == 1
    assert story.link("a turnkey", "nominal", OTHER).person == 3


def test_nobody_is_called_back_by_a_pronoun_or_a_clashing_name() -> None:
    story = Story(num_cells=1, strength=20)
    story.link("Jane Bennet", "name", ONE)
    story.link("Tom", "name", OTHER)
    assert story.link("Mary Bennet", "name", ONE).person == 3
    story.link("Tom", "name", OTHER)
    assert story.link("she", "pronoun", ONE).person == 4


def test_the_narrator_is_called_back_by_i() -> None:
    story = Story(num_cells=1)
    story.link("I", "pronoun", ONE)
    story.link("Tom", "name", OTHER)
    assert story.link("my", "pronoun", ONE).person == 1
    story.link("Tom", "name", OTHER)
    assert story.link("my", "pronoun", ONE, quotation=Utterance(Turn(1, 0))).person == 3  # somebody quoted
    story.link("Tom", "name", OTHER)
    assert story.link("my", "pronoun", quotation=Utterance(Turn(2, 0), "I")).person == 1  # "I said"


def test_whoever_is_told_of_does_not_become_the_narrator() -> None:
    story = Story(num_cells=2)
    for _ in range(3):
        story.link("Margaret", "name", ONE)
    # An I whose quotation was not recognised: the memory may take it for her.
    story.linker._weights = {**initial_weights(), "narration_conflict": 0.0}
    assert story.link("I", "pronoun", ONE).person == 1
    assert story.linker._discourse._scene.narrator is None


def test_whoever_told_less_does_not_become_the_narrator() -> None:
    story = Story(num_cells=2, strength=30)
    for _ in range(3):
        assert story.link("I", "pronoun", ONE).person == 1
    # A monologue whose quotation marks were lost: the memory is sure of somebody else.
    story.link("I", "pronoun", OTHER, quotation=Utterance(Turn(1, 0)))
    assert [story.link("I", "pronoun", OTHER).person for _ in range(2)] == [2, 2]
    assert story.link("my", "pronoun", NOBODY).person == 1
    # It was none: by and by the story is another's.
    assert [story.link("I", "pronoun", OTHER).person for _ in range(3)] == [2, 2, 2]
    assert story.link("my", "pronoun", NOBODY).person == 2


def test_the_speaker_is_called_back_by_the_ascription() -> None:
    story = Story(num_cells=1)
    story.link("Vera Lind", "name", ONE)
    story.link("Tom", "name", OTHER)
    assert story.link("I", "pronoun", quotation=Utterance(Turn(1, 0), "Vera")).person == 1


def test_a_relation_used_like_a_name_calls_back() -> None:
    story = Story(num_cells=1)
    story.link("pap", "nominal", ONE)
    story.link("Tom", "name", OTHER)
    assert story.link("pap", "nominal").person == 1


def test_the_very_name_wins_over_any_feeling_but_not_over_a_title() -> None:
    story = Story(strength=5)
    story.link("Mr. Bennet", "name", ONE)
    assert story.link("Bennet", "name", OTHER).person == 1
    assert story.link("Mrs. Bennet", "name", ONE).person == 2
    assert story.link("Mr. Bennet", "name", OTHER).person == 1


def test_people_dropped_from_memory_are_forgotten() -> None:
    class Forgetful(ScriptedMemory):
        def commit(self, person: int, hidden: np.ndarray, token: int, *, named: bool) -> int | None:
            leaving = self.in_cells[self.next_cell]
            super().commit(person, hidden, token, named=named)
            return leaving if leaving not in (None, person) else None

    linker = Linker(Forgetful(1), initial_weights())
    assert linker.link(MentionContext(read_cues("I", "pronoun")), ONE, 1).person == 1
    assert linker.link(MentionContext(read_cues("Jane", "name")), OTHER, 2).person == 2
    assert not linker.knows(1)
    assert linker.link(MentionContext(read_cues("I", "pronoun")), ONE, 3).person == 3
    assert linker.link(MentionContext(read_cues("Jane", "name")), OTHER, 4).person == 4
    assert [linker.knows(person) for person in (1, 2, 3, 4)] == [False, False, False, True]
    assert set(linker._discourse._by_word) == {"jane"}


def test_i_in_narration_is_nobody_who_is_told_of_again_and_again() -> None:
    story = Story(num_cells=2, strength=30)
    for _ in range(4):
        story.link("Margaret", "name", ONE)
    assert story.link("I", "pronoun", ONE).person == 2
    for _ in range(3):
        story.link("I", "pronoun", ONE)
    assert story.link("she", "pronoun", ONE).person == 1  # not the narrator
    assert story.link("I", "pronoun", ONE, quotation=Utterance(Turn(1, 0), "Margaret")).person == 1
