"""Each format by a known answer, and by readers that others wrote."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import networkx
import pytest
from export_readers import TEI, conll_chains, conll_documents
from exported_story import TEXT, story
from random_tracked import random_tracked

from petra.errors import ConfigError
from petra.report.export.archive import one_file
from petra.report.export.format import ExportOptions, Files, Format, find_format, format_names
from petra.report.export.tracked import Exports, TrackedText

SCHEMA = Path(__file__).parents[2] / "support/tei_subset.rng"


def test_every_format_has_its_method_and_a_line_about_it() -> None:
    for name in format_names():
        assert hasattr(Exports, f"to_{name}")
        assert find_format(name).about


def test_a_format_is_called_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petra.report.export.tracked.format_names", lambda: ["haiku"])
    monkeypatch.setattr("petra.report.export.tracked.find_format", lambda name: Format(about="", files=_haiku))
    assert story().to_haiku() == "three people"  # a module in formats is enough, without a method
    with pytest.raises(AttributeError, match="'TrackedText' object has no attribute 'to_docx'"):
        story().to_docx()


def _haiku(tracked: TrackedText, options: ExportOptions) -> Files:
    return {".txt": "three people"}


def test_several_files_are_sent_as_an_archive() -> None:
    assert one_file({".csv": "a\n"}, "story") == ("story.csv", b"a\n")
    sent = one_file({".txt": "Ada", ".ann": "T1", "annotation.conf": "[entities]"}, "story")
    assert sent.name == "story.zip"
    with zipfile.ZipFile(io.BytesIO(sent.content)) as archive:
        assert archive.namelist() == ["story.txt", "story.ann", "annotation.conf"]
        assert archive.read("story.ann") == b"T1"
    assert one_file({".txt": "Ada", ".ann": "T1", "annotation.conf": "[entities]"}, "story") == sent


def test_an_unknown_format_is_told_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match=r"No format named 'docx'. There are: booknlp, brat, .*, webanno\."):
        find_format("docx")


def test_csv_has_mentions_people_and_quotations() -> None:
    files = story().export("csv")
    assert list(files) == [".csv", ".people.csv", ".quotations.csv"]
    assert files[".csv"].splitlines()[:3] == [
        "start,end,person,name,kind,probability,chapter,text",
        "11,19,1,Ada Vale,name,0.75,1,Ada Vale",
        "29,32,2,Tom,name,0.75,1,Tom",
    ]
    assert files[".people.csv"].splitlines()[1:] == [
        "1,Ada Vale,3,2,0,1,11,93,yes,1,3,Ada",
        "2,Tom,4,3,0,1,29,113,yes,0,0,",
        "3,Ned,1,1,0,0,93,93,yes,0,0,",
    ]
    quotation = files[".quotations.csv"].splitlines()[1]
    assert quotation == '41,67,1,Ada Vale,2,Tom,anaphoric,0.5,"""He,"" ""is late.""",41-46 57-67'


def test_another_table_may_be_the_main_one() -> None:
    files = story().export("tsv", ExportOptions(table="people"))
    assert list(files) == [".tsv", ".mentions.tsv", ".quotations.tsv"]
    assert files[".tsv"].startswith("id\tname\t")
    assert story().to_tsv("people") == files[".tsv"]


def test_frames_have_the_columns_and_types_of_the_tables() -> None:
    pandas = pytest.importorskip("pandas")
    frame = story().to_pandas()
    assert list(frame.columns) == ["start", "end", "person", "name", "kind", "probability", "chapter", "text"]
    assert str(frame["chapter"].dtype) == "Int64"
    assert frame[frame["name"] == "Ned"]["text"].tolist() == ["Ada's brother Ned"]
    assert story().to_pandas("people")["in_cast"].tolist() == [True, True, True]
    assert isinstance(story().to_pandas("quotations"), pandas.DataFrame)


def test_frames_of_polars_have_them_too() -> None:
    polars = pytest.importorskip("polars")
    frame = story().to_polars()
    assert frame.shape == (8, 8)
    assert frame["chapter"].to_list() == [1, 1, 1, 1, 2, 2, 2, 2]
    assert frame.schema["probability"] == polars.Float64


def test_conll_names_the_document_people_and_speakers() -> None:
    documents = conll_documents(story().to_conll2012())
    assert list(documents) == ["ada"]
    rows = [row for sentence in documents["ada"] for row in sentence]
    assert {len(row) for row in rows} == {12}
    assert [row[3] for row in rows if row[9] == "Ada_Vale"] == ['"', "He", ",", '"', '"', "is", "late", ".", '"']
    words = [row[3] for row in rows]
    chains = conll_chains(documents["ada"])
    assert [" ".join(words[first : last + 1]) for first, last in chains[1]] == ["Ada Vale", "she", "Ada"]
    assert [" ".join(words[first : last + 1]) for first, last in chains[3]] == ["Ada 's brother Ned"]


def test_conll_texts_may_follow_each_other() -> None:
    both = story().to_conll2012() + random_tracked(7).to_conll2012()
    assert len(conll_documents(both)) == 2


def test_corefud_is_read_by_another_reader() -> None:
    conllu = pytest.importorskip("conllu")
    sentences = conllu.parse(story().to_corefud())
    assert sentences[0].metadata["newdoc id"] == "ada"
    assert sentences[0].metadata["entity e2"] == "Tom"
    assert [sentence.metadata["text"] for sentence in sentences][-1] == "Ada's brother Ned & Tom met."
    (opening,) = (token for token in sentences[-1] if token["form"] == "Ada")
    assert opening["misc"]["Entity"] == "(e3-person-4-kind:name(e1-person-1-kind:name)"


def test_brat_has_fragments_for_a_quotation_in_parts() -> None:
    lines = story().to_brat()[".ann"].splitlines()
    assert "T1\tPerson 11 19\tAda Vale" in lines
    assert "*\tEquiv T1 T2 T3" in lines
    assert "#3\tAnnotatorNotes T8\tNed" in lines
    assert 'T9\tQuotation 41 46;57 67\t"He," "is late."' in lines
    assert "R1\tSpeaker Arg1:T9 Arg2:T1" in lines
    assert "R2\tAddressee Arg1:T9 Arg2:T4" in lines


def test_webanno_stacks_a_mention_within_another() -> None:
    lines = story().to_webanno().splitlines()
    assert "#Text=Ada's brother Ned & Tom met." in lines
    assert any(line.endswith("93-96\tAda\t*->3-1|*->1-3\tname[3]|name[1]\t") for line in lines)


def test_tei_is_valid() -> None:
    etree = pytest.importorskip("lxml.etree")
    schema = etree.RelaxNG(etree.parse(str(SCHEMA)))
    for tracked in [story(), *map(random_tracked, range(60))]:
        document = etree.fromstring(tracked.to_tei().encode())
        assert schema.validate(document), schema.error_log.last_error
        ids = {element.get("{http://www.w3.org/XML/1998/namespace}id") for element in document.iter()}
        pointed = {value for element in document.iter() for value in element.attrib.values() if value.startswith("#")}
        assert pointed <= {f"#{each}" for each in ids}


def test_the_title_of_tei_is_the_files_name() -> None:
    assert "<title>ada.txt</title>" in replace(story(), source="/home/ada/books/ada.txt").to_tei()


def test_tei_has_chapters_names_and_what_is_said() -> None:
    etree = pytest.importorskip("xml.etree.ElementTree")
    document = etree.fromstring(story().to_tei())
    chapters = document.findall(f".//{TEI}div")
    assert [chapter.find(f"{TEI}head").text for chapter in chapters] == ["Chapter 1", "Chapter 2"]
    people = document.findall(f".//{TEI}person/{TEI}persName")
    assert [person.text for person in people] == ["Ada Vale", "Tom", "Ned"]
    first, second = document.findall(f".//{TEI}said")
    assert first.attrib | {"cert": ""} == {
        "{http://www.w3.org/XML/1998/namespace}id": "q1.1",
        "next": "#q1.2",
        "who": "#p1",
        "toWhom": "#p2",
        "cert": "",
    }
    assert second.get("prev") == "#q1.1"
    (pronoun,) = first.findall(f"{TEI}rs")
    assert (pronoun.text, pronoun.get("subtype"), pronoun.get("ref")) == ("He", "pronoun", "#p2")
    assert "".join(document.find(f".//{TEI}body").itertext()) == TEXT


def test_booknlp_lists_entities_quotes_and_characters() -> None:
    files = story().to_booknlp()
    assert files[".entities"].splitlines()[:2] == [
        "COREF\tstart_token\tend_token\tprop\tcat\ttext",
        "1\t2\t3\tPROP\tPER\tAda Vale",
    ]
    assert files[".quotes"].splitlines()[1:] == [
        '11\t14\t15\t15\tshe\t1\t" He , "',
        '18\t22\t15\t15\tshe\t1\t" is late . "',
    ]
    book = json.loads(files[".book"])
    assert [(each["id"], each["count"]) for each in book["characters"]] == [(2, 4), (1, 3), (3, 1)]
    assert book["characters"][1]["mentions"]["proper"] == [{"c": 1, "n": "Ada Vale"}, {"c": 1, "n": "Ada"}]


@pytest.mark.parametrize("name", ["graphml", "gexf"])
def test_networkx_reads_the_networks(name: str) -> None:
    read = networkx.read_gexf if name == "gexf" else networkx.read_graphml

    def network(**options: object) -> networkx.Graph:
        content = story().export(name, ExportOptions(**options))[f".{name}"]  # type: ignore[arg-type]
        return read(io.BytesIO(content.encode()))

    def edges(graph: networkx.Graph) -> dict[tuple[str, str], int]:
        return {(first, second): data["weight"] for first, second, data in graph.edges(data=True)}

    paragraphs = network()
    assert not paragraphs.is_directed()
    assert {node: data["label"] for node, data in paragraphs.nodes(data=True)} == {
        "p1": "Ada Vale",
        "p2": "Tom",
        "p3": "Ned",
    }
    assert [data["mentions"] for _, data in paragraphs.nodes(data=True)] == [3, 4, 1]
    assert [data["quotations"] for _, data in paragraphs.nodes(data=True)] == [1, 0, 0]
    # Ada and Tom share the paragraph under each heading; Ned is in the second.
    assert edges(paragraphs) == {("p1", "p2"): 2, ("p1", "p3"): 1, ("p2", "p3"): 1}
    assert edges(network(within="chapter")) == {("p1", "p2"): 2, ("p1", "p3"): 1, ("p2", "p3"): 1}
    # Sentences: "Ada Vale wrote to Tom"; "He, she said, is late"; "Ada's brother Ned & Tom met".
    assert edges(network(within="sentence")) == {("p1", "p2"): 3, ("p1", "p3"): 1, ("p2", "p3"): 1}
    # At most one word apart: "He, she", and Ada's mention and Ned's, which begin together.
    assert edges(network(within=1)) == {("p1", "p2"): 1, ("p1", "p3"): 1}
    speech = network(network="speech")
    assert speech.is_directed()
    assert edges(speech) == {("p1", "p2"): 1}


def test_a_window_has_a_word_at_least() -> None:
    with pytest.raises(ConfigError, match="A window of 0 words"):
        ExportOptions(within=0)


def test_the_text_is_resolved() -> None:
    assert '"Tom," Ada Vale said, "is late."' in story().to_resolved()
