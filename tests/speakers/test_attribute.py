from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petra.domain import Kind
from petra.english.quotations import Quotations, QuotedPart
from petra.log.mentions import LoggedMention, LogMentions
from petra.speakers.attribute import attribute_quotations
from petra.speakers.conversation import Conversation, parts_of
from petra.speakers.features import SPEAKER_FEATURES, SPEECH_FEATURES
from petra.speakers.scorer import initial_weights, learned_weights, shares

_MARK = re.compile(r"\[(\w+)=(\d) ([^\]]+)\]")
_KINDS: dict[str, Kind] = {"n": "name", "o": "nominal", "p": "pronoun"}


def read(marked: str) -> tuple[str, LogMentions]:
    """A text whose mentions are marked as [KIND=PERSON words]."""
    mentions, text, place = [], "", 0
    for found in _MARK.finditer(marked):
        text += marked[place : found.start()]
        mentions.append(LoggedMention(len(text), len(text) + len(found[3]), _KINDS[found[1]], 0, int(found[2]), 1.0))
        text += found[3]
        place = found.end()
    return text + marked[place:], LogMentions.of(mentions)


def speakers(marked: str) -> list[tuple[int | None, str]]:
    text, mentions = read(marked)
    found = attribute_quotations(text, mentions).quotations(mentions)
    return [(each.speaker, each.found_by) for each in found]


def addressees(marked: str) -> list[int | None]:
    text, mentions = read(marked)
    return [each.addressee for each in attribute_quotations(text, mentions).quotations(mentions)]


def parts(marked: str) -> list[list[str]]:
    text, mentions = read(marked)
    found = attribute_quotations(text, mentions).quotations(mentions)
    return [[text[start:end] for start, end in each.parts] for each in found]


BOTH = "[n=1 Ada] met [n=2 Tom].\n\n"


def test_a_name_beside_the_quotation_is_its_speaker() -> None:
    assert speakers(BOTH + "“Come,” said [n=1 Ada].\n\n[n=2 Tom] replied, “Yes.”") == [(1, "explicit"), (2, "explicit")]


def test_a_pronoun_or_a_nominal_beside_it_is_its_speaker() -> None:
    told = BOTH + "“Come,” [p=1 she] said.\n\n“Why?” asked [o=2 the boy]."
    assert speakers(told) == [(1, "anaphoric"), (2, "anaphoric")]


def test_two_people_speak_by_turns() -> None:
    told = BOTH + "“Come,” said [n=1 Ada].\n\n“Where?” said [n=2 Tom].\n\n“Home.”\n\n“Now?”\n\n“Now.”"
    assert [speaker for speaker, _ in speakers(told)] == [1, 2, 1, 2, 1]
    assert addressees(told) == [2, 1, 2, 1, 2]


def test_who_acts_in_the_paragraph_speaks_in_it() -> None:
    told = BOTH + "[n=2 Tom] shook [p=2 his] head. “It is late.”\n\nIt rained."
    assert speakers(told) == [(2, "implicit")]


def test_who_is_called_by_name_is_the_addressee_and_not_the_speaker() -> None:
    told = BOTH + "[n=1 Ada] looked at [n=2 Tom]. “Come, [n=2 Tom], it is late.”"
    assert speakers(told) == [(1, "implicit")]
    assert addressees(told) == [2]


def test_a_cue_names_the_speaker() -> None:
    told = "[n=1 ADA]. Where were you?\n\n[n=2 TOM]. I was out.\n\n[n=1 ADA]. You say so.\n"
    assert speakers(told) == [(1, "cue"), (2, "cue"), (1, "cue")]
    assert parts(told) == [["Where were you?"], ["I was out."], ["You say so."]]


def test_a_signature_names_the_speaker() -> None:
    told = "[n=1 Ada] read.\n\n“I shall come on Monday.\n\n“[n=2 Tom Orr]”\n\n[n=1 Ada] smiled."
    assert [speaker for speaker, _ in speakers(told)] == [2]


