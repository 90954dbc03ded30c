"""Nicknames: the short forms of a given name by which its bearers are called."""

from __future__ import annotations

from functools import lru_cache

from petra.english import lexicon

_FORMS = {name: frozenset(forms) for name, forms in lexicon.entries("nicknames").items()}
_FULL = {
    form: frozenset(name for name, forms in _FORMS.items() if form in forms)
    for form in frozenset().union(*_FORMS.values())
}


@lru_cache(maxsize=8192)
def related(word: str) -> frozenset[str]:
    """The other names, in lower case, that somebody of this one may have: Elizabeth for Lizzy, Lizzy for Elizabeth.

    Two nicknames of one given name are related too: Lizzy and Eliza.
    """
    full = _FULL.get(word, frozenset())
    forms = (_FORMS.get(name, frozenset()) for name in (word, *full))
    return full.union(*forms) - {word}
