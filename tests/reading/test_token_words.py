from __future__ import annotations

import pytest
from hypothesis import given
from strategies import logs
from written_logs import Mark, written_log

from petra.log.memory_log import MemoryLog
from petra.reading.by_token.decisions import decide
from petra.reading.by_token.words import Word, WordReader
from petra.text.buffer import TextBuffer


def read(log: MemoryLog) -> list[Word]:
    buffer = TextBuffer()
    buffer.append(log.text)
    reader = WordReader(buffer)
    decisions = decide(log.coref_prob, log.overwrite_prob, log.threshold)
    tokens = zip(log.starts.tolist(), log.ends.tolist(), log.words.tolist(), strict=True)
    words = [word for row, token in enumerate(tokens) for word in reader.read(*token, decisions.get(row))]
    return [*words, *reader.finish()]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Jane met Tom.", ["Jane", "met", "Tom"]),
        ("O'Neil and D’Arcy", ["O'Neil", "and", "D’Arcy"]),
        ("Jean-Luc met Kim Jong-un.", ["Jean-Luc", "met", "Kim", "Jong-un"]),
        ("her mother-in-law", ["her", "mother-in-law"]),
        ("J.R.R. Tolkien, J. K. Rowling", ["J.R.R.", "Tolkien", "J.", "K.", "Rowling"]),
        ("Mr. Darcy saw Dr. King, Jr. there.", ["Mr.", "Darcy", "saw", "Dr.", "King", "Jr.", "there"]),
        ("the U.S. Senate", ["the", "U.S.", "Senate"]),
        # Endings hang on a word and are no part of it.
        ("Jane's, James' and O'Neil's", ["Jane", "James", "and", "O'Neil"]),
        ("he'll say I'm JANE'S", ["he", "say", "I", "JANE"]),
        ("it didn't", ["it", "didn"]),
        # Not one word: dashes, a hyphen beside a pronoun, a sentence without its space.
        ("Tom--Jane–Ann", ["Tom", "Jane", "Ann"]),
        ("saw him-and left", ["saw", "him", "and", "left"]),
        ("a Seattle-based Obama-era", ["a", "Seattle", "based", "Obama", "era"]),
        ("saw Tom.Jane left", ["saw", "Tom", "Jane", "left"]),
        ("and I. Tom", ["and", "I", "Tom"]),
        # Any script: accents as marks of their own, no spaces, right to left.
        ("cafe\u0301 Zoe\u0308", ["cafe\u0301", "Zoe\u0308"]),
        ("שלום דוד!", ["שלום", "דוד"]),
        ("👩‍👧 Jane_Tom", ["Jane", "Tom"]),
        ("a-b-c-d-e-f-g-h-i", ["a-b-c-d-e-f-g-h", "i"]),
        ("", []),
        (" …!", []),
    ],
)
def test_words_as_written(text: str, words: list[str]) -> None:
    assert [word.text for word in read(written_log(text))] == words


def test_a_gap_holds_what_stands_between_two_words_and_their_endings() -> None:
    words = read(written_log("“Mr. Bennet's old, old man’s hat"))
    assert [word.gap for word in words] == ["“", " ", " ", ", ", " ", " "]
    assert [word.has_ending for word in words] == [False, True, False, False, True, False]


@pytest.mark.parametrize(
    ("marks", "inside", "in_gap"),
    [
        ([("O", 0, "new"), ("Neil", 0, "same")], [0, 0], []),
        ([("'", 1, "new")], [1], []),  # within the word
        ([("s", 2, "same")], [2], []),  # on its ending
        ([("“", 3, "new")], [], [3]),
    ],
)
def test_a_word_has_the_decisions_of_all_its_tokens(marks: list[Mark], inside: list[int], in_gap: list[int]) -> None:
    (word,) = read(written_log("“O'Neil's", *marks))
    assert [decision.cell for decision in word.decisions] == inside
    assert [decision.cell for decision in word.gap_decisions] == in_gap


def test_a_dot_that_belongs_to_a_word_brings_its_decision() -> None:
    title, name, after = read(written_log("Mr. Darcy. He", (".", 1, "new"), (".", 2, "new")))
    assert [decision.cell for decision in title.decisions] == [1]
    assert [*name.decisions, *name.gap_decisions] == []
    assert [decision.cell for decision in after.gap_decisions] == [2]


def test_word_pieces_and_the_bytes_of_a_character_are_one_word() -> None:
    # As a byte-level tokenizer has it: Zo + two tokens for the bytes of ë.
    buffer = TextBuffer()
    buffer.append("Zoë!")
    reader = WordReader(buffer)
    for start, end in [(0, 2), (2, 3), (2, 3), (3, 4)]:
        assert list(reader.read(start, end, 0, None)) == []
    assert [word.text for word in reader.finish()] == ["Zoë"]


def test_a_tokenizer_may_keep_punctuation_with_a_word() -> None:
    buffer = TextBuffer()
    buffer.append("“O'Neil's, Tom")
    reader = WordReader(buffer)
    words = [*reader.read(0, 10, 0, None), *reader.read(11, 14, 1, None), *reader.finish()]
    assert [word.text for word in words] == ["O'Neil", "Tom"]


@given(log=logs())
def test_words_follow_each_other_and_are_where_they_say(log: MemoryLog) -> None:
    end = 0
    for word in read(log):
        assert end <= word.start < word.end
        assert log.text[word.start : word.end] == word.text
        assert any(character.isalnum() for character in word.text)
        end = word.end


@given(log=logs())
def test_no_decision_is_lost_or_doubled(log: MemoryLog) -> None:
    decided = decide(log.coref_prob, log.overwrite_prob, log.threshold)
    words = read(log)
    found = [decision for word in words for decision in (*word.gap_decisions, *word.decisions)]
    # All in order, less those after the last word.
    assert found == list(decided.values())[: len(found)]
    last = words[-1].end if words else len(log.text)
    assert len(found) >= sum(int(log.starts[row]) < last for row in decided) * bool(words)
