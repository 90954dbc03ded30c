from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tiny import byte_tokenizer, tiny_bert, tiny_mpnet

from petra.errors import ModelError
from petra.text.document import Document
from petra.text.pieces import PieceCutter, is_safe_cut
from petra.text.tokenize import Chunk, Tokenizer

# Emoji with joiner and tone, accents apart, all kinds of space and line end, right-to-left, controls, a lone mark.
ODD = "a b\tc\nd\re\u00a0\u3000\u200b\u200d\ufeff\x00\x0b\x1c\u0301\u05d0\u05b8\u0623\U0001f469\U0001f3fd\u4e2d\ufb01."
texts = st.text(st.one_of(st.sampled_from(ODD), st.characters()), max_size=40)


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    return Tokenizer.from_folder(tiny_bert(tmp_path_factory.mktemp("bert")))


@pytest.fixture(scope="module")
def byte_level() -> Tokenizer:
    return Tokenizer(byte_tokenizer())


@pytest.fixture(params=["bert", "byte_level"], scope="module")
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    found: Tokenizer = request.getfixturevalue(request.param)
    return found


def covered(document: Document) -> list[str]:
    return [document.text[start:end] for start, end in zip(document.starts, document.ends, strict=True)]


def joined(chunks: Sequence[Chunk]) -> np.ndarray:
    rows = [np.stack([chunk.token_ids, chunk.starts, chunk.ends, chunk.words]) for chunk in chunks]
    return np.concatenate([np.zeros((4, 0), dtype=np.int64), *rows], axis=1)


def table(document: Document) -> np.ndarray:
    return np.stack([document.token_ids, document.starts, document.ends, document.words])


def test_word_pieces_cover_the_text_as_given(bert: Tokenizer) -> None:
    document = bert.tokenize("Amelia met Zoë.")
    assert covered(document) == ["Amelia", "met", "Z", "o", "ë", "."]
    assert document.words.tolist() == [0, 1, 2, 2, 2, 3]


def test_words_that_stand_in_for_others_change_no_place(bert: Tokenizer) -> None:
    text = "Xe met Paul, vis-xe; I'xe saw xem, xexe and he."
    plain, standing = bert.tokenize(text), bert.with_stand_ins({"xe": "he", "xem": "him"}).tokenize(text)
    assert covered(standing) == covered(plain)
    changed = np.flatnonzero(standing.token_ids != plain.token_ids)
    assert [(text[plain.starts[token] :][:3], standing.token_ids[token]) for token in changed] == [
        ("Xe ", bert.tokenize("he").token_ids[0]),
        ("xem", bert.tokenize("him").token_ids[0]),
    ]


def test_combining_marks_belong_to_their_letter(bert: Tokenizer) -> None:
    assert covered(bert.tokenize("Jose\u0301 a\u0301\u0302 b")) == ["J", "o", "s", "e\u0301", "a\u0301\u0302", "b"]


def test_right_to_left_text_keeps_its_logical_order(bert: Tokenizer) -> None:
    assert covered(bert.tokenize("שָׁלוֹם Lena")) == ["שָׁלוֹם", "Lena"]


def test_line_ends_and_odd_spaces_part_words(bert: Tokenizer) -> None:
    document = bert.tokenize("he\r\nshe\u00a0it\u3000who")
    assert covered(document) == ["he", "she", "it", "who"]
    assert document.starts.tolist() == [0, 4, 8, 11]


def test_emoji_count_as_python_counts(bert: Tokenizer) -> None:
    document = bert.tokenize("\U0001f469\U0001f3fd\u200d\U0001f52c he")
    assert covered(document)[-1] == "he"
    assert document.starts[-1] == 5


def test_characters_the_tokenizer_drops_leave_no_token(bert: Tokenizer) -> None:
    assert covered(bert.tokenize("\ufeffhe\x00\x07 \x00 she")) == ["he", "she"]
    assert covered(bert.tokenize("\ufeff")) == []


@pytest.mark.parametrize("text", ["", " ", "\r\n\t \u00a0"])
def test_nothing_visible_gives_no_tokens(tokenizer: Tokenizer, text: str) -> None:
    assert len(tokenizer.tokenize(text)) == 0


def test_half_a_surrogate_pair_does_no_harm(tokenizer: Tokenizer) -> None:
    document = tokenizer.tokenize("he \ud83d she")
    assert document.text[document.starts[-1] : document.ends[-1]].endswith("e")
    assert document.ends[-1] == 8


def test_names_of_special_tokens_are_ordinary_words(bert: Tokenizer) -> None:
    document = bert.tokenize("[SEP] he")
    assert covered(document) == ["[", "S", "E", "P", "]", "he"]
    assert not set(document.token_ids) & {*bert.prefix, *bert.suffix}


