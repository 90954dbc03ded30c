from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError
from markupsafe import Markup

from petra.report.templating import Templates, escaped

PAGES = Templates("petra.web")


def shown(words: str) -> str:
    """What a page shows of words."""
    page = PAGES.fill("error.html", title="", styles=(), scripts=(), message=words)
    return page.split("<p>")[1].split("</p>")[0]


def test_text_becomes_no_markup() -> None:
    assert shown('<b title="x">') == "&lt;b title=&quot;x&quot;&gt;"


def test_markup_stays_markup() -> None:
    assert shown(Markup("<hr>")) == "<hr>"


def test_a_placeholder_in_a_text_stays_what_it_is() -> None:
    assert shown("{{ title }}{% if %}") == "{{ title }}{% if %}"


def test_a_value_that_is_not_given_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        PAGES.fill("error.html", title="", styles=(), scripts=())


@given(st.text())
def test_no_text_opens_a_tag(text: str) -> None:
    for words in (shown(text), escaped(text)):
        assert not set("<>\"'") & set(words)
        words.encode()  # half a surrogate pair could not be sent
