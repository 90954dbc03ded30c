"""A text with names for pronouns; ``petra.people.resolving`` has it."""

from __future__ import annotations

from petra.people.resolving import Possessive, resolve, unknown

__all__ = ["Possessive", "resolve", "unknown"]
