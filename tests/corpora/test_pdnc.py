from __future__ import annotations

from pathlib import Path

import pytest
from pdnc_samples import write_pdnc

from petra.corpora.pdnc import read_novel, read_pdnc
from petra.errors import DataError


@pytest.mark.parametrize("in_bytes", [False, True])
def test_offsets_are_of_characters_or_of_bytes(tmp_path: Path, in_bytes: bool) -> None:
    write_pdnc(tmp_path, in_bytes=in_bytes)
    [novel] = read_pdnc(tmp_path)
    assert [(novel.text[it.start : it.end], it.character) for it in novel.mentions] == [
        ("Miss Vale", "Ada Vale"),  # annotated as Ada, a name that only she has
        ("you", "Ada Vale"),
        ("my father", "Old Vale"),
        ("he", "Old Vale"),
        ("Tom", "Tom Lark"),
        ("you", "Ada Vale"),  # "They all" are two
        ("Mr. Lark", "Tom Lark"),
    ]
    first = novel.quotations[0]
    assert (first.speaker, first.type) == ("Tom Lark", "explicit")
    assert [novel.text[slice(*part)] for part in first.parts] == ["Come in, Miss Vale,", "I have news for you."]


def test_characters_have_their_names(tmp_path: Path) -> None:
    write_pdnc(tmp_path)
    [novel] = read_pdnc(tmp_path, ["TheCafe"])
    ada, tom, _ = novel.characters
    assert (ada.name, ada.names, ada.category) == ("Ada Vale", {"Ada Vale", "Ada", "Miss Vale"}, "major")
    assert tom.names == {"Tom Lark", "Tom"}


def test_a_part_whose_lists_differ_in_length_is_passed_over(tmp_path: Path) -> None:
    write_pdnc(tmp_path)
    path = tmp_path / "pdnc/data/TheCafe/quotation_info.csv"
    path.write_bytes(path.read_bytes().replace(b"[['Old Vale'], ['Tom Lark']]", b"[['Old Vale']]"))
    [novel] = read_pdnc(tmp_path)
    assert [novel.text[it.start : it.end] for it in novel.mentions] == [
        "Miss Vale",
        "you",
        "my father",
        "you",
        "Mr. Lark",
    ]


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="project-dialogism-novel-corpus"):
        read_pdnc(tmp_path)
    write_pdnc(tmp_path)
    with pytest.raises(DataError, match=r"no novel Emma in .* It holds: TheCafe"):
        read_pdnc(tmp_path, ["Emma"])
    folder = tmp_path / "pdnc/data/TheCafe"
    (folder / "character_info.csv").write_text("Main Name,Aliases\n", encoding="utf-8")
    with pytest.raises(DataError, match="no column Category"):
        read_novel(folder)
    (folder / "character_info.csv").write_text("Main Name,Aliases,Category\nAda,{Ada,major\n", encoding="utf-8")
    with pytest.raises(DataError, match="row 2: column Aliases"):
        read_novel(folder)
