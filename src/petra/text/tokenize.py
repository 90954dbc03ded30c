"""Text to tokens, with the exact place of every token in the text as given.

Letters: T tokens.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tokenizers
from numpy.typing import NDArray

from petra.errors import ModelError
from petra.text.document import Document
from petra.text.pieces import PIECE_LIMIT, PieceCutter

# Half of a pair, alone: no Unicode character, so the tokenizer gets a stand-in of the same length.
_SURROGATE = re.compile("[\ud800-\udfff]")
_A_WORD = r"(?<![\w'’-])(?:{})(?![\w-])"
_WHITE_SPACE = np.array([code for code in range(0x3001) if chr(code).isspace()], dtype=np.uint32)
_FIRST_MARK = 0x300  # no combining mark has a lower code point


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Chunk:
    """A part of a longer text and its tokens, counted from the start of the whole.

    ``text[starts[t] - start:ends[t] - start]`` is what token t covers.
    """

    text: str
    start: int  # where the part begins
    token_ids: NDArray[np.int64]  # (T,)
    starts: NDArray[np.int64]  # (T,) half-open character ranges
    ends: NDArray[np.int64]  # (T,)
    words: NDArray[np.int64]  # (T,) number of the word, rising from 0

    def __len__(self) -> int:
        return len(self.token_ids)


class Tokenizer:
    """A fast tokenizer as the encoder needs it: plain tokens of the whole text.

    Nothing is cut off, padded or added, and the names of special tokens have no
    meaning inside a text. Characters of a token are those of the text as given, though
    the tokenizer may have lower-cased them or stripped their accents: white space at
    either end is not part of a token, combining marks after its last letter are.
    """

    def __init__(self, backend: Any, stand_ins: Mapping[str, str] | None = None) -> None:
        """Take over a tokenizer of the tokenizers library; its settings are changed.

        ``stand_ins`` are words that an encoder does not know, in lower case, and those whose
        token it reads in the place of their first one.
        """
        backend.no_truncation()
        backend.no_padding()
        backend.encode_special_tokens = True
        self._backend = backend
        self._stand_ins = {word: backend.token_to_id(other) for word, other in (stand_ins or {}).items()}
        self._unknown = re.compile(_A_WORD.format("|".join(map(re.escape, self._stand_ins))), re.IGNORECASE)
        framed = backend.encode("a")
        plain = [index for index, special in enumerate(framed.special_tokens_mask) if not special]
        first, last = (plain[0], plain[-1]) if plain else (len(framed.ids), len(framed.ids))
        self.prefix: tuple[int, ...] = tuple(framed.ids[:first])  # special tokens before a text, as [CLS]
        self.suffix: tuple[int, ...] = tuple(framed.ids[last + 1 :])  # and after it, as [SEP]

    @classmethod
    def from_folder(cls, folder: Path, stand_ins: Mapping[str, str] | None = None) -> Tokenizer:
        """The tokenizer of a model folder."""
        path = folder / "tokenizer.json"
        if not path.is_file():
            return cls(_converted(folder), stand_ins)
        try:
            backend = tokenizers.Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises nothing narrower
            raise ModelError(f"{path} cannot be read as a tokenizer ({error}). Fetch the encoder again.") from None
        return cls(backend, stand_ins)

    def with_stand_ins(self, stand_ins: Mapping[str, str]) -> Tokenizer:
        """The same tokenizer with words that stand in for others."""
        return Tokenizer(self._backend, stand_ins)

    def tokenize(self, text: str) -> Document:
        """The document of a text of any length."""
        stream = self.stream()
        return _join(text, [*stream.feed(text), *stream.finish()])

    def stream(self, limit: int = PIECE_LIMIT) -> TokenStream:
        """A tokenizer of one text that arrives in parts."""
        return TokenStream(self, limit)

    def tokenize_piece(self, text: str, *, start: int, first_word: int) -> Chunk:
        """The tokens of a piece that stands at start in its text, the words numbered from first_word."""
        encoding = self._backend.encode(_SURROGATE.sub("\ufffd", text), add_special_tokens=False)
        offsets = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)  # (T', 2)
        kept, starts, ends = _visible_ranges(text, offsets)
        words = np.array(encoding.word_ids, dtype=np.int64)[kept]
        token_ids = np.array(encoding.ids, dtype=np.int64)[kept]
        for found in self._unknown.finditer(text) if self._stand_ins else ():
            (at,) = np.nonzero(starts == found.start())
            stand_in = self._stand_ins.get(found.group().lower())
            if stand_in is not None:
                token_ids[at] = stand_in
        return Chunk(
            text=text,
            start=start,
            token_ids=token_ids,
            starts=starts + start,
            ends=_with_marks(text, starts, ends) + start,
            words=np.cumsum(np.diff(words, prepend=words[:1]) != 0, dtype=np.int64) + first_word,
        )


class TokenStream:
    """Tokenises a text that arrives in parts.

    All chunks together hold the tokens of ``tokenize`` on the whole text, wherever it
    was cut when fed. What is held back is the last word, or less than the limit.
    """

    def __init__(self, tokenizer: Tokenizer, limit: int = PIECE_LIMIT) -> None:
        self._tokenizer = tokenizer
        self._cutter = PieceCutter(limit)
        self._start = 0  # of the next chunk
        self._words = 0  # numbered so far

    def feed(self, text: str) -> list[Chunk]:
        """The chunks finished by this text."""
        return [self._chunk(piece) for piece in self._cutter.feed(text)]

    def finish(self) -> list[Chunk]:
        """The chunk held back, if any."""
        return [self._chunk(piece) for piece in self._cutter.finish()]

    def _chunk(self, piece: str) -> Chunk:
        chunk = self._tokenizer.tokenize_piece(piece, start=self._start, first_word=self._words)
        self._start += len(piece)
        if len(chunk):
            self._words = int(chunk.words[-1]) + 1
        return chunk


def _visible_ranges(
    text: str, offsets: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], NDArray[np.int64], NDArray[np.int64]]:
    """Which ranges hold a visible character, and those ranges without the white space around it."""
    visible = np.flatnonzero(~np.isin(_code_points(text), _WHITE_SPACE))
    first = np.searchsorted(visible, offsets[:, 0])  # visible characters before each range ..
    last = np.searchsorted(visible, offsets[:, 1])  # .. and up to its end
    kept = last > first
    return kept, visible[first[kept]], visible[last[kept] - 1] + 1


def _with_marks(text: str, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """The ends moved past combining marks, which tokenizers that strip accents leave out."""
    if text.isascii():
        return ends
    limits = np.append(starts[1:], len(text))
    following = _code_points(text + "\0")[ends]
    moved: NDArray[np.int64] = ends.copy()
    for token in np.flatnonzero((ends < limits) & (following >= _FIRST_MARK)):
        while moved[token] < limits[token] and unicodedata.category(text[moved[token]]).startswith("M"):
            moved[token] += 1
    return moved


def _code_points(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def _join(text: str, chunks: Sequence[Chunk]) -> Document:
    nothing = np.zeros(0, dtype=np.int64)
    return Document(
        text=text,
        token_ids=np.concatenate([nothing, *(chunk.token_ids for chunk in chunks)]),
        starts=np.concatenate([nothing, *(chunk.starts for chunk in chunks)]),
        ends=np.concatenate([nothing, *(chunk.ends for chunk in chunks)]),
        words=np.concatenate([nothing, *(chunk.words for chunk in chunks)]),
    )


def _converted(folder: Path) -> Any:
    """The tokenizer of a folder without tokenizer.json, made by transformers from what is there."""
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True, trust_remote_code=False)
        return tokenizer.backend_tokenizer
    except (OSError, ValueError, KeyError, AttributeError, ImportError) as error:
        raise ModelError(
            f"{folder} has no tokenizer.json, and no fast tokenizer can be made from its other files ({error}). "
            "Give a folder that holds config.json, tokenizer.json and model.safetensors."
        ) from None
