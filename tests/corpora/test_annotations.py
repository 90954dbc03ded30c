from __future__ import annotations

import json
from pathlib import Path

import pytest
from written_logs import read_by_mention

from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.annotations.folder import check_annotations, read_annotations
from petra.errors import DataError
from petra.log.storage import save

ROOT = Path(__file__).parents[2]

TEXT = "Anne Vale met Tom. She told him: go."
PEOPLE = [["Anne Vale", "She"], ["Tom", "him"]]
CONLL = """\
#begin document (story); part 000
story 0 0 Anne - * - - - - * (1
story 0 1 Vale - * - - - - * 1)
story 0 2 met - * - - - - * -
story 0 3 Tom - * - - - - * (2)
story 0 4 . - * - - - - * -

story 0 0 She - * - - - - * (1)
story 0 1 told - * - - - - * -
story 0 2 him - * - - - - * (2)
story 0 3 : - * - - - - * -
story 0 4 go - * - - - - * -
story 0 5 . - * - - - - * -

#end document
"""


def conllu(*rows: tuple[str, str]) -> str:
    lines = ["# newdoc id = story", "# global.Entity = eid-etype-head-other"]
    lines += ("\t".join((str(at), word, *["_"] * 7, misc)) for at, (word, misc) in enumerate(rows, start=1))
    return "\n".join(lines) + "\n"


CONLLU = conllu(
    ("Anne", "Entity=(e1-person-2-kind:name"),
    ("Vale", "Entity=e1)"),
    ("met", "_"),
    ("Tom", "Entity=(e2-person-1-kind:name)|SpaceAfter=No"),
    (".", "_"),
    ("She", "Entity=(e1-person-1-kind:pronoun)"),
    ("told", "_"),
    ("him", "Entity=(e2-person-1-)|SpaceAfter=No"),
    (":", "Entity=(e3-place-1-)"),
    ("go", "SpaceAfter=No"),
    (".", "_"),
)
ANN = (
    "T1\tPerson 0 9\tAnne Vale\nA1\tKind T1 name\nT2\tPerson 14 17\tTom\nT3\tPerson 19 22\tShe\nT4\tPER 28 31\thim\n"
    "T5\tPlace 33 35\tgo\n*\tEquiv T1 T3\nR1\tCoref Arg1:T4 Arg2:T2\n#1\tAnnotatorNotes T1\tAnne\n"
)
BRACKETS = "@ story\n[Anne Vale]1 met [Tom]2. [She]1 told [him]2: go.\n"


def tracking() -> str:
    people = []
    for words in PEOPLE:
        spans = [(TEXT.index(word), TEXT.index(word) + len(word)) for word in words]
        people.append({"mentions": [{"start": start, "end": end} for start, end in spans]})
    return json.dumps({"schema": "petra.tracking/1", "people": people})


def words_of(document: AnnotatedDocument) -> list[list[str]]:
    return [[document.text[mention.start : mention.end] for mention in person] for person in document.people]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("story.conll", CONLL),
        ("story.v4_gold_conll", CONLL),
        ("story.conllu", CONLLU),
        ("story.ann", ANN),
        ("story.json", tracking()),
        ("story.brackets", BRACKETS),
    ],
)
def test_every_format_gives_the_same_people(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / "story.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / name).write_text(content, encoding="utf-8")
    (document,) = read_annotations(tmp_path)
    assert document.text == TEXT
    assert words_of(document) == PEOPLE
    if "json" not in name:  # which does not say the kinds here
        assert [mention.kind for mention in document.mentions] == ["name", "name", "pronoun", "pronoun"]


def test_a_corrected_log_is_an_annotation(tmp_path: Path) -> None:
    save(read_by_mention("Anne left.", ("Anne", "Anne", 1, {"new": 0})), tmp_path / "a.log")
    (document,) = read_annotations(tmp_path)
    assert words_of(document) == [["Anne"]]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.conll", CONLL.replace("* 1)", "* -"), "a.conll, line 2: the entity 1 begins and does not end"),
        ("a.conll", CONLL.replace("(1\n", "-\n"), "a.conll, line 3: the entity 1 ends and has not begun"),
        ("a.conll", CONLL.replace("(2)", "(two)"), "a.conll, line 5: the coreference is '(two)'"),
        ("a.conll", CONLL.replace("#end document\n", ""), "a.conll: the last text does not end"),
        ("a.conll", "Anne\n", "a.conll, line 1: a token stands outside a text"),
        ("a.conllu", CONLLU.replace("e1)", "_", 1), "a.conllu, line 3: the entity e1 begins and does not end"),
        ("a.conllu", CONLLU.replace("eid-", "id-"), "a.conllu, line 1: the comment global.Entity is 'id-etype"),
        ("a.conllu", CONLLU.replace("\tTom\t", "\tTom "), "a.conllu, line 6: has 9 columns"),
        ("story.ann", ANN.replace("14 17", "15 17"), "story.ann, line 3: is 'Tom', and the text has 'om' at 15..17"),
        ("story.ann", ANN.replace("14 17", "14 99"), "story.ann, line 3: goes from 14 to 99"),
        ("story.ann", ANN.replace("T1 T3", "T1 T9"), "story.ann, line 7: T9 is joined to others and stands nowhere"),
        ("b.ann", ANN, "b.ann: its text is to be beside it"),
        ("b.json", tracking(), "b.json: its text is not at hand"),
        (
            "story.json",
            tracking().replace('"start": 14', '"start": 99'),
            "story.json: person 2: a mention goes from 99",
        ),
        ("story.json", "{", "story.json is no JSON"),
        ("a.log", "x", "a.log is not a memory log"),
        ("a.brackets", BRACKETS.replace("]1 met", " met"), "a.brackets, line 2"),
        ("story.ann", "T1\tPerson 0 5\tAnne \n", "story.ann: the mention 0..5 on line 1 of the text, 'Anne '"),
        ("story.ann", "T1\tPerson 0 4\tAnne\nT2\tPerson 0 4\tAnne\n", "is of T1 and of T2"),
    ],
)
def test_what_is_wrong_is_told_with_its_file_and_line(name: str, content: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "story.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / name).write_text(content, encoding="utf-8")
    (checked,) = check_annotations(tmp_path)
    assert checked.problem is not None
    assert checked.problem.startswith(words) or words in checked.problem
    with pytest.raises(DataError, match="petra data check"):
        read_annotations(tmp_path)


def test_all_files_are_checked(tmp_path: Path) -> None:
    (tmp_path / "good.brackets").write_text(BRACKETS, encoding="utf-8")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "bad.conll").write_text("x\n", encoding="utf-8")
    good, bad = check_annotations(tmp_path)
    assert (good.people, good.mentions, good.problem) == (2, 4, None)
    assert bad.problem is not None
    assert bad.problem.startswith(f"{Path('more/bad.conll')}, line 1")


def test_a_folder_without_annotations_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no annotations"):
        read_annotations(tmp_path)
    with pytest.raises(DataError, match="no folder"):
        read_annotations(tmp_path / "nowhere")
    (tmp_path / "empty.brackets").write_text("@ 1\nIt rained.\n", encoding="utf-8")
    with pytest.raises(DataError, match="nobody is mentioned"):
        read_annotations(tmp_path)


def test_the_example_is_fine() -> None:
    documents = read_annotations(ROOT / "examples" / "annotated")
    assert len(documents) >= 15
