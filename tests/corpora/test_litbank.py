from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import get_args

import pytest
from litbank_samples import ANNOTATION, SENTENCES, TEXT, write_document, write_litbank

from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.litbank import FOLDS, LitbankSplit, read_litbank, read_litbank_file
from petra.errors import DataError


def words(document: AnnotatedDocument) -> list[list[str]]:
    return [[document.text[mention.start : mention.end] for mention in person] for person in document.people]


def test_a_document_has_its_people(tmp_path: Path) -> None:
    document = read_litbank_file(write_document(tmp_path, "kew_brat"))
    assert (document.id, document.text) == ("kew_brat", TEXT)
    assert words(document) == [
        ["Ada Vale", "I", "she", "her"],
        ["Ada Vale's brother", "him", "her brother"],
        ["a nurse"],  # describes Ada, and is a person of its own as in the official chains
    ]


def test_mentions_stand_in_order_with_their_kinds(tmp_path: Path) -> None:
    document = read_litbank_file(write_document(tmp_path, "kew_brat", annotation=ANNOTATION[::-1]))
    assert [(it.start, it.end, it.kind) for it in document.mentions[:3]] == [
        (0, 8, "name"),
        (0, 18, "nominal"),
        (33, 34, "pronoun"),
    ]
    assert [it.entity for it in document.mentions[:4]] == ["Ada_Vale-0", "brother-1", "Ada_Vale-0", "T5"]


def test_a_part_is_read_in_the_order_of_its_list(tmp_path: Path) -> None:
    write_litbank(tmp_path)
    (tmp_path / "litbank/splits/3/train.ids").write_text("two_brat.tsv\none_brat.tsv\n")
    assert [it.id for it in read_litbank(tmp_path, "training", 3)] == ["two_brat", "one_brat"]
    assert [it.id for it in read_litbank(tmp_path, "validation")] == ["two_brat"]
    assert [it.id for it in read_litbank(tmp_path, "test")] == ["three_brat"]


@pytest.mark.parametrize("fold", [-1, 10])
def test_there_are_ten_folds(fold: int, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=rf"no fold {fold} of LitBank. Choose one of 0 to 9"):
        read_litbank(tmp_path, "test", fold)


def test_a_missing_list_or_document_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"0/test\.ids is missing"):
        read_litbank(tmp_path, "test")
    write_litbank(tmp_path)
    (tmp_path / "litbank/coref/three_brat.ann").unlink()
    with pytest.raises(DataError, match=r"three_brat\.ann is missing"):
        read_litbank(tmp_path, "test")
    (tmp_path / "litbank/coref/two_brat.txt").unlink()
    with pytest.raises(DataError, match=r"two_brat\.txt is missing, the text of two_brat\.ann"):
        read_litbank(tmp_path, "validation")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("EVENT\tT3\tT1", "begins with 'EVENT'; expected MENTION, COREF, COP or APPOS"),
        ("MENTION\tT3\t0\t6", "MENTION has 3 columns after it, separated by tabs; expected 8"),
        ("COREF\tT3", "COREF has 1 columns after it, separated by tabs; expected 2"),
        ("COREF\tT1\tKew-2", "the mention T1 is linked a second time"),
        ("MENTION\tT3\tx\t6\t0\t6\tKew\tGPE\tPROP", "column 'sentence' is 'x'; expected a whole number"),
        ("MENTION\tT3\t0\t6\t1\t6\tKew\tGPE\tPROP", "the mention begins in sentence 0 and ends in 1"),
        ("MENTION\tT3\t2\t6\t2\t6\tKew\tGPE\tPROP", r"sentence 2 is past the end of the text \(2 sentences\)"),
        ("MENTION\tT3\t0\t6\t0\t8\tKew\tGPE\tPROP", "tokens 6 to 8 are no range in a sentence of 8 tokens"),
        ("MENTION\tT3\t0\t6\t0\t5\tKew\tGPE\tPROP", "tokens 6 to 5 are no range in a sentence of 8 tokens"),
        ("MENTION\tT3\t0\t5\t0\t5\tKew\tGPE\tPROP", "the tokens 5 to 5 of sentence 0 are 'to'; expected 'Kew'"),
        ("MENTION\tT3\t0\t6\t0\t6\tKew\tTOWN\tPROP", "the type is 'TOWN'; expected one of PER, FAC"),
        ("MENTION\tT3\t0\t6\t0\t6\tKew\tGPE\tNAME", "the kind is 'NAME'; expected one of PROP, NOM, PRON"),
        ("MENTION\tT99\t0\t6\t0\t6\tKew\tPER\tPROP", "the mention T99 has no line COREF, COP or APPOS"),
        ("MENTION\tT3\t0\t0\t0\t1\tAda Vale\tPER\tPROP", "'Ada Vale' is marked in line 1 already"),
    ],
)
def test_an_odd_line_is_named(line: str, message: str, tmp_path: Path) -> None:
    # It stands in the place of the third line, or is the last.
    is_mention = line.startswith("MENTION")
    lines = [*ANNOTATION[:2], line, *ANNOTATION[3:]] if is_mention else [*ANNOTATION, line]
    number = 3 if is_mention else len(ANNOTATION) + 1
    path = write_document(tmp_path, "kew_brat", annotation=lines)
    with pytest.raises(DataError, match=rf"^kew_brat\.ann, line {number}: {message}"):
        read_litbank_file(path)


def test_sentences_may_end_like_those_of_windows(tmp_path: Path) -> None:
    path = write_document(tmp_path, "kew_brat", sentences=[f"{sentence}\r" for sentence in SENTENCES])
    assert read_litbank_file(path).text == TEXT


@pytest.mark.parametrize(("part", "size"), [("training", 80), ("validation", 10), ("test", 10)])
def test_every_document_of_the_corpus_is_read(part: LitbankSplit, size: int, data: Path) -> None:
    for fold in range(FOLDS):
        assert len(read_litbank(data, part, fold)) == size


def test_the_people_are_those_of_the_official_chains(data: Path) -> None:
    """The chains of the CoNLL files, cut down to people, hold the same words."""
    documents = [document for part in get_args(LitbankSplit) for document in read_litbank(data, part)]
    assert sum(len(document.mentions) for document in documents) == 24_180
    for document in documents:
        [path] = data.glob(f"litbank/**/{document.id}.conll")
        official = {tuple(sorted(chain)) for chain in chains(path)}
        # Spaces are all that may differ between the rebuilt text and the tokens.
        ours = {tuple(sorted(re.sub(r"\s", "", text) for text in person)) for person in words(document)}
        assert ours <= official


def chains(path: Path) -> list[list[str]]:
    """The mentions of each chain of a CoNLL file, without spaces."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    tokens: list[str] = []
    begun: defaultdict[str, list[int]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        columns = line.split("\t")
        tokens.append(columns[3])
        for bracket in filter(None, columns[-1].strip(" _").split("|")):
            number = bracket.strip("()")
            if bracket.startswith("("):
                begun[number].append(len(tokens) - 1)
            if bracket.endswith(")"):
                found[number].append("".join(tokens[begun[number].pop() :]))
    return list(found.values())
