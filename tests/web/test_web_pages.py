from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from petra.web.pages import Markup, fragment, joined, show


def test_text_becomes_no_markup() -> None:
    assert fragment("code.html", words='<b title="x">') == "<code>&lt;b title=&quot;x&quot;&gt;</code>"


def test_markup_stays_markup() -> None:
    assert fragment("code.html", words=Markup("<b>")) == "<code><b></code>"
    assert joined("<", Markup("<hr>"), separator="") == "&lt;<hr>"


def test_a_placeholder_in_a_text_stays_what_it_is() -> None:
    assert fragment("code.html", words="{{words}}") == "<code>{{words}}</code>"


def test_a_page_has_its_title_and_scripts() -> None:
    page = show("error.html", title="A & B", message="no", scripts=("form.js",))
    assert "<title>A &amp; B · PeTra</title>" in page
    assert '<script src="/static/form.js" defer></script>' in page


@given(st.text())
def test_no_text_opens_a_tag(text: str) -> None:
    shown = fragment("code.html", words=text).removeprefix("<code>").removesuffix("</code>")
    assert not set("<>\"'") & set(shown)
    shown.encode()  # half a surrogate pair could not be sent
