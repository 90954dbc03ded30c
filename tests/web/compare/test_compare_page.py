from __future__ import annotations

import re

from web_samples import STORY, person

from petra.domain import Mention, Person
from petra.report.values.differences import DifferenceKind
from petra.web.compare.page import Chosen, compare_page
from petra.web.compare.paired_readings import PairedReadings

JANE = person(1, STORY, "Jane", "She")
TOM = person(2, STORY, "Tom", "him")
SWAPPED = (Person(1, "Thomas", TOM.mentions), Person(2, "Jane", (*JANE.mentions, TOM.mentions[1])))


def page_of(
    first: tuple[Person, ...],
    second: tuple[Person, ...],
    *,
    text: str = STORY,
    models: tuple[str, str] = ("one", "two"),
    kind: DifferenceKind | None = None,
    number: int | None = None,
) -> str:
    pair = PairedReadings(text, first, second)
    return compare_page(pair, models, title="story.txt", chosen=Chosen(kind, number), ids=("x", "y"))


def listed(page: str) -> list[str]:
    return re.findall(r'<li id="l\d+".*?</li>', page, re.DOTALL)


def test_a_person_has_one_number_and_one_look_in_both_readings() -> None:
    pair = PairedReadings(STORY, (JANE, TOM), SWAPPED)
    # Jane is the first of one reading and the second of the other; the first reading counts.
    assert [(each.number, each.name) for each in pair.people] == [(1, "Jane"), (2, "Tom / Thomas")]
    (row,) = pair.rows()
    for side in row:
        assert re.findall(r'<mark class="(c\d l\d) \w+[^>]*data-person="(\d)"[^>]*>Jane<', side) == [("c0 l0", "1")]
        assert re.findall(r'<mark class="(c\d l\d) \w+[^>]*data-person="(\d)"[^>]*>Tom<', side) == [("c1 l0", "2")]


def test_who_is_only_in_the_second_reading_follows_the_others() -> None:
    assert [each.number for each in PairedReadings(STORY, (JANE,), (TOM,)).people] == [1, 2]
    page = page_of((JANE,), (TOM,))
    assert page.count('<span class="quiet">not found</span>') == 4 + 2  # at each difference, and in the list of people


def test_each_difference_leads_to_its_place_in_both_texts() -> None:
    page = page_of((JANE,), (TOM,))
    for number in range(1, 5):
        assert f'href="#d{number}"' in page
        assert len(re.findall(rf'id="[de]{number}"', page)) == 2
    assert len(re.findall(r'<span class="absent" id="[de]\d" data-difference="\d">', page)) == 4


def test_both_texts_are_cut_at_the_same_places() -> None:
    text = "Jane met Tom. " * 200
    people = (Person(1, "Jane", tuple(Mention(14 * at, 14 * at + 4, "Jane", "name", 1.0) for at in range(200))),)
    rows = list(PairedReadings(text, people, ()).rows())
    assert len(rows) > 2
    for row in rows:
        plain = [re.sub("<[^>]*>", "", side) for side in row]
        assert plain[0] == plain[1]
    assert "".join(re.sub("<[^>]*>", "", row.first) for row in rows) == text


def test_differences_by_kind_and_person() -> None:
    first, second = (JANE, TOM), (JANE, person(2, STORY, "Tom"), person(3, STORY, "him", "her"))
    assert len(listed(page_of(first, second))) == 2
    (item,) = listed(page_of(first, second, kind="only_second"))
    assert "found only by two" in item
    assert "not found" in item
    (item,) = listed(page_of(first, second, number=2))
    assert "another person" in item
    assert listed(page_of(first, second, kind="boundaries")) == []
    assert "0 differences." in page_of(first, second, kind="boundaries")


def test_readings_without_a_difference() -> None:
    page = page_of((JANE, TOM), (JANE, TOM))
    assert "<p>Both readings are the same.</p>" in page
    assert "<form" not in page


def test_markup_in_a_text_is_shown_as_text() -> None:
    text = "<b>Jane</b> & Tom"
    page = page_of((person(1, text, "<b>Jane</b>"),), (), text=text, models=("<i>", "b"))
    assert "<b>Jane" not in page
    assert "<i>" not in page
    assert "found only by &lt;i&gt;" in page


def test_a_long_list_says_what_it_leaves_out() -> None:
    text = "Jane " * 310
    mentions = tuple(Mention(5 * place, 5 * place + 4, "Jane", "name", 0.9) for place in range(310))
    page = page_of((Person(1, "Jane", mentions),), (), text=text)
    assert len(listed(page)) == 300
    assert "310 differences, the first 300 of them here" in page
