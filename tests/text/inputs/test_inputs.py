"""Files of other kinds give their text, and say what they are when they cannot."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from petra.errors import ConfigError, TextError
from petra.text.inputs.reading import InputText, form_of, input_text, read_input

PAGE = """<!DOCTYPE html>
<html><head><title>Not shown</title><style>p { color: red }</style></head>
<body><h1>The  Lighthouse</h1>
<!-- nor this -->
<p>Marta <b>Lindqvist</b> kept
the light&nbsp;at Sk&auml;r.<br>Jonas &amp; <i>she</i> waited.</p>
<p>Done.<script>alert(1)</script><span hidden>nor this</span></p>
<ul><li>oil</li><li>nails</li></ul><pre>  a
   b</pre><table><tr><td>Ada</td><td>Vale</td></tr></table></body></html>
"""
PAGE_TEXT = """The Lighthouse

Marta Lindqvist kept the light\u00a0at Skär.
Jonas & she waited.

Done.

oil
nails

  a
   b

Ada Vale
"""


def test_html_gives_what_a_reader_sees() -> None:
    pytest.importorskip("bs4")
    assert input_text(PAGE.encode(), "page.html") == InputText(PAGE_TEXT, "html")


def test_html_says_its_encoding_or_is_told() -> None:
    pytest.importorskip("bs4")
    page = '<meta charset="windows-1251"><p>\xeb\xe8</p>'.encode("latin-1")
    assert input_text(page, "page.htm").text == "ли\n"
    assert input_text("<p>Zoë</p>".encode("utf-16"), "page.htm").text == "Zoë\n"
    assert input_text(b"<p>Zo\x91</p>", "page.htm", encoding="mac-roman").text == "Zoë\n"


def test_markdown_gives_words_without_marks() -> None:
    pytest.importorskip("bs4")
    written = "---\ntitle: x\n---\n# Ada\n\nShe *wrote* to [Tom](http://x.y).\nHe read.\n\n- one\n- two\n\n> said\n"
    assert input_text(written.encode(), "note.md").text == "Ada\n\nShe wrote to Tom. He read.\n\none\ntwo\n\nsaid\n"


def epub(*documents: str, spine: str = "") -> bytes:
    content = io.BytesIO()
    items = "".join(
        f'<item id="d{n}" href="d%20{n}.xhtml" media-type="application/xhtml+xml"/>' for n in range(len(documents))
    )
    refs = spine or "".join(f'<itemref idref="d{n}"/>' for n in range(len(documents)))
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        )
        archive.writestr(
            "OPS/book.opf",
            f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{items}'
            '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/></manifest>'
            f'<spine><itemref idref="nav"/>{refs}</spine></package>',
        )
        archive.writestr("OPS/nav.xhtml", "<html><body><p>Contents</p></body></html>")
        for number, document in enumerate(documents):
            archive.writestr(
                f"OPS/d {number}.xhtml",
                '<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml">'
                f"<head><title/></head><body>{document}</body></html>",
            )
    return content.getvalue()


def test_an_epub_is_read_in_the_order_of_its_spine() -> None:
    pytest.importorskip("bs4")
    book = epub(
        "<h2>Chapter 2</h2><p>Tom.</p>",
        "<h2>Chapter 1</h2><p>Adaë.</p>",
        spine='<itemref idref="d1"/><itemref idref="d0"/>',
    )
    assert input_text(book, "book.epub") == InputText("Chapter 1\n\nAdaë.\n\nChapter 2\n\nTom.\n", "epub")
    assert form_of(book, "download") == "epub"


def test_an_epub_that_is_not_whole_is_told() -> None:
    pytest.importorskip("bs4")
    with pytest.raises(TextError, match=r"book.epub is no whole EPUB"):
        input_text(
            epub("<p>x</p>", spine='<itemref idref="d0"/><itemref idref="d0"/>').replace(b"OPS/d 0", b"OPS/e 0"),
            "book.epub",
        )
    with pytest.raises(TextError, match="damaged archive"):
        input_text(epub("<p>x</p>")[:200], "book.epub")


def test_a_docx_gives_paragraphs_and_cells() -> None:
    docx = pytest.importorskip("docx")
    document = docx.Document()
    document.add_heading("The Lighthouse", level=1)
    document.add_paragraph("Marta kept ").add_run("the light.").bold = True
    table = document.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "Ada", "Vale"
    document.add_paragraph("Jonas\tread.")
    content = io.BytesIO()
    document.save(content)
    found = input_text(content.getvalue(), "letter.docx")
    assert found == InputText("The Lighthouse\n\nMarta kept the light.\n\nAda\n\nVale\n\nJonas\tread.\n", "docx")


def pdf(*lines: str) -> bytes:
    """A PDF of one page with lines of Helvetica."""
    shown = " ".join(f"({line}) Tj 0 -14 Td" for line in lines)
    stream = f"BT /F1 12 Tf 50 700 Td {shown} ET".encode("latin-1")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    content, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, start=1):
        places.append(len(content))
        content += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return content + (
        b"xref\n0 5\n0000000000 65535 f \n%strailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (table, len(content))
    )


def test_a_pdf_gives_its_lines_and_joins_divided_words() -> None:
    pytest.importorskip("pypdf")
    found = input_text(pdf("Marta kept the light-", "house for Mr. Brandt-", "Olsen."), "scan.pdf")
    assert found == InputText("Marta kept the lighthouse for Mr. Brandt-\nOlsen.\n", "pdf")


def test_a_pdf_of_pictures_is_told() -> None:
    pytest.importorskip("pypdf")
    with pytest.raises(TextError, match=r"scan.pdf holds no text: its 1 pages are pictures"):
        input_text(pdf(), "scan.pdf")
    with pytest.raises(TextError, match=r"letter.pdf is named like a file of PDF, and is none"):
        input_text(b"Dear Ada", "letter.pdf")


def test_what_a_file_is_comes_from_its_content_before_its_name() -> None:
    assert form_of(b"%PDF-1.7", "story.txt") == "pdf"
    assert form_of(b"Ada met Tom.", "story.txt") == "text"
    assert form_of(b"", "empty.html") == "text"
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("story.txt", "Ada")
    with pytest.raises(TextError, match="neither EPUB nor DOCX"):
        form_of(content.getvalue(), "stories.zip")


LETTER = "“Zoë,” said Ada – and she waited for him in the café until the rain was over, as she had promised."


@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman"])
def test_another_encoding_is_told_by_the_text(encoding: str) -> None:
    pytest.importorskip("charset_normalizer")
    assert input_text(LETTER.encode(encoding), "letter.txt") == InputText(LETTER, "text", encoding)


def test_byte_order_marks_are_read() -> None:
    assert input_text(LETTER.encode("utf-16"), "letter.txt") == InputText(LETTER, "text", "utf-16")
    assert input_text(LETTER.encode("utf-32"), "letter.txt") == InputText(LETTER, "text", "utf-32")
    assert input_text(LETTER.encode("utf-8-sig"), "letter.txt").text == "\ufeff" + LETTER  # offsets as they were


def test_too_few_bytes_do_not_tell_an_encoding() -> None:
    with pytest.raises(TextError, match=r"letter.txt is not UTF-8: byte 2 is 0xeb.*--encoding"):
        input_text("Zoë".encode("latin-1"), "letter.txt")


def test_an_encoding_may_be_asked_for(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_bytes(b"Zo\xeb")
    assert read_input(tmp_path / "letter.txt", "windows-1252").text == "Zoë"
    with pytest.raises(TextError, match="is not ascii: byte 2 does not fit"):
        read_input(tmp_path / "letter.txt", "ascii")
    with pytest.raises(ConfigError, match="No encoding named 'klingon'"):
        read_input(tmp_path / "letter.txt", "klingon")


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pypdf", None)
    with pytest.raises(
        TextError, match=r"scan.pdf is PDF, and reading it needs pypdf. .*pip install 'petra\[inputs\]'"
    ):
        input_text(pdf("Ada"), "scan.pdf")
