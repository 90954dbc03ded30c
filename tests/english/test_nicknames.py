from __future__ import annotations

from petra.english.nicknames import related


def test_nicknames_lead_to_the_name_and_back() -> None:
    assert "elizabeth" in related("lizzy")
    assert "lizzy" in related("elizabeth")
    assert "eliza" in related("lizzy")  # by way of Elizabeth


def test_a_nickname_of_several_names_leads_to_all() -> None:
    assert {"catherine", "katharine"} <= related("kitty")


def test_nobody_is_related_to_themselves() -> None:
    assert "lizzy" not in related("lizzy")
    assert related("fitzwilliam") == frozenset()
