"""Passages: mentions laid over tokens, cut, and compared with the persons before them."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
from tiny import tiny_bert

from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.text.tokenize import Tokenizer
from petra.training.adapted.passages import AnnotatedPassage, comparisons, cut, draw, previous, whole_passage

TEXT = "Lena's sister met Paul. She told him."


def mention(words: str, kind: str, entity: str) -> GoldMention:
    start = TEXT.index(words)
    return GoldMention(start, start + len(words), kind, entity)  # type: ignore[arg-type]


DOCUMENT = AnnotatedDocument(
    id="told",
    text=TEXT,
    mentions=(
        mention("Lena", "name", "lena"),
        mention("Lena's sister", "nominal", "sister"),
        mention("Paul", "name", "paul"),
        mention("She", "pronoun", "sister"),
        mention("him", "pronoun", "paul"),
    ),
)


def passage(tmp_path: Path) -> tuple[AnnotatedPassage, list[str]]:
    tokens = Tokenizer.from_folder(tiny_bert(tmp_path / "bert")).tokenize(TEXT)
    return whole_passage(tokens, DOCUMENT), [
        TEXT[start:end] for start, end in zip(tokens.starts, tokens.ends, strict=True)
    ]


def test_a_mention_is_read_at_the_last_piece_of_its_head(tmp_path: Path) -> None:
    found, words = passage(tmp_path)
    # lena ' s sister met paul . she told him .
    assert [words[token] for token in found.head] == ["Lena", "sister", "Paul", "She", "him"]
    assert [words[token] for token in found.first] == ["Lena", "Lena", "Paul", "She", "him"]
    assert found.kind.tolist() == [0, 1, 0, 2, 2]
    assert found.person.tolist() == [0, 1, 2, 1, 2]


def test_of_two_mentions_with_one_head_the_shorter_stays(tmp_path: Path) -> None:
    double = AnnotatedDocument(
        id="double", text=TEXT, mentions=(*DOCUMENT.mentions, mention("met Paul", "nominal", "nobody"))
    )
    tokens = Tokenizer.from_folder(tiny_bert(tmp_path / "bert")).tokenize(TEXT)
    assert whole_passage(tokens, double).person.tolist() == [0, 1, 2, 1, 2]


def test_a_part_keeps_the_mentions_that_lie_wholly_in_it(tmp_path: Path) -> None:
    whole, _ = passage(tmp_path)
    part = cut(whole, 3, 6)  # sister met paul . she told
    assert part.token_ids.tolist() == whole.token_ids[3:9].tolist()
    assert part.head.tolist() == [2, 4]  # "Lena's sister" begins before
    assert part.person.tolist() == [0, 1]  # numbered anew


def test_each_mention_is_compared_with_the_persons_before_it(tmp_path: Path) -> None:
    whole, _ = passage(tmp_path)
    rows = comparisons(whole)
    # lena: nobody; sister: lena; paul: lena, sister; she: lena, sister, paul; him: lena, she (the sister), paul.
    assert rows.mention.tolist() == [1, 2, 2, 3, 3, 3, 4, 4, 4]
    assert rows.latest.tolist() == [0, 0, 1, 0, 1, 2, 0, 3, 2]
    assert rows.is_same.tolist() == [False, False, False, False, True, False, False, False, True]
    assert rows.distance.tolist() == (whole.head[rows.mention] - whole.head[rows.latest]).tolist()
    assert previous(whole).tolist() == [-1, -1, -1, 1, 2]


def test_parts_are_drawn_from_all_documents_as_their_length_asks(tmp_path: Path) -> None:
    whole, _ = passage(tmp_path)  # 12 tokens with the final dot
    parts = list(islice(draw([whole, cut(whole, 0, 4)], 4, np.random.default_rng(0)), 4))
    assert all(len(part) == 4 for part in parts)
    assert sum(part.token_ids.tolist() == whole.token_ids[:4].tolist() for part in parts) >= 1
