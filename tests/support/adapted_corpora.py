"""A data folder with all that an adapted model learns from, each corpus in small."""

from __future__ import annotations

from pathlib import Path

from gap_corpus import write_gap_corpus
from gum_samples import write_gum
from litbank_samples import write_document, write_litbank
from supervision_samples import write_names

from petra.corpora.names import Names

# Some are borne by women and men: synthetic documents need such.
FIRST_NAMES = Names(
    female=frozenset({"Amelia", "Lena", "Nora", "Ada", "Jo", "Kit", "Lee"}),
    male=frozenset({"Paul", "Tom", "John", "Hugo", "Jo", "Kit", "Lee"}),
)
# A document of LitBank whose words a tiny encoder knows, so that its parts are short: Lena and Paul, two mentions each.
SENTENCES = ("Lena met Paul .", "She told him .")
ANNOTATION = (
    "MENTION\tT1\t0\t0\t0\t0\tLena\tPER\tPROP",
    "MENTION\tT2\t0\t2\t0\t2\tPaul\tPER\tPROP",
    "MENTION\tT3\t1\t0\t1\t0\tShe\tPER\tPRON",
    "MENTION\tT4\t1\t2\t1\t2\thim\tPER\tPRON",
    "COREF\tT1\tLena-0",
    "COREF\tT2\tPaul-1",
    "COREF\tT3\tLena-0",
    "COREF\tT4\tPaul-1",
)


def write_adapted_corpora(data: Path) -> Path:
    """GAP, LitBank, GUM and first names in a data folder."""
    write_gap_corpus(data)
    write_litbank(data)
    write_document(data / "litbank/coref", "short_brat", SENTENCES, ANNOTATION)
    with (data / "litbank/splits/0/train.ids").open("a", encoding="utf-8") as ids:
        ids.write("short_brat.tsv\n")
    write_gum(data)
    write_names(data, FIRST_NAMES)
    return data
