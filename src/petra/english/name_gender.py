"""The gender that a given name tells, and whether a word is a given name, by its letters.

Two logistic regressions over the runs of up to five letters of a name and the name as a whole,
hashed into a table of weights (``name_gender.safetensors``), learned from lists of names
of many languages and from names with the pronouns of their texts (``petra.training.name_gender``).
A name that both genders bear comes out near 0, and so does one that looks like no other.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from importlib import resources
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load

BUCKETS = 1 << 16
LONGEST_RUN = 5  # letters
_FOLDED = str.maketrans({"ł": "l", "ø": "o", "ı": "i", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"})


@lru_cache(maxsize=8192)
def feminine_log_odds(given_name: str) -> float:
    """The logarithm of the odds that a given name is of a woman rather than of a man: above 0 for *Ada*."""
    weights, bias = _model()
    return float(bias[0] + weights[runs(given_name), 0].sum())


@lru_cache(maxsize=8192)
def given_name_prob(word: str) -> float:
    """The probability that a name of one word is a given name rather than a surname: *Ada*, not *Lovelace*."""
    weights, bias = _model()
    return float(1 / (1 + np.exp(-(bias[1] + weights[runs(word), 1].sum()))))


def runs(given_name: str) -> list[int]:
    """The places in the table of a name's runs of letters and of the name as a whole, each once."""
    whole = f"^{folded(given_name)}$"
    lengths = range(2, LONGEST_RUN + 1)
    found = {whole[start : start + length] for length in lengths for start in range(len(whole) - length + 1)}
    return sorted({crc32(run.encode()) % BUCKETS for run in (*found, whole)})


def folded(given_name: str) -> str:
    """A name in lower case without accents."""
    letters = unicodedata.normalize("NFKD", given_name.lower().translate(_FOLDED))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


@cache
def _model() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The weights of the places of the table for both questions (BUCKETS, 2), and the biases (2,)."""
    content = load((resources.files("petra.english") / "name_gender.safetensors").read_bytes())
    return content["weights"].astype(np.float32), content["bias"].astype(np.float32)
