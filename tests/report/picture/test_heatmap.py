"""What is drawn: which rows, columns, values and words, not which pixels."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from strategies import logs
from written_logs import written_log

from petra.errors import ConfigError
from petra.log.memory_log import MemoryLog
from petra.report.picture.files import picture_file, undrawable
from petra.report.picture.heatmap import draw
from petra.report.picture.panels import View, make_panels
from petra.report.picture.shades import GROUND, person_colour, shades
from petra.report.picture.sheet import image

STORY = "Jane met Tom. It rained on the hill and on the roofs of the town. She left."
LOG = written_log(STORY, ("Jane", 0, "new"), ("Tom", 2, "new", 0.5), ("She", 0, "same", 0.75))


def drawn(*given: MemoryLog, font: str | None = None, **view: Any) -> Figure:
    return draw(make_panels(given, View(**view)), font=font)


def words(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def rows(figure: Figure, *, all_rows: bool = False) -> dict[str, list[tuple[float, str]]]:
    """The squares of each row of cells: left edge in inches and colour."""
    found: dict[str, list[tuple[float, str]]] = {}
    for squares in figure.axes[0].collections:
        assert isinstance(squares, PolyCollection)
        name = str(squares.get_label())
        if all_rows or name[:2] in ("OW", "CR"):
            edges = [round(float(path.vertices[:, 0].min()), 3) for path in squares.get_paths()]
            colours = [to_hex(colour) for colour in squares.get_facecolors()]
            found.setdefault(name, []).extend(zip(edges, cycle(colours), strict=False))
    return found


def test_each_cell_in_use_has_two_rows() -> None:
    assert list(rows(drawn(LOG))) == ["OW 1", "CR 1", "OW 3", "CR 3"]
    assert list(rows(drawn(LOG, all_cells=True))) == [f"{row} {cell}" for cell in range(1, 5) for row in ("OW", "CR")]
    assert "cells 2 and 4 not used here" in words(drawn(LOG))


def test_a_square_for_each_gate_at_its_token() -> None:
    found = rows(drawn(LOG))
    # The squares begin 0.62 inches from the left, a column is 0.17 wide; a word begins after a seam of 0.012.
    assert found["OW 1"] == [(0.632, *shades(np.float32([0.9]), np.array([0])))]
    assert found["OW 3"] == [(0.972, *shades(np.float32([0.5]), np.array([0])))]  # Tom, the third column
    assert found["CR 1"] == [(1.992, *shades(np.float32([0.75]), np.array([0])))]  # She, the ninth
    assert found["CR 3"] == []


def test_the_text_stands_below_and_skipped_text_is_marked() -> None:
    figure = drawn(LOG)
    labels = ["Jane", "met", "Tom", ".", "It", "…", "town", ".", "She", "left", "."]
    found = words(figure)
    place = found.index("Jane")
    assert found[place : place + len(labels)] == labels
    ground = rows(figure, all_rows=True)["ground"]
    assert ground[:2] == [(0.62, GROUND), (1.64, GROUND)]  # before and after the gap, the sixth column
    dark = {text.get_text() for text in figure.axes[0].texts if text.get_color() == "#1c2430" and text.get_rotation()}
    assert dark == {"Jane", "Tom", "She"}


def test_labels_never_overlap() -> None:
    figure = drawn(LOG, all_tokens=True)
    labels = [text for text in figure.axes[0].texts if text.get_rotation()]
    assert len(labels) == LOG.num_tokens
    assert np.diff([text.get_position()[0] for text in labels]).min() == pytest.approx(0.17)
    # At 60 degrees two columns are 0.17 sin 60 = 0.147 inches apart across the letters, whose size is 7 / 72 = 0.097.
    assert {(text.get_fontsize(), round(text.get_rotation())) for text in labels} == {(7, 60)}


def test_a_long_log_is_folded() -> None:
    log = written_log("Jane ran. " * 20, *[("Jane", 0, "same")] * 20)
    figure = drawn(log, columns_per_line=30)
    assert words(figure).count("CR") == 2  # a row for each line
    assert len(rows(figure)["CR 1"]) == 20
    narrow = drawn(log, columns_per_line=10)
    assert narrow.get_figwidth() < figure.get_figwidth()
    assert narrow.get_figheight() > figure.get_figheight()


def test_readings_of_one_text_stand_over_the_same_words() -> None:
    other = written_log(STORY, ("Tom", 0, "new"), cells=2)
    figure = drawn(LOG, other)
    found = words(figure)
    assert found.count("Tom") == 1
    assert found.index("by hand, 4 cells") < found.index("by hand, 2 cells") < found.index("Tom")


def test_people_have_a_colour_a_number_and_a_name() -> None:
    figure = drawn(LOG, with_people=True)
    found = words(figure)
    assert [word for word in found if word in ("1", "2")][:3] == ["1", "2", "1"]  # over Jane, Tom and She
    assert "1 Jane" in found
    assert "2 Tom" in found
    swatches = rows(figure, all_rows=True)
    assert swatches["person 1"][0][1] == person_colour(1)
    assert rows(figure)["OW 1"][0][1] == shades(np.float32([0.9]), np.array([1]))[0]


def test_nobody() -> None:
    assert "No people were found." in words(drawn(written_log("It rained.")))
    assert "No people were found." in words(drawn(written_log("")))


def test_a_dollar_sign_is_no_mathematics() -> None:
    log = written_log("Jane$x_2$Tom", ("Jane", 0, "new"))
    assert "$" in words(drawn(log))
    assert b"$" in picture_file(make_panels([log], View()), "svg")


@pytest.mark.parametrize("form", ["png", "svg", "pdf", "html"])
def test_drawing_again_gives_the_same_bytes(form: Any) -> None:
    panels = make_panels([LOG], View(with_people=True))
    content = picture_file(panels, form)
    assert content == picture_file(panels, form)
    assert content[:4] == {"png": b"\x89PNG", "svg": b"<?xm", "pdf": b"%PDF", "html": b"<!do"}[form]


def test_letters_stay_letters() -> None:
    svg = picture_file(make_panels([LOG], View()), "svg").decode()
    assert ">Jane</text>" in svg
    assert "<title>Memory log: by hand, 4 cells</title>" in svg
    assert "dc:date" not in svg


def test_characters_that_no_font_has_are_told_and_drawn_as_boxes() -> None:
    log = written_log("李娜 met Zoë, Зоя & דוד. 李 🐕", ("李娜", 0, "new"), ("Zoë", 1, "new"))
    panels = make_panels([log], View(all_tokens=True))
    for form in ("png", "pdf"):
        assert undrawable(panels, form) == "李娜🐕"
        assert picture_file(panels, form)
    assert undrawable(panels, "svg") == undrawable(panels, "html") == ""
    assert "李娜" in picture_file(panels, "svg").decode()


def test_another_font_goes_after_the_own() -> None:
    panels = make_panels([LOG], View())
    assert "'STIXGeneral'" in picture_file(panels, "svg", font="STIXGeneral").decode()
    assert undrawable(make_panels([written_log("𝕁 ran", ("𝕁", 0, "new"))], View()), "png", font="STIXGeneral") == ""
    with pytest.raises(ConfigError, match="No font named 'Nonesuch Sans' is installed"):
        picture_file(panels, "svg", font="Nonesuch Sans")


def test_a_picture_too_tall_for_its_form_is_told() -> None:
    figure = drawn(LOG)
    figure.set_figheight(250)
    with pytest.raises(ConfigError, match="would be 250 inches tall; a PDF has room for 200"):
        image(figure, "pdf", title="x")
    figure.set_figheight(400)
    with pytest.raises(ConfigError, match="a PNG has room for 325"):
        image(figure, "png", title="x")


def test_the_users_own_settings_have_no_say() -> None:
    from matplotlib import rc_context, rcParams

    plain = picture_file(make_panels([LOG], View()), "svg")
    with rc_context({"font.family": "serif", "savefig.facecolor": "black", "svg.fonttype": "path"}):
        assert picture_file(make_panels([LOG], View()), "svg") == plain
        assert rcParams["font.family"] == ["serif"]


@settings(max_examples=25)
@given(logs())
def test_any_log_can_be_drawn(log: MemoryLog) -> None:
    panels = make_panels([log, log], View(with_people=True, all_tokens=True, columns_per_line=10))
    assert picture_file(panels, "svg").endswith(b"</svg>\n")
    assert undrawable(panels, "png") is not None


def test_the_ground_is_the_shade_of_nothing() -> None:
    assert shades(np.float32([0]), np.array([0])) == [GROUND]


def test_darker_is_more_probable() -> None:
    values = np.linspace(0, 1, 11, dtype=np.float32)
    for person in range(7):
        found = shades(values, np.full(11, person))
        light = [sum(bytes.fromhex(colour[1:])) for colour in found]
        assert light == sorted(light, reverse=True)
        assert len(set(found)) == 11


def test_a_page_holds_the_picture_of_two_readings() -> None:
    text = "Jane met Tom, who knew Ann and a neighbour of hers. " * 60
    names = ("Jane", "Tom", "Ann", "neighbour")
    one = written_log(text, *((name, at % 8, "same") for at, name in enumerate(names * 60)), cells=8)
    other = written_log(text, *((name, 7 - at % 8, "new") for at, name in enumerate(names * 60)), cells=8)
    figure = draw(make_panels([one, other], View(compared=True, with_people=True)))
    width, height = figure.get_size_inches()
    assert width <= 8.3
    assert height <= 10.7


def test_a_bar_marks_what_differs() -> None:
    one = written_log("Jane met Tom. She left.", ("Jane", 0, "new"), ("She", 0, "same"))
    other = written_log("Jane met Tom. She left.", ("Jane", 0, "new"), ("She", 1, "new"))
    svg = picture_file(make_panels([one, other], View(compared=True)), "svg").decode()
    assert svg.count("#b34a00") == 2  # the bar and the word
    assert "orange bar" in svg
