"""The profiles of a report page: templates that the script shows for whoever is chosen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

from petra.people.profiles import PersonProfile
from petra.report.templates import escaped
from petra.report.values.summaries import counted

_HEIGHT = 20  # of the bars
_MOST = 8  # names, companions and addressees of a person that are shown


def profile_templates(profiles: Iterable[PersonProfile]) -> str:
    """A template for each profile, by the number of its person."""
    return "\n".join(
        f'<template data-profile="{profile.person.id}">{_profile(profile)}</template>' for profile in profiles
    )


def _profile(profile: PersonProfile) -> str:
    facts = [
        ("Also called", _words([(alias.name, alias.uses) for alias in profile.aliases])),
        ("Pronouns", _words(list(profile.pronouns.items()))),
        ("Together with", _people([(each.id, each.paragraphs) for each in profile.companions], "with")),
        ("Speaks", _speech(profile)),
        ("Speaks to", _people([(each.id, each.quotations) for each in profile.addressees], "addressee")),
        (f"By {profile.presence_by}", _bars(profile.presence, profile.presence_by) if any(profile.presence) else ""),
    ]
    return "".join(f"<div><dt>{name}</dt><dd>{fact}</dd></div>" for name, fact in facts if fact)


def _words(words: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"<bdi>{escaped(word)}</bdi> <small>{uses:,}</small>" for word, uses in words[:_MOST])


def _people(people: Sequence[tuple[int, int]], data: str) -> str:
    """How often with whom: buttons that the script gives their names; the numbers of the people are the data named."""
    return "".join(
        f'<button type="button" data-{data}="{person}">{times:,}</button>' for person, times in people[:_MOST]
    )


def _speech(profile: PersonProfile) -> str:
    if not profile.quotations:
        return ""
    return (
        f'<button type="button" class="speech" data-speaker="{profile.person.id}">'
        f"{counted(profile.quotations, 'quotation')}</button>, {counted(profile.words_spoken, 'word')}"
    )


def _bars(presence: Sequence[int], unit: str) -> str:
    """Mentions in each chapter or tenth of the text, as bars."""
    most = max(presence)
    heights = ((place, ceil(_HEIGHT * count / most)) for place, count in enumerate(presence) if count)
    bars = "".join(f"M{place} {_HEIGHT}v-{height}h.8v{height}z" for place, height in heights)
    return (
        f'<svg class="bars" viewBox="0 0 {len(presence)} {_HEIGHT}" preserveAspectRatio="none" role="img" '
        f'aria-label="Mentions by {unit}: {", ".join(map(str, presence))}"><path d="{bars}"/></svg>'
    )
