"""Precision, recall and F1."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Rates:
    """Precision, recall and F1 in percent; 0 where there is nothing to divide by."""

    precision: float
    recall: float
    f1: float
