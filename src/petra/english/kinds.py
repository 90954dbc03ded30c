"""The kind of a mention that somebody marked, told by its words."""

from __future__ import annotations

from petra.domain import Kind
from petra.english.heads import head_span
from petra.english.names import parse_name
from petra.english.vocabulary import ORDINARY_WORDS, PERSON_NOUNS, PRONOUNS, is_capitalised, plain


def kind_of(text: str) -> Kind:
    """A listed pronoun is one; what has a name for its head is a name, and all else nominal."""
    words = [plain(word.strip(".,;:!?-_'\"“”‘’")) for word in text.split()]
    if len(words) == 1 and words[0] in PRONOUNS:
        return "pronoun"
    start, end = head_span(text)
    head = text[start:end]
    is_word = plain(head) in PERSON_NOUNS | ORDINARY_WORDS and parse_name(text).title is None
    return "name" if is_capitalised(head) and not is_word else "nominal"
