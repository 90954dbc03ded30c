from __future__ import annotations

from math import log

import pytest

from petra.domain import Kind
from petra.linking.cues import read_cues
from petra.linking.features import Candidate, KnownRows, candidate_features, name_relations, new_person_features
from petra.linking.profile import Profile
from petra.linking.scene import Scene
from petra.linking.scorer import complete, total

WEIGHTS = complete(
    {
        "exact_name": 1,
        "shorter_name": 2,
        "longer_name": 4,
        "nickname": 8,
        "family_name": 0.5,
        "unrelated_name": -16,
        "conflicting_name": -32,
        "title_conflict": -64,
        "gender_conflict": -128,
        "number_conflict": -256,
        "same_phrase": 512,
        "same_head": 1024,
        "other_kin": -2048,
        "same_kin": 4096,
        "narration_conflict": -8192,
        "other_occupation": -16384,
        "apposition": 32768,
        "alias": 65536,
    }
)  # each sum tells its parts


def person(*mentions: str | tuple[str, Kind]) -> Profile:
    profile = Profile()
    for mention in mentions:
        text, kind = (mention, "name") if isinstance(mention, str) else mention
        profile = profile.after(read_cues(text, kind))
    return profile


def said(mention: str, kind: Kind, *people: Profile, described: bool = False, renamed: bool = False) -> list[float]:
    cues = read_cues(mention, kind)
    relations = name_relations(cues.name, people) if cues.name else [None] * len(people)
    candidates = [
        Candidate(number, profile, relation, described, renamed)
        for number, (profile, relation) in enumerate(zip(people, relations, strict=True), start=1)
    ]
    return [total(row, WEIGHTS) for row in candidate_features(cues, candidates, Scene())]


HE: tuple[str, Kind] = ("he", "pronoun")
SHE: tuple[str, Kind] = ("she", "pronoun")
THEY: tuple[str, Kind] = ("they", "pronoun")


@pytest.mark.parametrize(
    ("mention", "known", "expected"),
    [
        ("Darcy", "Mr. Darcy", 1),
        ("Fripp", "Robert Fripp", 2),
        ("Robert Fripp", "Fripp", 4),
        ("Lizzy", "Elizabeth", 8),
        ("Jane", "Lydia", -16),
        ("Jane Bennet", "Lydia Bennet", -32),
    ],
)
def test_names(mention: str, known: str, expected: float) -> None:
    assert said(mention, "name", person(known)) == [expected]


def test_a_relative_of_another_gender() -> None:
    # The title counts 6, the name as much as it tells; less than 3.5 of both together.
    (family,) = said("Winnie Verloc", "name", person("Mr. Verloc"))
    told = read_cues("Winnie Verloc", "name").name_gender
    assert told > 0
    assert family == pytest.approx(0.5 - 128 * told / 6, abs=2)


def test_a_fuller_name_of_another_gender_is_a_relatives() -> None:
    bennet = person("Mr. Bennet", "Mr. Bennet", "Bennet")
    assert read_cues("Elizabeth Bennet", "name").name_gender > 0
    (family,) = said("Elizabeth Bennet", "name", bennet)
    assert family < 0.5
    # Fitzwilliam tells a man.
    assert said("Fitzwilliam Darcy", "name", person("Mr. Darcy", "Mr. Darcy", "Darcy"))[0] > 0


def test_a_name_given_as_another_one_counts_whatever_the_names_are() -> None:
    assert said("Mark Twain", "name", person("Samuel Clemens"), renamed=True) == [65536]
    assert said("Ada Orr", "name", person("Ada Vale"), renamed=True) == [65536]


def test_nobody_without_a_name_gains_or_loses_by_one() -> None:
    assert said("Jane", "name", person(SHE), Profile()) == [0, 0]


