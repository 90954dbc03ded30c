"""A small novel in the layout of PDNC, written by hand."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

# The accent and the line ends of Windows tell characters from bytes, and both from lines read as text.
TEXT = (
    "The café was closed.\r\n\r\n"
    "“Come in, Miss Vale,” said Tom, “I have news for you.”\r\n\r\n"
    "“What does my father want?” Ada asked. “Has he sent Tom?”\r\n\r\n"
    "“They all want you back.”\r\n\r\n"
    "“Go, Mr. Lark!”\r\n"
)
CHARACTERS = (
    ("Ada Vale", "{'Ada Vale', 'Ada', 'Miss Vale'}", "major"),
    ("Tom Lark", "['Tom Lark', 'Tom']", "minor"),
    ("Old Vale", "{'Old Vale'}", "minor"),
)
# Type, speaker, parts; the mentions of each part with their characters.
QUOTATIONS: tuple[tuple[str, str, Sequence[tuple[str, Sequence[tuple[str, Sequence[str]]]]]], ...] = (
    (
        "Explicit",
        "Tom",
        (("Come in, Miss Vale,", [("Miss Vale", ["Ada"])]), ("I have news for you.", [("you", ["Ada Vale"])])),
    ),
    (
        "Anaphoric",
        "Ada Vale",
        (
            ("What does my father want?", [("my father", ["Old Vale"])]),
            ("Has he sent Tom?", [("he", ["Old Vale"]), ("Tom", ["Tom Lark"])]),
        ),
    ),
    (
        "Implicit",
        "Tom Lark",
        (("They all want you back.", [("They all", ["Tom Lark", "Old Vale"]), ("you", ["Ada Vale"])]),),
    ),
    ("Implicit", "Ada Vale", (("Go, Mr. Lark!", [("Mr. Lark", ["Tom Lark"])]),)),
)


def write_pdnc(data: Path, *, in_bytes: bool = False, name: str = "TheCafe") -> None:
    """The novel, with offsets in characters or in bytes."""
    folder = data / "pdnc/data" / name
    folder.mkdir(parents=True)
    (folder / "novel_text.txt").write_bytes(TEXT.encode("utf-8"))
    with (folder / "character_info.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(("Character ID", "Main Name", "Aliases", "Gender", "Category"))
        table.writerows(
            (number, main, names, "X", category) for number, (main, names, category) in enumerate(CHARACTERS)
        )

    def place(character: int) -> int:
        return len(TEXT[:character].encode("utf-8")) if in_bytes else character

    with (folder / "quotation_info.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        columns = "quoteID subQuotationList quoteByteSpans speaker quoteType mentionTextsList mentionSpansList"
        table.writerow((*columns.split(), "mentionEntitiesList"))
        for number, (type_, speaker, parts) in enumerate(QUOTATIONS):
            starts = [TEXT.index(words) for words, _ in parts]
            spans = [[place(start), place(start + len(words))] for start, (words, _) in zip(starts, parts, strict=True)]
            mention_spans = [
                [[place(TEXT.index(it, start)), place(TEXT.index(it, start) + len(it))] for it, _ in mentions]
                for start, (_, mentions) in zip(starts, parts, strict=True)
            ]
            words = [[it for it, _ in mentions] for _, mentions in parts]
            entities = [[list(who) for _, who in mentions] for _, mentions in parts]
            quotation = [words for words, _ in parts]
            table.writerow((f"Q{number}", quotation, spans, speaker, type_, words, mention_spans, entities))
