"""Capitalised words that look like the name of a person and are rather of a place, a thing or an institution."""

from __future__ import annotations

from petra.english import lexicon


def _capitalised(listed: frozenset[str]) -> frozenset[str]:
    return frozenset(word.capitalize() for word in listed)


NOT_PERSON_ENDINGS = _capitalised(lexicon.words("not_person_endings"))  # end a name that is of no person: "Kew Gardens"
NOT_GIVEN_NAMES = _capitalised(lexicon.words("ambiguous_names", "never"))  # more often a place, a people or a title
NOT_ALONE = _capitalised(lexicon.words("ambiguous_names", "alone"))  # given names that alone are rather a word: "Grace"
SHIP_PREFIXES = frozenset(prefix.upper() for prefix in lexicon.words("ship_prefixes"))
