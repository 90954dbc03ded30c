from __future__ import annotations

from petra.web.pages import show


def test_a_page_has_its_title_its_styles_and_its_scripts() -> None:
    page = show("error.html", title="A & B", message="no", styles=("study.css",), scripts=("form.js",))
    assert "<title>A &amp; B · PeTra</title>" in page
    assert '<link rel="stylesheet" href="/static/study.css">' in page
    assert '<script src="/static/form.js" defer></script>' in page
