"""Distantly supervised pronouns: what passages of unlabelled text tell of whom pronouns mean, and what is left out."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from gap_samples import row, write_gap
from marked_texts import words_of
from supervision_samples import write_names

from petra.corpora.annotated import AnnotatedDocument
from petra.training.data.distant_supervision import distant_documents

# Women are Ada and Ruth by their first names, men Tom and Ben; Vale, Pym, Ash and Cole are surnames.
HARBOUR = "Ada Vale met Tom Ash at the harbour."


def write_corpora(data: Path, *texts: str) -> Path:
    """A data folder with some paragraphs to learn from, the first names that are known, and GAP."""
    write_names(data)
    (data / "wikitext2").mkdir()
    lines = "\n".join((" = Kew = ", *texts, ""))
    (data / "wikitext2/part.raw.gz").write_bytes(gzip.compress(lines.encode()))
    for split in ("validation", "test"):
        write_gap(data / f"gap/gap-{split}.tsv", row())
    return data


def by_gender(data: Path) -> dict[str, list[tuple[str, str]]]:
    """The texts with pronouns known by gender, and each of these pronouns with the last name of its person before."""
    return {it.text: links(it) for it in distant_documents(data, seed=0) if it.id.endswith("-gender")}


def by_name(data: Path, seeds: int = 20) -> dict[str, list[tuple[str, str]]]:
    """The same of the texts in which names are replaced; another seed replaces other ones."""
    found = [it for seed in range(seeds) for it in distant_documents(data, seed) if it.id.endswith("-name")]
    return {it.text: links(it) for it in found}


def links(document: AnnotatedDocument) -> list[tuple[str, str]]:
    named: dict[str, str] = {}
    found = []
    for mention, words in zip(document.mentions, words_of(document), strict=True):
        if mention.kind == "name":
            named[mention.entity] = words
        else:
            found.append((words, named[mention.entity]))
    return found


def test_a_pronoun_is_of_the_only_person_of_its_gender(tmp_path: Path) -> None:
    text = f"{HARBOUR} She waved, and he sailed home. Tom lost his boat to her."
    assert by_gender(write_corpora(tmp_path, text)) == {
        text: [("She", "Ada Vale"), ("he", "Tom Ash"), ("his", "Tom"), ("her", "Ada Vale")]
    }


def test_every_name_is_marked_with_its_person(tmp_path: Path) -> None:
    text = "Mrs. Vale met Tom Ash. He saw Tom's boat, and Ruth Pym waved to Ash."
    found = next(it for it in distant_documents(write_corpora(tmp_path, text), 0) if it.text == text)
    assert words_of(found) == ["Mrs. Vale", "Tom Ash", "He", "Tom", "Ruth Pym", "Ash"]
    assert [it.entity for it in found.mentions] == ["0", "1", "1", "1", "2", "1"]
    assert [it.kind for it in found.mentions] == ["name", "name", "pronoun", "name", "name", "name"]


@pytest.mark.parametrize(
    "others",
    [
        "Ben Cole waved.",  # another man
        "Ash met Ben Cole.",
        "Lee Pym waved.",  # may be a man
        "The doctor waved.",
        "A man waved.",
        "Her brother waved.",
        "Zork waved.",  # nobody known leads the sentence
        "It rained. It snowed.",  # too far from his name
    ],
)
def test_a_pronoun_that_may_mean_another_is_left_out(tmp_path: Path, others: str) -> None:
    data = write_corpora(tmp_path, f"{HARBOUR} {others} He sailed home.", "Lee Pym and Lee Vale came. So did Pym.")
    assert all(words != "He" for found in by_gender(data).values() for words, _ in found)


@pytest.mark.parametrize("others", ["Ruth Pym waved.", "Her sister waved.", "It rained."])
def test_people_of_the_other_gender_leave_a_pronoun_clear(tmp_path: Path, others: str) -> None:
    text = f"{HARBOUR} {others} He sailed home."
    assert by_gender(write_corpora(tmp_path, text))[text][-1] == ("He", "Tom Ash")


def test_a_pronoun_before_anybody_else_is_named_is_left_out(tmp_path: Path) -> None:
    # Where nobody else was named there is nothing to choose.
    text = "Tom Ash sailed home. He was late. Ada Vale met him."
    assert by_gender(write_corpora(tmp_path, text)) == {text: [("him", "Tom Ash")]}


def test_a_pronoun_inside_a_quotation_is_left_out(tmp_path: Path) -> None:
    text = f'{HARBOUR} "He is cold," she said.'
    assert by_gender(write_corpora(tmp_path, text)) == {text: [("she", "Ada Vale")]}


def test_two_people_of_one_surname_leave_it_open(tmp_path: Path) -> None:
    text = "Ada Vale met Tom Vale at the harbour. He waved. Then Vale sailed home."
    assert distant_documents(write_corpora(tmp_path, text), 0) == []


def test_titles_tell_people_of_one_surname_apart(tmp_path: Path) -> None:
    text = "Mrs. Pym met Mr. Pym. She waved."
    assert by_gender(write_corpora(tmp_path, text)) == {text: [("She", "Mrs. Pym")]}


def test_the_pronouns_around_a_name_tell_its_gender(tmp_path: Path) -> None:
    # "Zora" is in no list. The title of a biography tells that Quill is a surname; three pronouns, that she is a woman.
    text = "Zora Quill sold her boat when she left her town. Quill met Tom Ash. She won."
    data = write_corpora(tmp_path)
    (data / "text").mkdir()
    article = json.dumps({"title": "Zora Quill", "text": text})
    (data / "text/kyoto-people.jsonl.gz").write_bytes(gzip.compress(article.encode()))
    assert by_gender(data)["Quill met Tom Ash. She won."] == [("She", "Quill")]


def test_a_name_that_comes_again_is_replaced_by_the_pronoun_of_its_role(tmp_path: Path) -> None:
    data = write_corpora(tmp_path, f"{HARBOUR} Tom Ash sailed home. Ada Vale wrote to Tom Ash. Tom Ash's boat sank.")
    found = by_name(data)
    assert found[f"{HARBOUR} He sailed home. Ada Vale wrote to him. His boat sank."] == [
        ("He", "Tom Ash"),
        ("him", "Tom Ash"),
        ("His", "Tom Ash"),
    ]
    assert {words for each in found.values() for words, _ in each} == {"He", "him", "His", "She"}


def test_offsets_are_those_of_the_text_with_pronouns(tmp_path: Path) -> None:
    data = write_corpora(tmp_path, f"{HARBOUR} Tom Ash sailed home. Ada Vale's boat sank.")
    documents = [it for seed in range(20) for it in distant_documents(data, seed)]
    document = next(it for it in documents if it.text == f"{HARBOUR} He sailed home. Her boat sank.")
    # Ada Vale met Tom Ash at the harbour. He sailed home. Her boat sank.
    # 0             13                     37              53
    assert [(it.start, it.end) for it in document.mentions] == [(0, 8), (13, 20), (37, 39), (53, 56)]
    assert [(it.kind, it.entity) for it in document.mentions] == [
        ("name", "0"),
        ("name", "1"),
        ("pronoun", "1"),
        ("pronoun", "0"),
    ]


def test_a_name_that_would_become_a_reflexive_is_kept(tmp_path: Path) -> None:
    # Not "Tom Ash hurt him"; but "when" begins another clause.
    data = write_corpora(tmp_path, f"{HARBOUR} Tom Ash hurt Tom Ash. Ada Vale was there when they found Ada Vale.")
    texts = by_name(data)
    assert any("He hurt Tom Ash." in text for text in texts)
    assert any("when they found her." in text for text in texts)
    assert not any("hurt him" in text for text in texts)


def test_a_name_inside_a_quotation_or_beside_another_is_kept(tmp_path: Path) -> None:
    data = write_corpora(tmp_path, f'{HARBOUR} "Tom Ash slept," they said. They saw Tom Ash and Ada Vale.')
    assert by_name(data) == {}


def test_a_name_that_comes_again_before_anybody_else_is_kept(tmp_path: Path) -> None:
    assert by_name(write_corpora(tmp_path, "Tom Ash sailed home. Tom Ash slept. Ada Vale waved.")) == {}


def test_the_same_seed_gives_the_same_documents(tmp_path: Path) -> None:
    text = f"{HARBOUR} Tom Ash sailed home. Ada Vale wrote to Tom Ash. She missed him. Tom Ash's boat sank."
    data = write_corpora(tmp_path, text)
    assert distant_documents(data, 3) == distant_documents(data, 3)
    assert distant_documents(data, 3) != distant_documents(data, 4)


def test_a_passage_of_test_is_left_out(tmp_path: Path) -> None:
    text = "Ada Vale met Tom Ash at the old harbour of Kew in May. She waved."
    data = write_corpora(tmp_path, text)
    assert by_gender(data) == {text: [("She", "Ada Vale")]}
    # Ten words in a row: met Tom Ash at the old harbour of Kew in.
    sample = row()
    sample["Text"] += " They met Tom Ash at the old harbour of Kew in June."
    write_gap(data / "gap/gap-test.tsv", sample)
    assert distant_documents(data, 0) == []


def test_there_are_thousands_of_them_in_wikitext(data: Path, tmp_path: Path) -> None:
    for corpus in ("gap", "names", "wikitext2"):  # other collections of texts hold many more
        (tmp_path / corpus).symlink_to(data / corpus)
    found = distant_documents(tmp_path, seed=0)
    assert len(found) > 5000
    for document in found[:500]:
        assert any(it.kind == "pronoun" for it in document.mentions)
        assert len({it.entity for it in document.mentions}) > 1
        for mention, words in zip(document.mentions, words_of(document), strict=True):
            is_pronoun = words.lower() in {"he", "him", "his", "she", "her"}
            assert is_pronoun == (mention.kind == "pronoun"), words
