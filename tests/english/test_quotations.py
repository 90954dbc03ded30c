from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petra.english.quotations import Quotations, Turn, Utterance


def read(*pieces: str) -> Quotations:
    quotations = Quotations()
    for piece in pieces:
        quotations.feed(piece)
    quotations.finish()
    return quotations


def quoted(text: str) -> list[str]:
    """The text of each quotation, with its opening mark."""
    quotations, found = read(text), [""]
    for place, character in enumerate(text):
        if quotations.at(place) is None:
            found.append("")
        elif quotations.at(place) is not quotations.at(place - 1):
            found.append(character)
        else:
            found[-1] += character
    return list(filter(None, found))


def turns(text: str) -> list[tuple[int, int, str | None]]:
    """Exchange, side and speaker of every quotation, by a digit in each."""
    quotations = read(text)
    found = [quotations.at(place) for place, character in enumerate(text) if character.isdigit()]
    return [(one.turn.exchange, one.turn.side, one.speaker) for one in found if one is not None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("“Yes,” said she. “No.”", ["“Yes,", "“No."]),
        ('"Yes," said she. "No."', ['"Yes,', '"No.']),
        ("«Yes», said she.", ["«Yes"]),
        ("``Yes,'' said she. It's late.", ["``Yes,'"]),
        ("‘I don’t know,’ said she.", ["‘I don’t know,"]),
        ("'I don't know,' said she, 'what it's for.'", ["'I don't know,", "'what it's for."]),
        ("They took 'em. 'Tis late,' said she.", ["'Tis late,"]),
        ("“Take 'em.” 'Twas late. 'Em too.", ["“Take 'em."]),  # whose first quotation had other marks
        ("“He said ‘No.’ to me.”", ["“He said ‘No.’ to me."]),  # a quotation inside is part of it
        ("She doesn’t, and Jane’s ‘cat’ too", ["‘cat’ too"]),  # taken for an apostrophe, until a blank line
        ("“First paragraph.\n\n“Second.” Out.", ["“First paragraph.\n", "“Second."]),
        ('"Lost.\n \nOut. "In."', ['"Lost.\n ', '"In.']),
        ('"First paragraph.\n  "Second." Out. "In."', ['"First paragraph.\n  ', '"Second.', '"In.']),
        ('"Lost end.\nOut.\n"In," said she.', ['"Lost end.\nOut.\n', '"In,']),
        ('A nail of 6" and one of 5". "In."', ['"In.']),
        ('Lost beginning," said she. "In."', ['"In.']),
        ('"Closed on the next line.\n" Out. "In."', ['"Closed on the next line.\n', '"In.']),
        ('"To the end\n"', ['"To the end\n']),
        ('"He sang "Red Rover"; and said\n"Amen" to it." Out.', ['"He sang "Red Rover"; and said\n"Amen" to it.']),
        ('"He said "no," and went.\n"Who?" Out.', ['"He said "no," and went.\n', '"Who?']),
        ('"One "two "three" out.', ['"One "two ', '"three']),
        ("“One “Two” out", ["“One ", "“Two"]),  # the first has lost its end
        ("nothing", []),
    ],
)
def test_where_somebody_is_quoted(text: str, expected: list[str]) -> None:
    assert quoted(text) == expected


def test_a_quotation_without_end_is_given_up() -> None:
    assert quoted("“" + "a" * 10_000) == ["“" + "a" * 4_999]


def test_two_speak_by_turns_with_nothing_between() -> None:
    assert turns("“1?” “2.” “3!”") == [(1, 0, None), (1, 1, None), (1, 0, None)]
    assert turns("“1?”\n\n“2.”\n\n“3!”") == [(1, 0, None), (1, 1, None), (1, 0, None)]


def test_a_sentence_goes_on_after_the_attribution() -> None:
    assert turns("“1,” said Mrs. Orr, “2.” “3.”") == [(1, 0, "Mrs. Orr"), (1, 0, "Mrs. Orr"), (1, 1, None)]


