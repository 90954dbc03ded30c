"""Precision, recall and F1."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Rates:
    """Precision, recall and F1 in percent; 0 where there is nothing to divide by."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, *, right: int, found: int, expected: int) -> Rates:
        """The rates of so many right ones among those found and those expected."""
        return cls(
            precision=100 * right / found if found else 0.0,
            recall=100 * right / expected if expected else 0.0,
            f1=200 * right / (found + expected) if found + expected else 0.0,
        )