def test_nothing_is_cut_off(bert: Tokenizer) -> None:
    assert len(bert.tokenize("he " * 1000)) == 1000


def test_a_space_joined_to_a_word_is_no_part_of_its_token(byte_level: Tokenizer) -> None:
    document = byte_level.tokenize("he  is")
    assert covered(document) == ["h", "e", "i", "s"]
    assert document.words.tolist() == [0, 0, 1, 1]


def test_the_frame_comes_from_the_tokenizer(tmp_path: Path, bert: Tokenizer, byte_level: Tokenizer) -> None:
    assert (bert.prefix, bert.suffix) == ((2,), (3,))  # [CLS], [SEP]
    mpnet = Tokenizer.from_folder(tiny_mpnet(tmp_path))
    assert (mpnet.prefix, mpnet.suffix) == ((0,), (2,))  # <s>, </s>
    assert (byte_level.prefix, byte_level.suffix) == ((), ())


def test_a_vocabulary_alone_will_do(tmp_path: Path, bert: Tokenizer) -> None:
    folder = tiny_bert(tmp_path)
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "he", "met", "##ro", "."]
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    (folder / "tokenizer.json").unlink()
    tokenizer = Tokenizer.from_folder(folder)
    assert covered(tokenizer.tokenize("He met hero.")) == ["He", "met", "he", "ro", "."]
    assert (tokenizer.prefix, tokenizer.suffix) == ((2,), (3,))


def test_a_damaged_tokenizer_is_named(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{", encoding="utf-8")
    with pytest.raises(ModelError, match=r"tokenizer\.json cannot be read"):
        Tokenizer.from_folder(tmp_path)


def test_a_folder_without_any_tokenizer_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no tokenizer\.json"):
        Tokenizer.from_folder(tmp_path)


@given(text=texts)
def test_tokens_are_visible_ranges_in_order(tokenizer: Tokenizer, text: str) -> None:
    document = tokenizer.tokenize(text)
    assert all(token and token == token.strip() for token in covered(document))
    assert (np.diff(document.starts) >= 0).all()
    assert (np.diff(document.ends) >= 0).all()
    assert document.words.tolist() == np.unique(document.words, return_inverse=True)[1].tolist()


@given(text=texts, limit=st.integers(1, 20), data=st.data())
def test_a_stream_gives_the_tokens_of_the_whole(
    tokenizer: Tokenizer, text: str, limit: int, data: st.DataObject
) -> None:
    places = sorted(data.draw(st.lists(st.integers(0, len(text)))))
    fed = [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]
    for reach in (limit, 1000):
        stream, at_once = tokenizer.stream(reach), tokenizer.stream(reach)
        chunks = [chunk for piece in fed for chunk in stream.feed(piece)] + stream.finish()
        assert np.array_equal(joined(chunks), joined([*at_once.feed(text), *at_once.finish()]))
        assert "".join(chunk.text for chunk in chunks) == text
        for chunk in chunks:
            assert text[chunk.start :].startswith(chunk.text)
    assert np.array_equal(joined(chunks), table(tokenizer.tokenize(text)))


@given(text=texts, limit=st.integers(2, 20))
def test_cuts_at_white_space_change_nothing(tokenizer: Tokenizer, text: str, limit: int) -> None:
    cutter = PieceCutter(limit)
    pieces = cutter.feed(text) + cutter.finish()
    ends = np.cumsum([len(piece) for piece in pieces])[:-1]
    assume(all(is_safe_cut(text, int(end)) for end in ends))
    stream = tokenizer.stream(limit)
    whole = tokenizer.tokenize_piece(text, start=0, first_word=0)
    assert np.array_equal(joined([*stream.feed(text), *stream.finish()]), joined([whole]))


def test_a_long_line_is_read_whole(bert: Tokenizer) -> None:
    line = "Amelia met the king. " * 20_000
    document = bert.tokenize(line)
    assert len(document) == 5 * 20_000
    assert document.words.tolist() == list(range(100_000))
    assert covered(document)[-2:] == ["king", "."]


def test_a_long_stretch_without_white_space_is_read_whole(bert: Tokenizer) -> None:
    # Cut at 16,384, inside a word, and at 32,768 and 49,152, beside a comma: one token more.
    assert len(bert.tokenize("he," * 20_000)) == 40_001


def test_whole_novels_are_read_alike_at_once_and_in_pieces(data: Path, bert: Tokenizer) -> None:
    for path in sorted((data / "novels").glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        whole = joined([bert.tokenize_piece(text, start=0, first_word=0)])
        assert np.array_equal(table(bert.tokenize(text)), whole)
