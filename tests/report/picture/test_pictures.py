from __future__ import annotations

from pathlib import Path

import pytest

from petra.errors import ConfigError
from petra.report.picture.files import form_of, require


@pytest.mark.parametrize(("name", "form"), [("a.png", "png"), ("b.SVG", "svg"), ("c.d.pdf", "pdf"), ("e.html", "html")])
def test_the_form_is_told_by_the_name(name: str, form: str) -> None:
    assert form_of(Path(name)) == form


@pytest.mark.parametrize("name", ["a.jpg", "png", "a.png.txt"])
def test_another_form_is_told(name: str) -> None:
    with pytest.raises(ConfigError, match=r"Give a name that ends in \.png, \.svg, \.pdf or \.html"):
        form_of(Path(name))


def test_without_matplotlib_only_pages_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petra.report.picture.files.find_spec", lambda name: None)
    require("html")
    with pytest.raises(ConfigError, match=r"pip install 'petra\[plots\]'"):
        require("svg")
