from __future__ import annotations

import gzip
from pathlib import Path

from gap_samples import row, write_gap
from gum_samples import write_gum
from litbank_samples import write_litbank
from pdnc_samples import write_pdnc
from winobias_samples import write_winobias

from petra.corpora.inventory import Holding, take_inventory


def holding(data: Path, name: str) -> Holding:
    return next(it for it in take_inventory(data) if it.name == name)


def write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def test_an_empty_folder_misses_everything_and_has_no_problems(tmp_path: Path) -> None:
    assert all(it.missing for it in take_inventory(tmp_path))


def test_a_sound_corpus_is_counted(tmp_path: Path) -> None:
    write_gap(tmp_path / "gap/gap-test.tsv", row(), row(ID="sample-2"))
    write(tmp_path / "names/names/female.txt", b"Ada\nRuth\n")
    write(tmp_path / "novels/kew.txt", b"Ada waved.")
    write(tmp_path / "wikitext2/test.raw.gz", gzip.compress(b"Ada waved."))
    write_litbank(tmp_path)
    write_gum(tmp_path)
    write_winobias(tmp_path)
    write_pdnc(tmp_path)
    counts = {it.name: it.count for it in take_inventory(tmp_path) if it.count is not None}
    assert counts == {
        "GAP test": 2,
        "LitBank": 3,
        "GUM": 3,
        "WinoBias": 8,
        "PDNC": 1,
        "Female names": 2,
        "Novels": 1,
        "WikiText-2": 1,
    }


def test_a_malformed_row_is_a_problem(tmp_path: Path) -> None:
    write_gap(tmp_path / "gap/gap-test.tsv", row(A_coref="YES"))
    found = holding(tmp_path, "GAP test")
    assert not found.missing
    assert found.problem is not None
    assert "row 2: column A-coref" in found.problem


def test_an_annotation_without_its_text_is_a_problem(tmp_path: Path) -> None:
    write_litbank(tmp_path)
    (tmp_path / "litbank/coref/two_brat.txt").unlink()
    assert "two_brat.txt is missing, the text of two_brat.ann" in str(holding(tmp_path, "LitBank").problem)


def test_an_annotation_that_does_not_fit_its_text_is_a_problem(tmp_path: Path) -> None:
    write_litbank(tmp_path)
    write(tmp_path / "litbank/coref/two_brat.txt", b"Ada waved .")
    assert "two_brat.ann, line 1: the tokens 0 to 1" in str(holding(tmp_path, "LitBank").problem)


def test_a_fold_that_leaves_a_document_out_is_a_problem(tmp_path: Path) -> None:
    write_litbank(tmp_path)
    write(tmp_path / "litbank/splits/4/dev.ids", b"one_brat.tsv")
    assert "fold 4 names 3 documents, not the 3 of litbank/coref once each" in str(holding(tmp_path, "LitBank").problem)


def test_a_missing_fold_is_a_problem(tmp_path: Path) -> None:
    write_litbank(tmp_path)
    (tmp_path / "litbank/splits/9/test.ids").unlink()
    assert "9/test.ids is missing" in str(holding(tmp_path, "LitBank").problem)


def test_a_listed_document_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    write_gum(tmp_path)
    (tmp_path / "gum/dep/GUM_bio_three.conllu").unlink()
    assert "gum/splits.md lists GUM_bio_three under dev" in str(holding(tmp_path, "GUM").problem)


def test_a_file_of_a_part_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    write_winobias(tmp_path)
    (tmp_path / "winobias/pro_stereotyped_type2.txt.dev").unlink()
    assert "pro_stereotyped_type2.txt.dev is missing" in str(holding(tmp_path, "WinoBias").problem)


def test_a_cut_off_archive_is_a_problem(tmp_path: Path) -> None:
    write(tmp_path / "wikitext2/test.raw.gz", gzip.compress(b"Ada waved." * 100)[:-12])
    assert "not a whole gzip file" in str(holding(tmp_path, "WikiText-2").problem)
    write(tmp_path / "wikitext2/test.raw.gz", b"plain")
    assert "not a whole gzip file" in str(holding(tmp_path, "WikiText-2").problem)


def test_names_that_are_not_utf8_are_a_problem(tmp_path: Path) -> None:
    write(tmp_path / "names/male.txt", b"Ren\xe9\n")
    assert "male.txt is not UTF-8" in str(holding(tmp_path, "Male names").problem)


def test_the_whole_data_folder_is_sound(data: Path) -> None:
    assert [it.problem for it in take_inventory(data) if it.problem] == []
