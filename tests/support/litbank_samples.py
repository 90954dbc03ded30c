"""A small LitBank, written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

# Ada Vale (four mentions), her brother (two), a nurse who describes Ada, and a town, which is no person.
SENTENCES = (
    "Ada Vale 's brother came to Kew .",
    '" I am a nurse , " she said to him , and her brother did n\'t laugh .',
)
ANNOTATION = (
    "MENTION\tT1\t0\t0\t0\t1\tAda Vale\tPER\tPROP",
    "MENTION\tT2\t0\t0\t0\t3\tAda Vale 's brother\tPER\tNOM",
    "MENTION\tT3\t0\t6\t0\t6\tKew\tGPE\tPROP",
    "MENTION\tT4\t1\t1\t1\t1\tI\tPER\tPRON",
    "MENTION\tT5\t1\t3\t1\t4\ta nurse\tPER\tNOM",
    "MENTION\tT6\t1\t7\t1\t7\tshe\tPER\tPRON",
    "MENTION\tT7\t1\t10\t1\t10\thim\tPER\tPRON",
    "MENTION\tT8\t1\t13\t1\t13\ther\tPER\tPRON",
    "MENTION\tT9\t1\t13\t1\t14\ther brother\tPER\tNOM",
    "COREF\tT1\tAda_Vale-0",
    "COREF\tT2\tbrother-1",
    "COREF\tT3\tKew-2",
    "COREF\tT4\tAda_Vale-0",
    "COP\tT5\tT4",
    "COREF\tT6\tAda_Vale-0",
    "COREF\tT7\tbrother-1",
    "COREF\tT8\tAda_Vale-0",
    "COREF\tT9\tbrother-1",
)
TEXT = "Ada Vale's brother came to Kew. \"I am a nurse,\" she said to him, and her brother didn't laugh."

NAMES = ("one_brat", "two_brat", "three_brat")


def write_document(
    folder: Path, name: str, sentences: Sequence[str] = SENTENCES, annotation: Sequence[str] = ANNOTATION
) -> Path:
    """Write ``name.txt`` and ``name.ann``, and give the latter."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.txt").write_bytes(("\n".join(sentences) + "\n").encode())
    (folder / f"{name}.ann").write_bytes(("\n".join(annotation) + "\n").encode())
    return folder / f"{name}.ann"


def write_litbank(data: Path) -> None:
    """Three copies of the document: in every fold one to train on, one to choose on, one to measure on."""
    for name in NAMES:
        write_document(data / "litbank/coref", name)
    for fold in range(10):
        folder = data / f"litbank/splits/{fold}"
        folder.mkdir(parents=True)
        for part, name in zip(("train", "dev", "test"), NAMES, strict=True):
            (folder / f"{part}.ids").write_bytes(f"{name}.tsv\n".encode())