def test_another_sentence_between_tells_nothing_of_who_speaks_next() -> None:
    assert turns("“1.” Vera looked up. “2.”") == [(1, 0, None), (2, 0, None)]


def test_a_paragraph_has_one_speaker_and_the_next_one_replies() -> None:
    assert turns("It rained.\n\n“1.” Vera looked up. “2.”\n\n“3,” said Tom. He left.\n\n“4.”") == [
        (1, 0, None),
        (1, 0, None),
        (1, 1, "Tom"),
        (1, 0, None),
    ]


def test_a_paragraph_that_does_not_open_with_a_quotation_begins_another_exchange() -> None:
    assert turns("“1.”\n\nThey walked on. “2.”") == [(1, 0, None), (2, 0, None)]
    assert turns("“1.”\n\nThey walked on.\n\n“2.”") == [(1, 0, None), (2, 0, None)]


def test_a_speech_of_several_paragraphs_has_one_speaker() -> None:
    assert turns("Vera said, “1.\n\n“2.\n\n“3.”\n\n“4.”") == [
        (1, 0, "Vera"),
        (1, 0, "Vera"),
        (1, 0, "Vera"),
        (1, 1, None),
    ]


def test_words_that_say_who_spoke_are_found() -> None:
    text = "“Yes,” said Vera. Tom left."
    quotations = read(text)
    assert quotations.at(1) == Utterance(Turn(1, 0), "Vera")
    assert quotations.attributed_at(text.index("Vera")) == Turn(1, 0)
    assert quotations.attributed_at(text.index("Tom")) is None


def test_what_follows_a_cue_is_a_quotation_by_whom_it_names() -> None:
    text = "It rained.\n\nVera: You said “No” 1.\nOnni: I did 2.\nJo: Me too 3.\nVera: Hm 4.\n\nThey left. “5.”"
    assert turns(text) == [(1, 0, "Vera"), (1, 1, "Onni"), (1, 2, "Jo"), (1, 0, "Vera"), (2, 0, None)]
    assert quoted(text)[:2] == ["You said “No” 1.\n", "I did 2.\n"]
    quotations = read(text)
    assert quotations.attributed_at(text.index("Vera")) == Turn(1, 0)
    assert quotations.attributed_at(text.index("Jo")) == Turn(1, 2, addressee=1)
    assert quotations.opens_at(text.index("You"))
    assert not quotations.opens_at(text.index("said"))
    assert not quotations.opens_at(text.index("It"))


def test_whom_a_third_speaker_speaks_to() -> None:
    assert Turn(1, 0).other == Turn(1, 1)
    assert Turn(1, 2, addressee=1).other == Turn(1, 1, addressee=2)
    assert Turn(1, 2, addressee=1).other.other == Turn(1, 2, addressee=1)


def test_questions_and_answers_have_two_sides() -> None:
    assert turns("Q: You 1?\nA: I 2.\n\nQ: 3?\nA: 4.") == [(1, 0, None), (1, 1, None), (1, 0, None), (1, 1, None)]


def test_a_cue_line_ends_a_quotation_that_lost_its_mark() -> None:
    assert quoted("“Lost.\nVera: Are you in?\nTom: I am.") == ["“Lost.\nVera: ", "Are you in?\n", "I am."]


def test_a_cue_line_is_settled_when_another_follows() -> None:
    quotations = Quotations()
    quotations.feed("It rained.\nVera: Are you in?\n")
    assert quotations.settled == 11
    quotations.feed("Tom: I am.\nNow.\n")
    assert quotations.settled == 29 + 11  # "Now." may still be a cue
    assert quotations.at(17) == Utterance(Turn(1, 0), "Vera")


def test_nothing_is_settled_before_it_can_be_known_who_speaks() -> None:
    quotations = Quotations()
    quotations.feed("He rose. “Yes")
    assert quotations.settled == 9
    quotations.feed(",” said Vera.")
    assert quotations.settled == 9
    quotations.feed(" It rained. “")
    assert quotations.settled == 38
    assert quotations.at(10) == Utterance(Turn(1, 0), "Vera")
    quotations.feed("No.”" + " It rained." * 40)
    assert quotations.settled == 38 + 5 + 440


