"""What is in the data folder: each corpus found, missing or malformed."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from petra.corpora.gap import read_gap_file
from petra.corpora.gum import genre_of, listed_parts, read_gum_file
from petra.corpora.litbank import FOLDS, listed, read_litbank_file
from petra.corpora.pdnc import read_novel
from petra.corpora.people_counts import read_people_counts_file
from petra.corpora.places import find, require
from petra.corpora.winobias import STEREOTYPES, TYPES, WinobiasSplit, file_name, read_winobias_file
from petra.errors import DataError


@dataclass(frozen=True, kw_only=True, slots=True)
class Holding:
    """One corpus of the data folder and its state."""

    name: str
    place: str  # in the data folder
    unit: str  # what is counted
    count: int | None = None  # None where the corpus is missing or malformed
    problem: str | None = None  # what is wrong with a corpus that is there

    @property
    def missing(self) -> bool:
        return self.count is None and self.problem is None


def take_inventory(data: Path) -> list[Holding]:
    """The state of every corpus PeTra can use, each read through with its own reader."""
    return [_holding(data, *known) for known in _KNOWN]


def _holding(data: Path, name: str, place: str, unit: str, count: Callable[[Path], int]) -> Holding:
    path = find(data, place)
    if path is None:
        return Holding(name=name, place=place, unit=unit)
    try:
        return Holding(name=name, place=place, unit=unit, count=count(path) or None)  # an empty folder is a missing one
    except DataError as error:
        return Holding(name=name, place=place, unit=unit, problem=str(error))


def _count_litbank(folder: Path) -> int:
    """Documents, each sound and named by exactly one part of every fold."""
    annotations = sorted(folder.glob("coref/*.ann"))
    names = [path.stem for path in annotations]
    for path in annotations:
        read_litbank_file(path)
    for fold in range(FOLDS):
        lists = [require(folder.parent, f"{folder.name}/splits/{fold}/{part}.ids") for part in ("train", "dev", "test")]
        named = [name for ids in lists for name in listed(ids)]
        if sorted(named) != sorted(names):
            raise DataError(
                f"litbank/splits: fold {fold} names {len(named)} documents, not the {len(names)} of litbank/coref "
                "once each. Fetch LitBank again."
            )
    return len(names)


def _count_gum(folder: Path) -> int:
    """Documents, each sound, with every one that the splits list."""
    documents = {path.stem: path for path in folder.glob("dep/*.conllu")}
    for part, names in listed_parts(require(folder.parent, f"{folder.name}/splits.md")).items():
        if absent := [name for name in names if name not in documents]:
            raise DataError(f"gum/splits.md lists {absent[0]} under {part}, and gum/dep has no such file. Fetch it.")
    for name in sorted(documents):
        genre_of(read_gum_file(documents[name]).id)
    return len(documents)


def _count_winobias(folder: Path) -> int:
    """Sentences of the files that are there; those of a part come together."""
    count = 0
    for part in get_args(WinobiasSplit):
        files = [folder / file_name(type_, side, part) for type_ in TYPES for side in STEREOTYPES]
        if any(path.exists() for path in files):
            count += sum(
                len(read_winobias_file(require(folder.parent, f"{folder.name}/{path.name}"))) for path in files
            )
    return count


def _count_pdnc(folder: Path) -> int:
    """Novels, each sound."""
    return len([read_novel(path) for path in folder.iterdir() if path.is_dir()])


def _count_names(path: Path) -> int:
    return sum(bool(line.strip()) for line in _text(path).split("\n"))


def _count_novels(folder: Path) -> int:
    return sum(bool(_text(path).strip()) for path in folder.glob("*.txt"))


def _count_wikitext(folder: Path) -> int:
    return sum(bool(_text(path).strip()) for path in folder.glob("*.raw.gz"))


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
        return (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8")
    except UnicodeDecodeError:
        raise DataError(f"{path.name} is not UTF-8. Fetch it again.") from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise DataError(f"{path.name} is not a whole gzip file. Fetch it again.") from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}.") from None


_KNOWN: tuple[tuple[str, str, str, Callable[[Path], int]], ...] = (
    ("GAP development", "gap/gap-development.tsv", "texts", lambda path: len(read_gap_file(path))),
    ("GAP validation", "gap/gap-validation.tsv", "texts", lambda path: len(read_gap_file(path))),
    ("GAP test", "gap/gap-test.tsv", "texts", lambda path: len(read_gap_file(path))),
    ("People counts", "gap/num_people.tsv", "texts", lambda path: len(read_people_counts_file(path))),
    ("LitBank", "litbank", "documents", _count_litbank),
    ("GUM", "gum", "documents", _count_gum),
    ("WinoBias", "winobias", "sentences", _count_winobias),
    ("PDNC", "pdnc/data", "novels", _count_pdnc),
    ("Female names", "names/female.txt", "names", _count_names),
    ("Male names", "names/male.txt", "names", _count_names),
    ("Novels", "novels", "novels", _count_novels),
    ("WikiText-2", "wikitext2", "parts", _count_wikitext),
)
