"""The errors PeTra raises on purpose.

    PetraError
    ├── ConfigError   a recipe or setting that cannot be used
    ├── TextError     a text that cannot be read
    ├── ModelError    an encoder or trained model that is missing, unknown or damaged
    ├── DataError     a corpus file that is missing or malformed
    ├── LogError      a stored memory log that cannot be read
    ├── EditError     a correction that does not fit the text or its people
    └── StudyError    a human evaluation that cannot go on

A message says what was found, what was expected and what to do next. Errors are
raised where the fact is known and shown once, at the command line or the web edge.
"""

from __future__ import annotations


class PetraError(Exception):
    """Something the user can put right."""


class ConfigError(PetraError):
    """A recipe or setting that cannot be used."""


class TextError(PetraError):
    """A text that cannot be read."""


class ModelError(PetraError):
    """An encoder or trained model that is missing, unknown or damaged."""


class DataError(PetraError):
    """A corpus file that is missing or malformed."""


class LogError(PetraError):
    """A stored memory log that cannot be read."""


class EditError(PetraError):
    """A correction that does not fit the text or its people."""


class StudyError(PetraError):
    """A human evaluation that cannot go on."""
