from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petra.english import cue_lines
from petra.english.cue_lines import CuedSpeech, CueLines


def read(*pieces: str) -> list[tuple[str, CuedSpeech | None]]:
    lines = CueLines()
    return [part for piece in pieces for part in lines.feed(piece)] + list(lines.finish())


def speeches(text: str) -> list[tuple[str | None, str]]:
    """The speaker of each speech, and the words of it without those between."""
    found: dict[CuedSpeech, str] = {}
    for part, speech in read(text):
        if speech is not None:
            found[speech] = found.get(speech, "") + part
    return [(speech.speaker, said.strip()) for speech, said in found.items()]


def sides(text: str) -> list[tuple[int, int, int | None]]:
    """Dialogue, side and addressee of each speech."""
    found = dict.fromkeys(speech for _, speech in read(text) if speech is not None)
    return [(speech.dialogue, speech.side, speech.addressee) for speech in found]


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        ("Q: Did you paint?\nA: My aunt did.", [None, None]),
        ("Q. Did you paint?\nA. No.", [None, None]),
        ("Question: Did it rain?\nAnswer: No.", [None, None]),
        ("A: How are you?\nB: I am well.\nA: Good.", [None, None, None]),
        ("Vera: Are you in?\nTom: I am.", ["Vera", "Tom"]),
        ("Vera Orme: Are you in?\nOnni: I am.\nVera Orme: Good.", ["Vera Orme", "Onni", "Vera Orme"]),
        ("Dr. Orme: Are you in?\nONNI: I am.\nDr. Orme: Good.", ["Dr. Orme", "ONNI", "Dr. Orme"]),
        ("VERA. Are you in?\nTOM. I am.", ["VERA", "TOM"]),
        ("MRS. ORME. Are you in?\nTHE DOCTOR. I am.\nMRS. ORME. Good.", ["MRS. ORME", "the doctor", "MRS. ORME"]),
        ("VERA (rising). Are you in?\nTOM [aside]: I am.", ["VERA", "TOM"]),
        ("VERA\nAre you in?\n\nTOM.\nI am.", ["VERA", "TOM"]),
        ("18:03 Vee: r u in?\n18:04 onni: i am", ["Vee", "Onni"]),
        ("[18:03:22] Vee: you?\n(18.04) Onni: me!", ["Vee", "Onni"]),
        ("[02/11/2025, 18:03] Vee: you?\n[02/11/2025, 18:04] Onni: me!", ["Vee", "Onni"]),
        ("<vee_2> r u in?\n<on|ni> i am", ["Vee_2", "On|ni"]),
        ("vee: you in?\nonni: i am\nvee: ok", ["Vee", "Onni", "Vee"]),
    ],
)
def test_cues_name_the_speakers(text: str, speakers: list[str | None]) -> None:
    assert [speaker for speaker, _ in speeches(text)] == speakers


@pytest.mark.parametrize(
    "text",
    [
        "Note: you may go.\nWarning: I bite.\nNote: you may stay.",
        "Chapter 3: I Am Born\nChapter 4: You Too\nChapter 3: I Am Born",
        "CHAPTER I.\nI was born.\n\nCHAPTER II.\nYou were not.\n\nCHAPTER I.\nI was.",
        "MR. ORME was out. You know him.\nMR. DALE was in. I know him.\nMR. ORME was out.",
        "He said: I know.\nShe said: You do.\nHe said: I do.",
        "He: I know.\nShe: You do.\nHe: I do.",
        "Dear Vera: I am well.\nDear Tom: You are not.",
        "Vera: “I am in.”\nTom: “You are.”\nVera: “I am.”",  # read by their marks
        "Name: Vera\nHeight: tall\nEyes: green\nName: Tom",  # nobody says I or you
        "Butter: I use none.\nSalt: You need some.",  # no cue recurs, and these are no given names
        "Vera: I am in.\nIt rained on you.",  # alone
        "Vera: I am in." + "\nIt rained." * 150 + "\nTom: You are.",  # too far away
        "We saw\nVera and you: I am",
    ],
)
def test_other_lines_with_a_colon_are_no_cue_lines(text: str) -> None:
    assert speeches(text) == []


