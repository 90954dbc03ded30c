"""Where the corpora are: one data folder, and the source of each file in it.

The folder is laid out as ``gap/gap-{development,validation,test}.tsv``,
``gap/num_people.tsv``, ``litbank/{coref,conll,splits}``, ``gum/dep/*.conllu`` with
``gum/splits.md``, ``winobias/*.txt.{dev,test}``,
``pdnc/data/NOVEL/{novel_text.txt,quotation_info.csv,character_info.csv}``, ``names/{female,male}.txt``,
``novels/*.txt`` and ``wikitext2/*.raw.gz``. Nothing in it is ever written.
"""

from __future__ import annotations

import os
from pathlib import Path

from petra.errors import DataError

VARIABLE = "PETRA_DATA"

# The most telling prefix comes first.
SOURCES = {
    "gap/num_people.tsv": "the release that accompanies the PeTra paper (Toshniwal et al., ACL 2020)",
    "gap": "the repository 'gap-coreference' of google-research-datasets on GitHub",
    "litbank": "the repository 'litbank' of dbamman on GitHub",
    "gum": "the repository 'gum' of amir-zeldes on GitHub",
    "winobias": "the repository 'corefBias' of uclanlp on GitHub",
    "pdnc": "the repository 'project-dialogism-novel-corpus' of Priya22 on GitHub",
    "names": "the Names Corpus of Mark Kantrowitz, also among the corpora of NLTK",
    "novels": "Project Gutenberg, as plain text in UTF-8",
    "wikitext2": "WikiText-2, the raw variant, with each part compressed by gzip",
}


def data_folder(option: Path | None = None) -> Path:
    """The folder of corpora: the one given, else the one PETRA_DATA names."""
    named = str(option) if option is not None else os.environ.get(VARIABLE, "")
    if not named:
        raise DataError(
            f"No data folder is set. Give one with --data DIR, or set {VARIABLE} to the folder that holds gap/."
        )
    folder = Path(named).expanduser()
    if not folder.is_dir():
        origin = "--data" if option is not None else VARIABLE
        raise DataError(f"There is no folder {folder}, which {origin} names. Set it to the folder that holds gap/.")
    return folder


def find(data: Path, name: str) -> Path | None:
    """The file or folder of that name in the data folder, or None.

    Archives often unpack into a folder of their own, so one extra folder is looked
    through where the name itself is not there: ``names/female.txt`` may lie at
    ``names/names/female.txt``. It has to be the only one that holds the name.
    """
    if (data / name).exists():
        return data / name
    parts = name.split("/")
    for depth in reversed(range(1, len(parts))):
        matches = list(data.glob("/".join([*parts[:depth], "*", *parts[depth:]])))
        if len(matches) == 1:
            return matches[0]
    return None


def require(data: Path, name: str) -> Path:
    """The file or folder of that name in the data folder; an error says where to get a missing one."""
    found = find(data, name)
    if found is None:
        raise DataError(f"{data / name} is missing. Get it from {source(name)}, and put it there.")
    return found


def source(name: str) -> str:
    """Where a file of the data folder comes from, in words."""
    return next(text for prefix, text in SOURCES.items() if name.startswith(prefix))
