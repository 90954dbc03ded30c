from __future__ import annotations

from pathlib import Path

import pytest
from gum_samples import FIELDS, SENTENCES, TEXT, conllu, write_gum

from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.gum import GumSplit, genre_of, read_gum, read_gum_file
from petra.domain import Kind
from petra.english.heads import head_span
from petra.errors import DataError


def write(folder: Path, content: str) -> Path:
    path = folder / "GUM_bio_one.conllu"
    path.write_text(content, encoding="utf-8")
    return path


def one_sentence(folder: Path, text: str, *tokens: str) -> AnnotatedDocument:
    return read_gum_file(write(folder, conllu([(text, tokens)])))


def words(document: AnnotatedDocument) -> list[list[str]]:
    return [[document.text[mention.start : mention.end] for mention in person] for person in document.people]


def heads(document: AnnotatedDocument) -> list[str]:
    return [document.text[slice(*mention.head)] for mention in document.mentions if mention.head]


def test_a_document_has_its_people(tmp_path: Path) -> None:
    document = read_gum_file(write(tmp_path, conllu()))
    assert (document.id, document.text) == ("GUM_bio_one", TEXT)
    assert words(document) == [
        ["Two travellers", "Ada and her brother"],
        ["Dr. Ada Vale", "She who led", "Ada", "her"],  # without the possessive ending
        ["Dr. Ada Vale's brother", "him", "her brother"],
    ]


def test_every_mention_has_its_head_and_kind(tmp_path: Path) -> None:
    document = read_gum_file(write(tmp_path, conllu()))
    kinds = [mention.kind for mention in document.mentions]
    assert list(zip(heads(document), kinds, strict=True)) == [
        ("travellers", "nominal"),
        ("Vale", "name"),  # the dependencies have "Ada"
        ("brother", "nominal"),
        ("She", "pronoun"),
        ("him", "pronoun"),
        ("Ada", "name"),
        ("and", "name"),  # "Ada and her brother": the kind is that of the first
        ("her", "pronoun"),
        ("brother", "nominal"),
    ]


@pytest.mark.parametrize(
    ("text", "tokens", "head", "kind"),
    [
        ("King Louis XV", ("King NNP 0 root (1-person", "Louis NNP 1 flat _", "XV NNP 1 flat 1)"), "Louis", "name"),
        ("diver Ada Vale", ("diver NN 0 root (1-person", "Ada NNP 1 flat _", "Vale NNP 2 flat 1)"), "Vale", "name"),
        ("the old one", ("the DT 3 det (1-person", "old JJ 3 amod _", "one NN 0 root 1)"), "one", "nominal"),
        ("those here", ("those DT 0 root (1-person", "here RB 1 advmod 1)"), "those", "pronoun"),
        # Two tokens depend on one outside, so the words decide.
        ("the diver sang", ("the DT 3 det (1-person", "diver NN 3 nsubj 1)", "sang VBD 0 root _"), "diver", "nominal"),
    ],
)
def test_heads_of_names_and_nominals(text: str, tokens: tuple[str, ...], head: str, kind: Kind, tmp_path: Path) -> None:
    document = one_sentence(tmp_path, text, *tokens)
    assert (heads(document), document.mentions[0].kind) == ([head], kind)


def test_a_mention_inside_another_of_the_same_person_ends_first(tmp_path: Path) -> None:
    tokens = ("Ada NNP 0 root (1-person", "proud JJ 1 amod _", "of IN 4 case _", "herself PRP 2 obl (1-person)1)")
    assert words(one_sentence(tmp_path, "Ada proud of herself", *tokens)) == [["Ada proud of herself", "herself"]]


def test_of_a_mention_in_parts_the_first_counts(tmp_path: Path) -> None:
    tokens = (
        "the DT 2 det (1[1/2]-person-new",
        "divers NNS 3 nsubj 1[1/2])",
        "sang VBD 0 root _",
        "all DT 2 det (1[2/2]-person-new)",
        "they PRP 3 dep (1-person-new)",
    )
    document = one_sentence(tmp_path, "the divers sang all they", *tokens)
    assert words(document) == [["the divers", "they"]]


def test_what_no_list_names_is_to_train_on(tmp_path: Path) -> None:
    write_gum(tmp_path)
    assert [it.id for it in read_gum(tmp_path, "dev")] == ["GUM_bio_three"]
    assert [it.id for it in read_gum(tmp_path, "train")] == ["GUM_bio_one", "GUM_news_two"]
    with (tmp_path / "gum/splits.md").open("a", encoding="utf-8") as splits:
        splits.write("\n## test\n\n  * GUM_news_two\n")
    assert [it.id for it in read_gum(tmp_path, "train")] == ["GUM_bio_one"]


def test_a_missing_document_or_list_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"splits\.md is missing. Get it from the repository 'gum'"):
        read_gum(tmp_path, "dev")
    write_gum(tmp_path)
    (tmp_path / "gum/dep/GUM_bio_three.conllu").unlink()
    with pytest.raises(DataError, match=r"GUM_bio_three\.conllu is missing"):
        read_gum(tmp_path, "dev")
    (tmp_path / "gum/splits.md").write_text("# Splits\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"no document for the part 'dev'"):
        read_gum(tmp_path, "dev")


@pytest.mark.parametrize(
    ("entity", "message"),
    [
        ("9)", "line 6: the entity 9 ends and has not begun"),
        ("(9-person", "line 6: the entity 9 begins and does not end"),
        ("(9)", r"line 6: the bracket '\(9\)' has no type of entity"),
    ],
)
def test_an_odd_bracket_is_named(entity: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=rf"^GUM_bio_one\.conllu, {message}"):
        one_sentence(tmp_path, "Ada", f"Ada NNP 0 root {entity}")


def test_fields_without_a_type_are_named(tmp_path: Path) -> None:
    path = write(tmp_path, conllu(SENTENCES, fields=FIELDS.replace("etype", "kind")))
    with pytest.raises(DataError, match=r"the comment global\.Entity is 'GRP-kind-.*expected GRP first and etype"):
        read_gum_file(path)


def test_the_genre_is_in_the_name() -> None:
    assert genre_of("GUM_bio_byron") == "bio"
    with pytest.raises(DataError, match=r"called 'byron'; expected GUM_GENRE_NAME"):
        genre_of("byron")


@pytest.mark.parametrize(("part", "size", "mentions", "people"), [("train", 84, 5_338, 1_807), ("dev", 12, 749, 248)])
def test_every_document_of_the_corpus_is_read(
    part: GumSplit, size: int, mentions: int, people: int, data: Path
) -> None:
    documents = read_gum(data, part)
    assert len(documents) == size
    assert sum(len(it.mentions) for it in documents) == mentions
    assert sum(len(it.people) for it in documents) == people


def test_mentions_of_the_corpus_hold_their_heads_and_no_two_are_alike(data: Path) -> None:
    for document in read_gum(data, "dev"):
        assert len({(it.start, it.end) for it in document.mentions}) == len(document.mentions)
        assert len({it.head for it in document.mentions}) == len(document.mentions)
        for mention in document.mentions:
            assert mention.head is not None
            assert mention.start <= mention.head[0] < mention.head[1] <= mention.end


def test_the_rule_for_heads_agrees_with_the_dependencies(data: Path) -> None:
    same = total = 0
    for document in read_gum(data, "dev"):
        for start, end, *_, head in document.mentions:
            assert head is not None
            begin, finish = head_span(document.text[start:end])
            same += start + begin < head[1] and head[0] < start + finish
            total += 1
    assert same / total > 0.98