def test_one_line_before_a_dialogue_is_no_part_of_it() -> None:
    assert speeches("Abstract: a talk.\nVera: Are you in?\nTom: I am.\nVera: Good.")[0] == ("Vera", "Are you in?")


def test_once_people_talk_every_cue_counts() -> None:
    assert speeches("Vera: Are you in?\nTom: I am.\nOnni: Yes.\nVera: Good.")[2] == ("Onni", "Yes.")


def test_lines_without_a_cue_go_on() -> None:
    assert speeches("Vera: Are you in?\nIt rains.\nTom: I am.\n(He sits.)\nSo I am.\n\nHe sleeps.") == [
        ("Vera", "Are you in?\nIt rains."),
        ("Tom", "I am.\nSo I am."),
    ]


def test_a_paragraph_that_says_i_goes_on_before_the_next_cue() -> None:
    answer = "A: My aunt did.\n\nI sang.\n\nShe pauses.\n\nI danced.\n\n(I laugh.)\n\n"
    assert speeches(f"Q: Did you paint?\n\n{answer}Q: You sang?\n\nI left.") == [
        (None, "Did you paint?"),
        (None, "My aunt did.\nI sang.\nI danced."),
        (None, "You sang?"),
    ]


def test_whoever_spoke_before_is_spoken_to() -> None:
    talk = "Vera: Are you in?\nTom: I am.\nVera: Good.\nOnni: You two!\nOnni: Me too.\nVera: Hm.\n"
    two = [(1, 0, None), (1, 1, None), (1, 0, None)]
    assert sides(talk) == [*two, (1, 2, 0), (1, 2, 0), (1, 0, 2)]
    assert sides(talk + "\n" + "It rained.\n" * 150 + talk)[6:9] == [(2, 0, None), (2, 1, None), (2, 0, None)]


def test_a_dialogue_has_a_bounded_number_of_speakers() -> None:
    nicks = ["".join(chr(97 + int(digit)) for digit in f"{number:03}") for number in range(100)]
    found = sides("".join(f"<{nick}> you and i\n" for nick in nicks))
    assert len(found) == 100
    assert {dialogue for dialogue, _, _ in found} == {1, 2, 3, 4}
    assert max(side for _, side, _ in found) == 31


def test_what_is_held_back_is_bounded() -> None:
    lines = CueLines()
    held = 0
    for line in ["Vera: It rained.", *["It rained."] * 200, "Vera: It rained.", "Tom: You are in.", "I am in.", ""] * 3:
        for character in line + "\n":
            list(lines.feed(character))
            held = max(held, len(lines._held))
    assert held <= 1500


def test_prose_is_not_held_back() -> None:
    lines = CueLines()
    assert list(lines.feed("She")) == []
    assert list(lines.feed(" was")) == [("She was", None)]
    assert list(lines.feed(" in: you")) == [(" in: you", None)]


FRAGMENTS = [
    *("Vera: ", "Tom: ", "TOM. ", "VERA\n", "Q: ", "A: ", "<vee> ", "18:03 jo: ", "[18:03]\tJo: ", "MR. ", "Note: "),
    *("(aside)", "I am", "you ", "it", "\n", "\n\n", " ", "  ", ".", ":", "“", "(", "Tom", "TOM", "é", "\t", "<", ">"),
]


@given(
    fragments=st.lists(st.sampled_from(FRAGMENTS), max_size=25),
    cuts=st.lists(st.integers(0, 150), max_size=8),
    ahead=st.sampled_from([20, 60, 1500]),
    longest=st.sampled_from([12, 120]),
)
def test_portions_do_not_matter(fragments: list[str], cuts: list[int], ahead: int, longest: int) -> None:
    text = "".join(fragments)
    places = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cue_lines, "_AHEAD", ahead)
        patch.setattr(cue_lines, "_LONGEST_CUE", longest)
        whole, parts = read(text), read(*(text[begin:end] for begin, end in pairwise(places)))
    assert "".join(part for part, _ in whole) == text
    assert [speech for part, speech in whole for _ in part] == [speech for part, speech in parts for _ in part]
