"""Bytes -> text, in the encoding asked for or in the one that they seem to have."""

from __future__ import annotations

import codecs

from petra.errors import ConfigError, TextError
from petra.text.source import decode

_MARKS = (  # byte order marks; that of UTF-32 begins like that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_USUAL = ("cp1252", "mac_roman", "cp437")  # of English texts that are not Unicode
_LEAST = 64  # bytes; with fewer an encoding cannot be told
_MOST = 1 << 18  # bytes that are looked at to tell it


def encoding_name(name: str) -> str:
    """The name that Python has for an encoding."""
    try:
        return codecs.lookup(name).name
    except LookupError:
        raise ConfigError(
            f"No encoding named {name!r}. Names are those of Python: utf-8, utf-16, windows-1252, mac-roman, latin-1."
        ) from None


def decode_any(content: bytes, source: str, encoding: str | None = None) -> tuple[str, str | None]:
    """The text in the bytes of source, and the encoding if it had to be guessed."""
    if encoding is not None:
        try:
            return content.decode(encoding), None
        except UnicodeDecodeError as error:
            raise TextError(
                f"{source} is not {encoding}: byte {error.start} does not fit. Leave out --encoding to have it told."
            ) from None
    for mark, name in _MARKS:
        if content.startswith(mark):
            return decode_any(content, source, name)[0], name
    try:
        return decode(content, source), None
    except TextError:
        guessed = None if b"\0" in content else _guess(content)
        if guessed is None:
            raise
        return content.decode(guessed), guessed


def _guess(content: bytes) -> str | None:
    """The encoding that bytes which are not UTF-8 seem to have; None if it cannot be told."""
    try:
        from charset_normalizer import from_bytes
    except ImportError:
        return None
    if len(content) < _LEAST:
        return None
    best = from_bytes(_around_the_unusual(content), cp_isolation=list(_USUAL)).best()
    if best is None:
        return None
    found = str(best.encoding)
    try:
        content.decode(found)
    except UnicodeDecodeError:
        return None
    return found


def _around_the_unusual(content: bytes) -> bytes:
    """A stretch from somewhat before the first byte beyond ASCII."""
    first = next(place for place, byte in enumerate(content) if byte > 127)
    start = max(0, first - 1000)
    return content[start : start + _MOST]
