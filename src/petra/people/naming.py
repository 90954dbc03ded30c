"""Naming: chooses the name of a person among the mentions (docs/people.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from petra.domain import Mention
from petra.english.names import Name, Relation, parse_name, relation
from petra.english.vocabulary import INDEFINITES, ORDINARY_WORDS, plain

_RARE = 100  # a name used less than once in so many times of the usual one may be a slip
_SAYING_NOTHING = ORDINARY_WORDS | INDEFINITES
_FITTING = (Relation.EXACT, Relation.LONGER)


def name_of(mentions: Iterable[Mention]) -> str:
    """The name of a person with these mentions, in text order.

    A name goes before a nominal and a nominal before a pronoun. Among names it is the
    fullest of those that agree with the most used one and are not too rare; among nominals
    the one with the most content words; of pronouns the first.
    """
    by_kind: dict[str, list[str]] = {"name": [], "nominal": [], "pronoun": []}
    for mention in mentions:
        by_kind[mention.kind].append(spelled(mention))
    if by_kind["name"]:
        return _best_name(by_kind["name"])
    if by_kind["nominal"]:
        return max(by_kind["nominal"], key=_information)  # the first of equals
    return by_kind["pronoun"][0]


def spelled(mention: Mention) -> str:
    """A mention as one writes it on a line: every run of white space as one space."""
    return " ".join(mention.text.split())


def _best_name(names: Sequence[str]) -> str:
    """The fullest name that agrees with the most used words; of equals one with a title, then the most used."""
    uses = Counter(names)  # in order of first use
    parsed = {name: parse_name(name) for name in uses}
    by_words: Counter[tuple[str, ...]] = Counter()
    for name, count in uses.items():
        by_words[parsed[name].words] += count
    usual_words, usual_uses = max(by_words.items(), key=lambda item: (item[1], len(item[0])))  # the earliest of equals
    usual = next(name for name in parsed.values() if name.words == usual_words)

    def is_trusted(name: str) -> bool:
        fits = relation(_untitled(parsed[name]), _untitled(usual)) in _FITTING
        return fits and by_words[parsed[name].words] * _RARE >= usual_uses

    def rank(name: str) -> tuple[bool, int, bool, int, int]:
        is_spoken = not name.isupper()  # a heading or a signature, "E. GARDINER", names only who has no other name
        return is_spoken, len(parsed[name].words), parsed[name].title is not None, uses[name], len(name)

    return max(filter(is_trusted, uses), key=rank)  # the earliest of equals


def _untitled(name: Name) -> Name:
    """A name without its title: that all mentions are of one person is known already."""
    return Name(words=name.words, suffix=name.suffix, is_group=name.is_group)


def _information(nominal: str) -> tuple[int, int]:
    content_words = [word for word in nominal.split() if plain(word) not in _SAYING_NOTHING]
    return len(content_words), len(nominal)
