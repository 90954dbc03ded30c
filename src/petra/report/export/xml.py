"""Text as XML may hold it, character for character.

Carriage returns and, in attributes, all line ends and tabs are written as references, for
a parser would change them. XML has no way to write most control characters and half a
surrogate pair; U+FFFD stands in place of each, so that what follows keeps its offset.
"""

from __future__ import annotations

import re

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TEXT = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}
_IN_TEXT = str.maketrans(_TEXT)
_IN_ATTRIBUTE = str.maketrans({**_TEXT, '"': "&quot;", "\n": "&#10;", "\t": "&#9;"})

HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n'


def allowed(text: str) -> str:
    """The text with U+FFFD for each character that XML does not allow."""
    return _FORBIDDEN.sub("\ufffd", text)


def content(text: str) -> str:
    """Text between tags."""
    return allowed(text).translate(_IN_TEXT)


def attribute(text: str) -> str:
    """Text of an attribute, in quotation marks."""
    return f'"{allowed(text).translate(_IN_ATTRIBUTE)}"'


def tag(name: str, **attributes: str | None) -> str:
    """An opening tag; ``xml_id`` is the attribute ``xml:id``, and those without a value are left out."""
    given = ((key.replace("_", ":"), value) for key, value in attributes.items() if value is not None)
    return "<" + " ".join([name, *(f"{key}={attribute(value)}" for key, value in given)]) + ">"