def test_words_that_were_no_mention_name_whoever_has_them() -> None:
    told = "[o=1 The Dormouse] met [n=2 Tom].\n\n“Why?” said [n=2 Tom].\n\n“Sixteen,” said the Dormouse."
    assert [speaker for speaker, _ in speakers(told)] == [2, 1]


def test_nobody_speaks_where_the_text_has_no_people() -> None:
    assert speakers("“Come here!” said a voice.") == [(None, "implicit")]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("“Come,” said [n=1 Ada], “now.” It rained.", [["“Come,”", "“now.”"]]),
        ("“Come.\n\n“Now,” said [n=1 Ada].", [["“Come.", "“Now,”"]]),
        ("«Come», said [n=1 Ada].", [["«Come»"]]),
        ("``Come,'' said [n=1 Ada].", [["``Come,''"]]),
        ("‘He said “No” to me,’ said [n=1 Ada].", [["‘He said “No” to me,’"]]),
        ("'Come,' said [n=1 Ada].", [["'Come,'"]]),
        ("They call it the “end” of the line, said [n=1 Ada].", []),  # nobody says it
    ],
)
def test_forms_of_quotations(told: str, expected: list[list[str]]) -> None:
    assert parts(told) == expected


def test_weights_are_of_known_features() -> None:
    for weights in (initial_weights(), learned_weights()):
        assert list(weights.speaker) == list(SPEAKER_FEATURES)
        assert list(weights.speech) == list(SPEECH_FEATURES)


def test_shares_are_those_of_a_softmax() -> None:
    # Scores ln 3 and 0: shares of 3/4 and 1/4.
    assert shares([{"named": 1.0}, {}], {"named": 1.0986123}) == pytest.approx([0.75, 0.25])


SENTENCES = st.sampled_from(
    [
        "“Come,” ",
        "said Ada. ",
        "said Tom, ",
        "“now.”",
        "\n\n",
        "\n",
        "‘Yes.’ ",
        "'No,' ",
        "« Oh » ",
        '"Why?" ',
        "“Lost. ",
        "ADA. Where are you?\n",
        "TOM. I am here.\n",
        "Q: Who are you?\n",
        "A: I am Tom.\n",
        "``Well,'' ",
        "—Come in. ",
        "It rained. ",
    ]
)


@given(st.lists(SENTENCES, max_size=14).map("".join), st.data())
def test_parts_do_not_depend_on_how_the_text_is_cut(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    quotations, found = Quotations(), list[QuotedPart]()
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        quotations.feed(text[start:end])
        found += quotations.take()
    quotations.finish()
    found += quotations.take()
    assert found == parts_of(text)
    edges = [edge for part in found for edge in (part.start, part.end)]
    assert edges == sorted(edges)
    assert all(text[part.start : part.end].strip() == text[part.start : part.end] != "" for part in found)


@given(st.lists(SENTENCES, max_size=14).map("".join))
def test_every_part_is_of_one_quotation(text: str) -> None:
    conversation = Conversation(text, LogMentions.of(()))
    assert [part for quoted in conversation.quotations for part in quoted.parts] == parts_of(text)


def test_a_verb_of_saying_before_the_quotation_goes_with_whoever_acts_nearest() -> None:
    told = "[n=1 Ada] was met by [n=2 Tom], who, flying to [p=1 her], cried in a half whisper, “Come!”"
    assert [speaker for speaker, _ in speakers(told)] == [2]


def test_a_verb_beside_the_quotation_before_says_nothing_of_the_next() -> None:
    text, mentions = read(BOTH + "“Come,” said [n=1 Ada].\n\n“Why?”")
    assert [quoted.verb for quoted in Conversation(text, mentions).quotations] == [None, None]


def test_the_reply_calls_who_spoke_before_it() -> None:
    three = "[n=1 Ada] met [n=2 Tom] and [n=3 Eve].\n\n"
    told = three + "“Will it rain?”\n\n“No, [n=3 Eve],” said [n=1 Ada]."
    assert [speaker for speaker, _ in speakers(told)] == [3, 1]


def test_a_nominal_in_address_is_whom_the_quotation_is_said_to() -> None:
    assert addressees(BOTH + "“Yes, [o=2 my dear], come,” said [n=1 Ada].") == [2]
