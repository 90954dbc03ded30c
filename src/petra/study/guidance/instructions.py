"""The instructions for annotators: the paper's, for any number of models and cells.

Instructions are plain text: paragraphs with an empty line between them, and lists of
items that begin with a dash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from petra.study.design import LABELS

_TEXT = """\
In this study you compare memory models at tracking people. A memory model is a neural network with a memory
beside it, which it reads and writes while it goes through a text.

Important: to track people means two things.

- All references to people are found, pronouns included.
- People and memory cells correspond one to one: all references to a person go with the same memory cell, and
  each memory cell goes with at most one person.

The pictures show what a model decided on each word, or piece of a word, as two scores for each of its memory
cells. A stronger shade is a higher probability.

- OW, new person probability: the word refers to a person who was not in the text until now, and whom the model
  begins to track in this cell.
- CR, coreference probability: the word refers to the person whom the model tracks in this cell already.

The question is how well the memory logs show people being tracked. You choose how to weigh the requirements.

You compare {number} models with {cells}. They are called {names}, in an order that is drawn
anew for each document.

For each document choose {choice}, or stay neutral if the models do similarly well.
"""
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight")


def paper_instructions(cells: Sequence[int]) -> str:
    """The instructions for models with so many cells each."""
    names = [f"model {label}" for label in LABELS[: len(cells)]]
    return _TEXT.format(
        number=_NUMBERS[len(cells) - 2],
        cells=f"{cells[0]} memory cells each" if len(set(cells)) == 1 else "memory cells of different number",
        names=_listed(names, "and"),
        choice=_listed(names, "or"),
    )


def blocks(instructions: str) -> Iterator[str | list[str]]:
    """The paragraphs of instructions, and their lists as the words of each item; lines flow together."""
    for block in re.split(r"\n\s*\n", instructions.strip()):
        if block.lstrip().startswith("- "):
            yield [" ".join(item.split()) for item in re.split(r"(?m)^\s*- ", block) if item.strip()]
        else:
            yield " ".join(block.split())


def _listed(words: Sequence[str], last: str) -> str:
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
