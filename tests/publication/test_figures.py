from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from petra.publication.figures import FIGURE_FORMS, FigureForm, figure_file, figure_style


@pytest.mark.parametrize("form", FIGURE_FORMS)
def test_drawing_again_gives_the_same_bytes(form: FigureForm) -> None:
    def drawn() -> bytes:
        with figure_style():
            figure = Figure(figsize=(2, 1))
            figure.subplots().plot([1, 2], [3, 4], label="x")
        return figure_file(figure, form)

    first = drawn()
    assert first.lstrip().startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[form])
    assert drawn() == first
