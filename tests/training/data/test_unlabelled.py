"""Pronouns of unlabelled text, found with the people they may mean."""

from __future__ import annotations

import gzip
from pathlib import Path

from gap_samples import row, write_gap

from petra.training.data.instances.unlabelled import find_unlabelled

ARTICLE = """
 = Lighthouses of the bay =

 Ada Vale kept the light on the northern cape for twenty years , and Ruth Pym kept the other one . Ada Vale wrote to
 Ruth Pym every week in winter . She described the storms and the ships that passed .

"""


def write_corpora(data: Path) -> Path:
    (data / "names").mkdir(parents=True)
    (data / "names/female.txt").write_text("Ada\nRuth\n", encoding="utf-8")
    (data / "names/male.txt").write_text("Paul\n", encoding="utf-8")
    (data / "wikitext2").mkdir()
    text = ARTICLE.replace("\n Ruth Pym every", " Ruth Pym every")  # a paragraph is one line
    for part in ("train", "valid", "test"):
        with gzip.open(data / f"wikitext2/wikitext2_{part}.raw.gz", "wt", encoding="utf-8") as file:
            file.write(text if part == "train" else "\n")
    for split in ("validation", "test"):
        write_gap(data / f"gap/gap-{split}.tsv", row())
    return data


def test_a_text_like_one_of_test_is_left_out(tmp_path: Path) -> None:
    data = write_corpora(tmp_path)
    text = "She described the storms and the ships that passed. Ada Vale wrote to Ruth Pym every week in winter."
    names = {"Pronoun_offset": "0", "A": "Ada Vale", "A_offset": "52", "B": "Ruth Pym", "B_offset": "70"}
    write_gap(data / "gap/gap-test.tsv", row(Text=text, Pronoun="She", **names))
    assert find_unlabelled(data, seed=0) == ()


def test_a_pronoun_is_asked_about_with_two_people_of_its_gender(tmp_path: Path) -> None:
    (found,) = find_unlabelled(write_corpora(tmp_path), seed=0)
    assert found.text[found.pronoun.start : found.pronoun.end] == "She"
    assert found.gender == "feminine"
    names = {found.text[span.start : span.end] for span in (found.a, found.b)}
    assert names == {"Ada Vale", "Ruth Pym"}


def test_there_are_thousands_of_them_in_wikitext(data: Path, tmp_path: Path) -> None:
    for corpus in ("gap", "names", "wikitext2"):  # other collections of texts hold many more
        (tmp_path / corpus).symlink_to(data / corpus)
    found = find_unlabelled(tmp_path, seed=0)
    assert len(found) > 5000
    assert len({instance.id for instance in found}) == len(found)
    for instance in found[:500]:
        words = [instance.text[span.start : span.end] for span in (instance.a, instance.b, instance.pronoun)]
        assert all(word and word == word.strip() for word in words)
