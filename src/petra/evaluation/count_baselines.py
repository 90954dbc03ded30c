"""What counting people costs without a model: the same number for every text, and names counted once.

A count that is worse than the best constant says nothing about how many people a text has.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from petra.corpora.names import read_names
from petra.corpora.people_counts import PeopleCount, read_people_counts
from petra.english.names import Name, Relation, parse_name, relation
from petra.english.not_people import NOT_PERSON_ENDINGS
from petra.english.vocabulary import PARTICLES, TITLES, is_initial, is_suffix, looks_like_name, plain
from petra.english.words import tokens
from petra.errors import DataError

_SAME = (Relation.EXACT, Relation.SHORTER, Relation.LONGER, Relation.NICKNAME, Relation.FAMILY)


@dataclass(frozen=True, kw_only=True, slots=True)
class CountBaselines:
    """Summed errors |predicted - true| over the same texts that models count in."""

    documents: int
    best_constant: int  # the number with the least error on these very texts, the lower of equals
    error_best_constant: int
    error_constant_two_fold: int  # the number chosen on one half of the texts, the error measured on the other
    error_names: int | None  # of counting each name once, ``count_names``; None without a list of first names


def read_count_baselines(data: Path) -> CountBaselines:
    """The errors of the baselines on the counted texts in the data folder."""
    try:
        names: Container[str] | None = read_names(data)
    except DataError:
        names = None
    return count_baselines(read_people_counts(data), names)


def count_baselines(texts: Sequence[PeopleCount], first_names: Container[str] | None) -> CountBaselines:
    """The errors of the baselines on counted texts."""
    gold = np.array([text.count for text in texts], dtype=np.int64)  # (D,)
    constants = np.arange(gold.max(initial=0) + 1)  # (C,)
    errors = np.abs(constants[:, None] - gold)  # (C, D)
    total, even, odd = errors.sum(axis=1), errors[:, ::2].sum(axis=1), errors[:, 1::2].sum(axis=1)  # each (C,)
    return CountBaselines(
        documents=len(texts),
        best_constant=int(constants[total.argmin()]),
        error_best_constant=int(total.min()),
        error_constant_two_fold=int(odd[even.argmin()] + even[odd.argmin()]),
        error_names=None
        if first_names is None
        else sum(abs(count_names(text.text, first_names) - text.count) for text in texts),
    )


def count_names(text: str, first_names: Container[str]) -> int:
    """The number of different names of people in a text.

    A name is some capitalised words in a row that open with a title or a first name of the list.
    One that shortens or lengthens another name of the text is the same person's.
    """
    known: list[Name] = []
    for name in _names(text, first_names):
        if not any(relation(name, other) in _SAME for other in known):
            known.append(name)
    return len(known)


def _names(text: str, first_names: Container[str]) -> Iterator[Name]:
    run: list[str] = []
    for word in [*(found.group() for found in tokens(text)), ""]:
        goes_on = bool(run) and (plain(word) in PARTICLES or (word == "." and _dotted(run[-1])))
        if word and (looks_like_name(word) or goes_on):
            run.append(word)
            continue
        while run and not looks_like_name(run[-1]):
            run.pop()
        if run and run[-1] not in NOT_PERSON_ENDINGS and (run[0] in first_names or plain(run[0]) in TITLES):
            yield parse_name(" ".join(word for word in run if word != "."))
        run = []


def _dotted(word: str) -> bool:
    return is_initial(word) or is_suffix(word) or plain(word) in TITLES