def test_titles_tell_people_of_one_surname_apart() -> None:
    # It is her own name, so no relative's: his is another. He has another title, and is a man by it.
    assert said("Mrs. Bennet", "name", person("Mr. Bennet"), person("Mrs. Bennet")) == [-16 - 64 - 128, 1]
    # Both women, but of one surname two.
    assert said("Miss Lucas", "name", person("Lady Lucas")) == [0.5 - 64]
    assert said("Mrs. Collins", "name", person("Miss Lucas")) == [-16]  # she may have married


def test_a_title_that_came_by_mistake_is_outvoted() -> None:
    darcy = person("Mr. Darcy", "Mr. Darcy", "Mr. Darcy", "Miss Darcy")
    assert said("Mr. Darcy", "name", darcy) == [1]
    # Three of four say Mr.: conflict 2/4 of -64, and two more titles of a man than of a woman are certain.
    assert said("Miss Darcy", "name", darcy) == [1 - 32 - 128]


def test_a_first_name_belongs_to_everybody_who_has_it() -> None:
    bennet, fairfax = person("Jane Bennet", "Jane"), person("Jane Fairfax")
    assert said("Jane", "name", bennet, fairfax) == [1, 1]
    assert said("Jane", "name", person("Jane Bennet"), fairfax) == [2, 2]
    assert said("Jane Fairfax", "name", bennet, fairfax) == [-32, 1]
    # A surname alone is of whoever goes by it.
    assert said("Darcy", "name", person("Mr. Darcy"), person("Georgiana Darcy")) == [1, 2]


def test_a_name_is_of_whoever_is_usually_called_so() -> None:
    # That Anne was called Jane once, against five times, looks like a slip.
    jane, anne = person("Jane", "Jane", "Jane", "Jane", "Jane"), person("Anne", "Jane")
    assert said("Jane", "name", jane, anne) == [1, 2]


def test_gender_and_number() -> None:
    # One pronoun counts half, two are certain.
    assert said("she", "pronoun", person(HE), person(HE, HE, HE), person(SHE)) == [-64, -128, 0]
    assert said("she", "pronoun", person(HE, SHE)) == [0]
    assert said("the lady", "nominal", person(HE)) == [-64]
    assert said("they", "pronoun", person("Jane"), person(THEY)) == [-128, 0]
    assert said("I", "pronoun", person(THEY)) == [-128]


def test_the_same_phrase_again() -> None:
    turnkey = person(("the turnkey", "nominal"))
    assert said("the  Turnkey", "nominal", turnkey, Profile()) == [512 + 1024, 0]
    assert said("the old turnkey", "nominal", turnkey) == [1024]


def test_whoever_tells_a_story_is_not_told_of() -> None:
    i: tuple[str, Kind] = ("I", "pronoun")
    # Of a person mentioned once the certainty is half, of one mentioned three times three quarters.
    assert said("she", "pronoun", person(i), person(i, i, i), person(i, SHE)) == [-4096, -6144, 0]
    assert said("Jane", "name", person(i), person(SHE)) == [-4096, 0]
    assert said("I", "pronoun", person(SHE), person(i)) == [-4096, 0]
    assert said("we", "pronoun", person(i)) == [-128]  # several, one of them may tell it


def test_a_relation_used_like_a_name() -> None:
    papa = person(("Papa", "nominal"))
    assert said("papa", "nominal", papa, person(("father", "nominal"))) == [4096 + 1024, -2048]
    papa = read_cues("Papa", "name").name_gender
    assert said("papa", "nominal", person("Papa")) == [pytest.approx(4096 - 128 * max(0.0, papa) / 6)]


def test_a_referee_is_no_striker() -> None:
    striker = person("Ada Vale", ("the striker", "nominal"))
    assert said("the referee", "nominal", striker, person("Ada Vale")) == [-16384, 0]
    # Anybody may be a man or a friend, and an aunt too.
    for other in ("the woman", "her friend", "his aunt"):
        assert said(other, "nominal", striker) == [0]
    assert said("the referee", "nominal", striker, described=True) == [32768]
    assert said("the referee", "nominal", person(("the man", "nominal"), ("his uncle", "nominal"))) == [0]