def test_what_is_behind_is_forgotten() -> None:
    quotations = Quotations()
    for turn in range(1000):
        quotations.feed("“Yes,” she said. ")
        quotations.forget_before(17 * turn)
        assert quotations.at(17 * turn + 3) is not None
        assert quotations.at(17 * turn + 8) is None
    assert len(quotations._starts) < 5
    assert len(quotations._attributing) < 3


CUE_LINES = [
    "Vera: ",
    "Tom: ",
    "TOM. ",
    "Q: ",
    "A: ",
    "<vee> ",
    "I am",
    "you",
    "\n",
    "\n\n",
    "“",
    "”",
    '"',
    " ",
    "(",
    ".",
]
TEXTS = st.text("“”\"«»‘’'` \nAa.,", max_size=40) | st.lists(st.sampled_from(CUE_LINES), max_size=20).map("".join)


@given(text=TEXTS, cuts=st.lists(st.integers(0, 80), max_size=5))
def test_portions_do_not_matter(text: str, cuts: list[int]) -> None:
    places = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]
    whole, parts = read(text), Quotations()
    for begin, end in pairwise(places):
        parts.feed(text[begin:end])
        # What is settled stays so.
        assert [parts.at(place) for place in range(parts.settled)] == [
            whole.at(place) for place in range(parts.settled)
        ]
    parts.finish()
    assert [parts.at(place) for place in range(len(text))] == [whole.at(place) for place in range(len(text))]


def dashed(text: str) -> list[str]:
    return [text[part.start : part.end] for part in read(text).take()]


def test_a_dash_that_opens_a_line_opens_a_quotation() -> None:
    assert dashed("—Hello.\n—Hi, said Ann. I am here.\nIt rained—and rained.") == ["—Hello.", "—Hi,", "I am here."]
    assert dashed("One.\n\n―Come up, Tom! he cried loudly. Come\nup.\n\n―Yes.\n\nHe went.") == [
        "―Come up, Tom!",
        "Come\nup.",
        "―Yes.",
    ]
    assert turns("—1 Yes, said Ann.\n—2 No.") == []  # no letter follows the dash
    assert turns("—A1, said Ann.\n—B2.") == [(1, 0, "Ann"), (1, 1, None)]


def test_a_dash_in_a_sentence_or_before_a_signature_opens_nothing() -> None:
    assert dashed("He came\n—and went.\n\n—Ada Vale\n\nOut.") == []


def test_parts_have_their_marks_and_the_place_of_the_attribution() -> None:
    text = "“Yes,” said Vera, “no.”\n\nTom said: “Oh?”"
    first, second, third = read(text).take()
    assert [text[part.start : part.end] for part in (first, second, third)] == ["“Yes,”", "“no.”", "“Oh?”"]
    assert [part.is_continuation for part in (first, second, third)] == [False, True, False]
    assert first.attribution is not None
    assert text[first.attribution.place :].startswith("Vera")
    assert third.attribution is not None
    assert text[third.attribution.place :].startswith("Tom")


def test_parts_are_taken_once_and_only_when_their_speaker_is_known() -> None:
    quotations = Quotations()
    quotations.feed("“Yes,” said ")
    assert quotations.take() == []  # whoever is named next
    quotations.feed("Vera. " + "It rained. " * 40)
    (part,) = quotations.take()
    assert part.attribution is not None
    assert quotations.take() == []


def test_a_quotation_that_is_never_closed_is_given_up_at_the_same_place_however_the_text_is_cut() -> None:
    text = "“" + "Yes and no " * 1000 + "he said."  # no mark and no end of a line after the first
    whole = read(text)
    assert (whole.at(4_999) is not None, whole.at(5_000)) == (True, None)
    for size in (1, 7, 1_000):
        parts = Quotations()
        for begin in range(0, len(text), size):
            parts.feed(text[begin : begin + size])
        parts.finish()
        assert parts.take() == read(text).take()
