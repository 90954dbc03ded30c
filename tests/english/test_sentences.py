from __future__ import annotations

from hypothesis import given
from strategies import texts

from petra.english.sentences import paragraph_starts, parse, sentence_starts


def sentences_of(text: str) -> list[str]:
    passage = parse(text)
    return [text[slice(*passage.bounds(number, number))] for number in range(len(passage.sentences))]


def test_sentences_end_at_marks_before_a_capital() -> None:
    text = 'Ada Vale left Kew in no. 5. "Why?" asked Ruth. (She knew.) Dr. J. Pym and Vale vs. Ash met.'
    assert sentences_of(text) == [
        "Ada Vale left Kew in no. 5.",
        '"Why?" asked Ruth.',
        "(She knew.)",
        "Dr. J. Pym and Vale vs. Ash met.",
    ]


def test_a_possessive_ending_is_no_part_of_the_word() -> None:
    passage = parse("Ada's boat, the Ashes' oars and Jones' sail don't float")
    assert [(word.text, word.possessive) for word in passage.words if word.capitalised or word.text == "don't"] == [
        ("Ada", True),
        ("Ashes", True),
        ("Jones", True),
        ("don't", False),
    ]
    assert [word.gap for word in passage.words][:3] == ["", " ", ", "]


def test_words_in_quotation_marks_are_told() -> None:
    passage = parse("She said \"I go\" and “we stay” and ``he did'' left")
    assert [word.text for word in passage.words if word.quoted] == ["I", "go", "we", "stay", "he", "did"]


def test_a_text_without_words_has_no_sentences() -> None:
    assert parse("... ?").words == ()
    assert parse("").sentences == ()


@given(texts())
def test_words_slice_back_to_the_text(text: str) -> None:
    passage = parse(text)
    reach = 0
    for word in passage.words:
        assert text[word.start : word.end] == word.text
        assert text[reach : word.start] == word.gap
        assert word.end <= word.reach
        reach = word.reach
    assert [place for sentence in passage.sentences for place in sentence] == list(range(len(passage.words)))


def test_where_paragraphs_and_sentences_begin() -> None:
    text = "Mr. Vale came.\nHe sat. He\nslept.\r\n \r\nAda woke.\n\n\n"
    assert [text[start:][:5] for start in paragraph_starts(text)] == ["Mr. V", "Ada w"]
    assert [text[start:][:5] for start in sentence_starts(text)] == ["Mr. V", "He sa", "He\nsl", "Ada w"]
    assert paragraph_starts("") == sentence_starts("") == [0]
    assert paragraph_starts("a\nb\rc") == [0, 2, 4]
    assert paragraph_starts("a\r\nb\r\n\r\nc") == [0, 8]  # one line end of two characters is no blank line