def test_an_aunt_is_no_mother() -> None:
    aunt = person(("his aunt", "nominal"))
    assert said("her mother", "nominal", aunt, person(("the cook", "nominal"))) == [-2048, 0]
    assert said("the aunt", "nominal", aunt) == [1024]
    both = person(("his aunt", "nominal"), ("her mother", "nominal"))
    assert said("your mother", "nominal", both) == [1024]


def test_who_goes_by_a_name_leaves_none_of_it_to_relatives() -> None:
    mother = person("Mrs. Bennet")
    assert said("Elizabeth Bennet", "name", mother) == [0.5]
    assert said("Elizabeth Bennet", "name", mother, person("Elizabeth")) == [-16, 4]


def test_somebody_brought_in_is_new() -> None:
    weights: dict[str, float] = {"new_name": 1, "new_nominal": 2, "new_pronoun": 4, "new_indefinite": 8}
    mentions: list[tuple[str, Kind]] = [("Jane", "name"), ("the man", "nominal"), ("a man", "nominal"), SHE]
    assert [total(new_person_features(read_cues(*mention)), weights) for mention in mentions] == [1, 2, 10, 4]


def test_there_may_be_nobody() -> None:
    assert said("Jane", "name") == []


def test_what_is_known_of_earlier_mentions_is_what_would_be_found_anew() -> None:
    known, scene = KnownRows(), Scene()
    people = [person("Jane", SHE), person("Mr. Darcy", HE), person(("the nurse", "nominal"))]
    mentions: list[tuple[str, Kind]] = [SHE, HE, ("the nurse", "nominal"), ("Jane", "name"), THEY]
    for number in range(12):  # somebody's profile changes after each mention
        for mention in (*mentions, *((f"the nurse of {word}", "nominal") for word in ("Ada", "Tom"))):
            cues = read_cues(*mention)
            candidates = [Candidate(place, profile, None) for place, profile in enumerate(people, start=1)]
            assert candidate_features(cues, candidates, scene, known) == candidate_features(cues, candidates, scene)
        people[number % 3] = people[number % 3].after(read_cues(*mentions[number % 5]))


def test_features_are_kept_for_a_bounded_number_of_mentions() -> None:
    known, candidates = KnownRows(), [Candidate(1, person("Jane"), None)]
    for number in range(1000):
        for cues in (
            read_cues(f"the {number} nurses", "nominal"),
            read_cues(f"Jane {chr(65 + number % 26)}{chr(97 + number // 26)}", "name"),
        ):
            candidate_features(cues, candidates, Scene(), known)
    assert len(known._known) <= 101


def test_a_noun_that_tells_a_gender_goes_against_pronouns_of_the_other() -> None:
    landlady, painter = person(("the landlady", "nominal")), person(("the painter", "nominal"), HE)
    rows = candidate_features(read_cues(*HE), [Candidate(1, landlady, None), Candidate(2, painter, None)], Scene())
    assert [row.get("told_gender_conflict") for row in rows] == [1, None]
    (row,) = candidate_features(read_cues(*SHE), [Candidate(2, painter, None)], Scene())
    assert "told_gender_conflict" not in row  # a pronoun may have been linked by mistake
    assert row["gender_conflict"] > 0


@pytest.mark.parametrize(
    ("mention", "expected"),
    [
        (HE, {"earlier_paragraph": 1, "paragraphs_since": log(3)}),
        (("I", "pronoun"), {"paragraphs_since_spoken": log(3)}),
        (("the old man", "nominal"), {"paragraphs_since_nominal": log(3)}),
        (("Paul", "name"), {}),
    ],
)
def test_paragraphs_since_the_last_mention(mention: tuple[str, Kind], expected: dict[str, float]) -> None:
    far = Candidate(1, Profile(), None, paragraphs=2, is_nearest=False)
    near = Candidate(2, Profile(), None, paragraphs=0)
    cues = read_cues(*mention)
    rows = candidate_features(cues, [far, near], Scene())
    found = [{name: value for name, value in row.items() if "paragraph" in name} for row in rows]
    assert found == [pytest.approx(expected), {}]
