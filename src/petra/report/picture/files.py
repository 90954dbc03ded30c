"""Pictures of memory logs as files: PNG, SVG and PDF through Matplotlib, HTML without."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, get_args

from petra.errors import ConfigError
from petra.report.picture.captions import heading
from petra.report.picture.heatmap_page import heatmap_page
from petra.report.picture.panels import Panel

PictureFileForm = Literal["png", "svg", "pdf", "html"]
FORMS: tuple[PictureFileForm, ...] = get_args(PictureFileForm)


def form_of(path: Path) -> PictureFileForm:
    """The form of a picture, by the end of its file's name."""
    for form in FORMS:
        if path.suffix.lower() == f".{form}":
            return form
    raise ConfigError(f"{path} is no picture that PeTra makes. Give a name that ends in .png, .svg, .pdf or .html.")


def require(form: PictureFileForm) -> None:
    """Say what is missing if pictures of a form cannot be made here."""
    if form != "html" and find_spec("matplotlib") is None:
        raise ConfigError(
            f"Matplotlib, which draws {form.upper()} files, is not installed. "
            "Install it with: pip install 'petra[plots]'. Or make an HTML file, which needs nothing else."
        )


def picture_file(panels: Sequence[Panel], form: PictureFileForm, *, font: str | None = None) -> bytes:
    """A picture of panels as a file's content.

    ``font`` is a family for the characters that DejaVu Sans lacks; pages use the reader's fonts.
    """
    if form == "html":
        return heatmap_page(panels).encode()
    from petra.report.picture.heatmap import draw
    from petra.report.picture.sheet import image

    return image(draw(panels, font=font), form, title=heading(panels), font=font)


def undrawable(panels: Sequence[Panel], form: PictureFileForm, *, font: str | None = None) -> str:
    """The characters that a picture shows as empty boxes, because no font at hand has them.

    SVG and HTML hold letters, not shapes: there the reader's fonts count.
    """
    if form in ("html", "svg"):
        return ""
    from petra.report.picture import fonts

    return fonts.undrawable(panels, font)
