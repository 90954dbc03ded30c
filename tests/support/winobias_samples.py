"""A small WinoBias, written by hand."""

from __future__ import annotations

from pathlib import Path

# A pair of sentences for each type; the pronouns are written in.
SENTENCES = {
    1: "1 [The diver] thanked the potter because [{}] fell.\n2 The diver thanked [the potter] because [{}] ran.\n",
    2: "1 The diver saw [the potter] and greeted [{}].\n2 The potter saw [the diver] and greeted [{}].\n",
}
PRONOUNS = {
    ("pro", 1): ("he", "she"),
    ("anti", 1): ("she", "he"),
    ("pro", 2): ("her", "him"),
    ("anti", 2): ("him", "her"),
}


def write_winobias(data: Path) -> None:
    """The four files of the development part, of two sentences each."""
    folder = data / "winobias"
    folder.mkdir(parents=True)
    for (side, type_), pronouns in PRONOUNS.items():
        path = folder / f"{side}_stereotyped_type{type_}.txt.dev"
        path.write_text(SENTENCES[type_].format(*pronouns), encoding="utf-8")
