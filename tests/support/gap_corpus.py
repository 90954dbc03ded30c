"""A small GAP corpus of our own, in the files and columns of the real one.

Sentences are written with marks: ``[A Ada Vale]`` and ``[B Ruth]`` are the names,
``[P she]`` is the pronoun; a ``*`` after A or B says that the pronoun refers to it.
"""

from __future__ import annotations

import re
from pathlib import Path

from gap_samples import write_gap

from petra.corpora.gap import Split

SENTENCES: dict[Split, tuple[str, ...]] = {
    "development": (
        "[A* Amelia Shepherd] met [B Lena Brook], and [P she] was the friend who told him.",
        "The doctor saw [A Paul Brook] and [B* Tom King]; [P he] said it was his house.",
        "When [P she] met the king, [A* Lena] told [B Amelia Shepherd] and her sister.",
        "[A Amelia] and [B Lena Brook] saw the house of [P his] mother.",
        "[A* Lena] was the sister of [B Amelia]. The king and [P her] friend met him.",
        "The friend of [A Paul] is [B* John Shepherd], and the king told [P him] who was in the house.",
    ),
    "validation": (
        "[A* Lena Brook] said that [B Amelia] met the doctor, and [P she] told the king.",
        "[A Tom] told [B* Paul Shepherd] that [P his] friend was a king.",
        "The mother of [A Amelia] met [B Lena], and they saw [P him].",
    ),
    "test": (
        "[A Lena] saw [B* Amelia Brook] and [P her] mother in the house.",
        "[A* Paul] met [B John] and told the doctor [P he] was the king.",
        "[P She] told [A Lena Shepherd] that the friend of [B* Amelia] is the king.",
    ),
}
_MARK = re.compile(r"\[([ABP])(\*?) ([^]]+)\]")


def gap_row(name: str, marked: str) -> dict[str, str]:
    """The columns of one instance."""
    text, columns = "", {"ID": name, "URL": f"https://example.org/{name}"}
    end = 0
    for mark in _MARK.finditer(marked):
        text += marked[end : mark.start()]
        end = mark.end()
        role, star, words = mark.groups()
        column = "Pronoun" if role == "P" else role
        columns |= {column: words, f"{column}-offset": str(len(text))}
        if role != "P":
            columns[f"{role}-coref"] = "TRUE" if star else "FALSE"
        text += words
    return {**columns, "Text": text + marked[end:]}


def write_gap_corpus(data: Path) -> Path:
    """The data folder, with its three splits and the people counted in two validation texts."""
    for split, sentences in SENTENCES.items():
        rows = [gap_row(f"{split}-{number}", marked) for number, marked in enumerate(sentences, start=1)]
        write_gap(data / f"gap/gap-{split}.tsv", *rows)
    counts = [("validation-1", 4), ("validation-3", 3)]
    texts = {f"validation-{number}": it for number, it in enumerate(SENTENCES["validation"], start=1)}
    lines = ["ID\tText\tCount\tRemark"]
    lines += [f"{name}\t{gap_row(name, texts[name])['Text']}\t{count}\t" for name, count in counts]
    (data / "gap/num_people.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return data
