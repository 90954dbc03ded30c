from __future__ import annotations

from petra.publication.documents import Block, Bullets, Heading, Item, Paragraph, Picture, as_html, as_markdown
from petra.publication.spreads import Spread
from petra.publication.tables import Table, TableColumn

TABLE = Table(
    name="scores",
    title="Scores",
    columns=(TableColumn("Model"), TableColumn("F1"), TableColumn("Runs")),
    rows=(("a|b", Spread(80.25, 1.5, 3), 3), ("<c>", None, 1200)),
    notes=("A note.",),
)
BLOCKS: list[Block] = [
    Heading(1, "A & B"),
    Paragraph("Some words."),
    Bullets((Item("First:", "<i>one</i>"),)),
    TABLE,
    Picture("figure.svg", 'A "figure"', b"<svg/>"),
]


def test_a_document_as_markdown() -> None:
    assert as_markdown(BLOCKS).split("\n") == [
        "# A & B",
        "",
        "Some words.",
        "",
        "- **First:** <i>one</i>",
        "",
        "| Model | F1 | Runs |",
        "| --- | ---: | ---: |",
        "| a&#124;b | 80.2 ± 1.5 | 3 |",
        "| <c> | – | 1,200 |",
        "",
        "A note.",
        "",
        '![A "figure"](figure.svg)',
        "",
    ]


def test_a_document_as_a_page_that_needs_nothing_else() -> None:
    page = as_html(BLOCKS)
    assert "<title>A &amp; B</title>" in page
    assert "<li><strong>First:</strong> &lt;i&gt;one&lt;/i&gt;</li>" in page
    assert '<tr><td>&lt;c&gt;</td><td class="number">–</td><td class="number">1,200</td></tr>' in page
    assert '<p class="note">A note.</p>' in page
    # PHN2Zy8+ is <svg/> in base 64.
    assert '<img src="data:image/svg+xml;base64,PHN2Zy8+" alt="A &quot;figure&quot;">' in page


def test_values_in_csv_are_not_rounded_for_people() -> None:
    assert TABLE.to_csv() == 'Model,"F1, mean","F1, deviation",Runs\na|b,80.25,1.5,3\n<c>,,,1200\n'
