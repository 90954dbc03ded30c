from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from petra.text.pieces import PieceCutter, is_safe_cut

texts = st.text(st.sampled_from("ab \t\r\n\u00a0\u200b\u0301\U0001f600"), max_size=60)


def cut(pieces: list[str], limit: int) -> list[str]:
    cutter = PieceCutter(limit)
    return [piece for text in pieces for piece in cutter.feed(text)] + cutter.finish()


def boundaries(pieces: list[str]) -> list[int]:
    return [sum(map(len, pieces[:count])) for count in range(1, len(pieces))]


def test_a_piece_ends_before_the_last_white_space_in_reach() -> None:
    assert cut(["one two three"], 100) == ["one two", " three"]
    assert cut(["one two three"], 7) == ["one two", " three"]
    assert cut(["one two three"], 6) == ["one", " two", " three"]


def test_a_stretch_without_white_space_is_cut_at_the_limit() -> None:
    assert cut(["a abcdefghij"], 4) == ["a", " abc", "defg", "hij"]


def test_white_space_of_one_run_stays_together() -> None:
    assert cut(["a\r\n  b"], 100) == ["a", "\r\n  b"]


def test_no_cut_beside_characters_whose_meaning_depends_on_their_neighbours() -> None:
    assert not is_safe_cut("a\u00a0 b", 2)  # a no-break space belongs to the run
    assert not is_safe_cut("a\u00a0b", 1)  # and some tokenizers take it for a letter
    assert not is_safe_cut("a\u200b b", 2)  # zero width space
    assert is_safe_cut("a\u0301 b", 2)


@given(texts, st.integers(1, 12), st.data())
def test_pieces_join_to_the_text_and_keep_to_the_limit(text: str, limit: int, data: st.DataObject) -> None:
    places = sorted(data.draw(st.lists(st.integers(0, len(text)))))
    fed = [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]
    pieces = cut(fed, limit)
    assert "".join(pieces) == text
    assert all(0 < len(piece) <= limit for piece in pieces)


@given(texts, st.integers(1, 12), st.data())
def test_words_are_cut_through_in_the_same_places_however_fed(text: str, limit: int, data: st.DataObject) -> None:
    places = sorted(data.draw(st.lists(st.integers(0, len(text)))))
    fed = [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]
    hard = [[place for place in boundaries(cut(way, limit)) if not is_safe_cut(text, place)] for way in (fed, [text])]
    assert hard[0] == hard[1]
