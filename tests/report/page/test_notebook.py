from __future__ import annotations

from xml.etree import ElementTree

from found_people import person

from petra import Tracker
from petra.report.page.notebook import COLOURS, GREY, colours_of, notebook_html

TEXT = "Tom King's mother met <Ada> & Co. She saw him."
PEOPLE = (
    person(TEXT, 1, "Tom King", ("Tom King", "name"), ("him", "pronoun")),
    person(TEXT, 2, "Tom King's mother", ("Tom King's mother", "nominal"), ("She", "pronoun")),
    person(TEXT, 3, "Ada", ("<Ada>", "name")),
)


def text_of(html: str) -> str:
    """The words that a browser shows of the text, without the numbers of people."""
    body = ElementTree.fromstring(html.replace("&nbsp;", "\N{NO-BREAK SPACE}")).findall("div")[0]
    for parent in body.iter():
        for number in parent.findall("small"):
            number.text = ""
    return "".join(body.itertext())


def test_the_text_stays_what_it_is() -> None:
    assert text_of(notebook_html(TEXT, PEOPLE)) == TEXT


def test_mentions_nest_and_those_that_cross_are_left_out() -> None:
    crossing = person(TEXT, 4, "mother met", ("mother met", "nominal"))
    html = notebook_html(TEXT, (*PEOPLE, crossing))
    assert text_of(html) == TEXT
    assert html.count('title="Tom King:') == 2
    assert html.count('title="mother met') == 0
    assert "2&nbsp;</small><span" in html  # Tom King within his mother


def test_of_a_long_text_the_beginning_is_shown() -> None:
    html = notebook_html(TEXT, PEOPLE, shown=12)  # within "Tom King's mother"
    assert text_of(html) == "Tom King's mother"
    assert f"{len(TEXT) - 17} more characters" in html


def test_the_twelve_mentioned_most_often_have_colours() -> None:
    text = "a " * 200
    people = tuple(person(text, i, "a", *[("a", "nominal")] * i) for i in range(1, 15))
    colours = colours_of(people)
    assert [colours[14], colours[3]] == [COLOURS[0], COLOURS[11]]
    assert colours[1] == colours[2] == GREY


def test_a_tracking_shows_itself(tiny_tracker: Tracker) -> None:
    tracking = tiny_tracker.track(TEXT)
    assert text_of(tracking._repr_html_()) == TEXT
    assert text_of(tiny_tracker.track("")._repr_html_()) == ""
