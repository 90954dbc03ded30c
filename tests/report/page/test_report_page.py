"""The report page in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser import DESKTOP, PHONE, opened, serious_faults
from invented_novel import Novel, invented_novel
from written_logs import written_log

from petra.domain import Mention, Person
from petra.people.finding import find_people
from petra.report.page.report_page import html_report
from petra.report.values.listing import Listing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TEXT = """🐕 Emma's father met Zoë O'Neil.\r
He <b>bowed</b> to her, and the rain went on until the evening came over the roofs of the old town.\r
Emma saw Zoë.
"""
LOG = written_log(
    TEXT,
    ("Emma", 0, "new"),
    ("father", 1, "new", 0.75),
    ("Zoë", 2, "new"),
    ("O", 2, "same"),
    ("He", 1, "same", 0.6),
    ("her", 2, "same"),
    ("", 0, "same", 0.25),
    ("Emma", 0, "same"),
    ("Zoë", 2, "same"),
)


def mention(words: str, after: int = 0, kind: Any = "name") -> Mention:
    start = TEXT.index(words, after)
    return Mention(start, start + len(words), words, kind, 0.875)


LAST_LINE = TEXT.index("Emma saw")
PEOPLE = (
    Person(1, "Emma's father", (mention("Emma's father", kind="nominal"), mention("He", kind="pronoun"))),
    Person(2, "Emma", (mention("Emma"), mention("Emma", LAST_LINE))),
    Person(
        3,
        "Zoë O'Neil",
        (mention("Zoë O'Neil"), mention("her", TEXT.index("to her"), "pronoun"), mention("Zoë", LAST_LINE)),
    ),
)
GOLD = (
    Person(1, "Emma", (mention("Emma"), mention("He", kind="pronoun"), mention("Emma", LAST_LINE))),
    Person(2, "Zoë", (mention("Zoë O'Neil"), mention("the evening", kind="nominal"))),
)

Open = Callable[..., "Page"]


def report(text: str, people: Any, **more: Any) -> str:
    return html_report(source="story.txt", model="tiny", threshold=0.5, text=text, people=people, **more)


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Writes a page to a file and opens it; options of the browser's look may be given."""
    from contextlib import ExitStack

    with ExitStack() as stack:

        def open_file(html: str, **options: Any) -> Page:
            (tmp_path / "report.html").write_text(html, encoding="utf-8", newline="\n")
            page = stack.enter_context(opened(browser, **options))
            page.goto((tmp_path / "report.html").as_uri())
            return page

        yield open_file


@pytest.fixture(scope="module")
def novel() -> Novel:
    return invented_novel(40_000)


@pytest.fixture(scope="module")
def novel_page(novel: Novel) -> str:
    return report(novel.text, novel.people, log=novel.log)


def story(**more: Any) -> str:
    return report(TEXT, PEOPLE, **more)


def comes_into_sight(page: Page, element: str) -> None:
    page.wait_for_function(
        """(id) => {
            const box = document.getElementById(id).getBoundingClientRect();
            return box.top >= 0 && box.bottom <= innerHeight - foot.offsetHeight;
        }""",
        arg=element,
    )


def finder(page: Page) -> str:
    return page.locator(".finder output").inner_text()


# The people


def test_choosing_a_person_lists_their_mentions_and_steps_through_them(open_page: Open) -> None:
    page = open_page(story())
    page.get_by_role("button", name="3 Zoë O'Neil 3").click()
    assert finder(page) == "Zoë O'Neil 1 of 3"
    assert page.locator("mark.chosen").all_inner_texts() == ["Zoë O'Neil", "her", "Zoë"]
    assert page.locator(".contexts a").all_inner_texts() == [
        "🐕 Emma's father met Zoë O'Neil. He <b>bowed</b> to her, and the ",
        "met Zoë O'Neil. He <b>bowed</b> to her, and the rain went on until the ",
        "roofs of the old town. Emma saw Zoë. ",
    ]
    page.get_by_role("button", name="Next mention").click()
    assert finder(page) == "Zoë O'Neil 2 of 3"
    page.keyboard.press("p")
    page.keyboard.press("p")
    assert finder(page) == "Zoë O'Neil 3 of 3"  # round the end
    assert page.locator("mark.here").inner_text() == "Zoë"
    page.keyboard.press("Escape")
    assert page.locator(".finder").is_hidden()
    assert page.locator("mark.chosen, #people .contexts, .profile").count() == 0


def test_all_of_it_can_be_done_with_the_keyboard(open_page: Open) -> None:
    page = open_page(story())
    page.get_by_label("Find a name").focus()
    page.keyboard.type("zoe")  # letters without marks find letters with them
    assert page.locator("#people > li:visible > button .name").all_inner_texts() == ["Zoë O'Neil"]
    assert page.locator(".timeline li:visible .name").all_inner_texts() == ["Zoë O'Neil"]
    assert page.locator("#listed").inner_text() == "1 of 3 people"
    for _ in range(3):  # to the order, the filters, the person
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert finder(page) == "Zoë O'Neil 1 of 3"
    for _ in range(5):  # first, last, and the second of the mentions in context
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    focused = page.locator("mark:focus")
    focused.wait_for()  # the browser follows a link in its own time
    assert focused.inner_text() in ("Zoë", "her")


def test_a_click_on_a_mention_within_a_mention_chooses_the_inner_person(open_page: Open) -> None:
    page = open_page(story())
    page.locator("#m2-1").click()
    assert finder(page) == "Emma 1 of 2"
    page.locator("#m1-1").click(position={"x": 80, "y": 10})
    assert finder(page) == "Emma's father 1 of 2"


def test_a_link_to_a_mention_chooses_its_person(open_page: Open) -> None:
    page = open_page(story())
    page.evaluate("location.hash = 'm3-3'")
    page.wait_for_selector("#m3-3.here")
    assert finder(page) == "Zoë O'Neil 3 of 3"
    page.get_by_role("link", name="first on line 1").nth(2).click()
    page.wait_for_selector("#m3-1.here")
    page.go_back()
    page.wait_for_selector("#m3-3.here")


def test_the_list_is_sorted(open_page: Open) -> None:
    page = open_page(story())
    names = page.locator("#people > li .name")
    assert names.all_inner_texts() == ["Emma's father", "Emma", "Zoë O'Neil"]
    page.get_by_label("Sort by").select_option("mentions")
    assert names.all_inner_texts() == ["Zoë O'Neil", "Emma's father", "Emma"]
    page.get_by_label("Sort by").select_option("name")
    assert names.all_inner_texts() == ["Emma", "Emma's father", "Zoë O'Neil"]
    assert page.locator(".timeline li .name").all_inner_texts() == names.all_inner_texts()


def test_a_list_cut_down_can_be_made_whole(open_page: Open) -> None:
    page = open_page(story(listing=Listing(top=1)))
    assert page.locator("#people > li:visible > button .name").all_inner_texts() == ["Zoë O'Neil"]
    assert page.locator("#listed").inner_text() == "1 of 3 people"
    page.locator("#m2-1").click()  # who is chosen in the text comes into the list
    assert page.locator("#people > li:visible > button .name").all_inner_texts() == ["Zoë O'Neil", "Emma"]
    page.get_by_role("button", name="Show all").click()
    assert page.locator("#people > li:visible").count() == 3
    assert page.get_by_role("button", name="Show all").is_hidden()


# The timeline


def test_a_click_on_the_timeline_goes_to_the_mention_nearby(open_page: Open) -> None:
    page = open_page(story())
    strip = page.locator('.timeline li[data-person="3"] svg')
    box = strip.bounding_box()
    assert box is not None
    strip.click(position={"x": box["width"] - 2, "y": 8})
    assert finder(page) == "Zoë O'Neil 3 of 3"
    strip.click(position={"x": box["width"] * 0.3, "y": 8})
    assert finder(page) == "Zoë O'Neil 2 of 3"


# The memory log


def open_log(page: Page) -> None:
    if not page.evaluate("dock.open"):
        page.get_by_text("Memory log", exact=True).click()
    # Its own height takes some of the text out of sight, and then it is drawn anew.
    page.wait_for_function("() => { const before = drawn; drawLog(...inSight()); return drawn && drawn === before; }")


def test_the_log_has_a_column_for_each_token_and_two_rows_for_each_cell(open_page: Open) -> None:
    page = open_page(story(log=LOG), viewport={"width": 1280, "height": 1000})
    open_log(page)
    labels = page.locator(".log thead th").all_inner_texts()
    assert labels[:7] == ["🐕", "Emma", "'", "s", "father", "met", "Zoë"]
    assert labels[-4:] == ["Emma", "saw", "Zoë", "."]
    assert page.locator(".log tbody th.cell").all_inner_texts() == ["1", "2", "3"]
    assert [number for number in page.locator(".log .numbers td").all_inner_texts() if number] == [
        *["2", "1", "3"],  # Emma is the innermost in Emma's father
        *["1", "3", "2", "3"],
    ]


def test_values_are_told_when_pointed_at_and_by_arrow_keys(open_page: Open) -> None:
    page = open_page(story(log=LOG))
    open_log(page)
    page.locator(".log td[style]").first.hover()
    readout = page.locator(".readout")
    assert readout.inner_text() == "Emma: cell 1, OW 0.90"
    assert page.evaluate("[...CSS.highlights.get('token')].map(String)") == ["Emma"]
    page.locator(".scroller").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    assert readout.inner_text() == "father: cell 2, OW 0.75"
    page.keyboard.press("ArrowDown")
    assert readout.inner_text() == "father: cell 2, CR 0.00"


def test_a_mention_pointed_at_is_shown_in_the_log(open_page: Open) -> None:
    page = open_page(story(log=LOG), viewport={"width": 1280, "height": 1000})
    open_log(page)
    page.locator("#m3-1").hover()
    assert page.locator(".log thead th.here").all_inner_texts() == ["Zoë", "O", "'", "Neil"]
    assert page.locator("#m3-1").get_attribute("title") == "3 Zoë O'Neil: name, 0.88"


def test_without_a_log_there_is_none_to_open(open_page: Open) -> None:
    page = open_page(story())
    assert page.locator(".dock").count() == 0


def test_a_text_without_people(open_page: Open) -> None:
    page = open_page(report("It rained.", (), log=written_log("It rained.")))
    open_log(page)
    assert page.locator(".scroller").inner_text() == "No people in the part of the text in sight."
    empty = open_page(report("", (), log=written_log("")))
    assert empty.get_by_text("No people found").is_visible()


# The annotation


def test_an_annotation_has_frames_and_signs_that_can_be_put_away(open_page: Open) -> None:
    page = open_page(story(gold=GOLD))

    def look(selector: str) -> tuple[str, str]:
        script = "one => [getComputedStyle(one).outlineStyle, getComputedStyle(one, '::after').content]"
        outline, content = page.locator(f"article {selector}").first.evaluate(script)
        return outline, content.split(" / ")[0].replace('"', "")

    assert look("#m2-1") == ("solid", "2 ✓")
    assert look("#m1-2") == ("dashed", "1 ≠ G1")
    assert look("#m1-1") == ("none", "1 +")
    assert look(".missed") == ("dotted", "– G2")
    page.get_by_label("Show it in the text").uncheck()
    assert look("#m2-1") == ("none", "2")
    assert look(".missed") == ("none", "none")
    page.locator(".gold").get_by_role("button", name="2 Emma").click()
    assert finder(page) == "Emma 1 of 2"


# A text as long as a novel


def test_a_long_text_is_laid_out_only_where_it_is_looked_at(open_page: Open, novel_page: str) -> None:
    page = open_page(novel_page)
    sections = page.locator("article > section")
    assert sections.count() > 40
    assert page.evaluate("getComputedStyle(sections[9]).contentVisibility") == "auto"
    skipped = "one => !one.querySelector('mark').checkVisibility({ contentVisibilityAuto: true })"
    assert page.evaluate(f"[...sections].filter({skipped}).length") > 30


def test_the_page_of_a_novel_stays_a_few_times_its_text(novel_page: str, novel: Novel) -> None:
    assert len(novel_page.encode()) < 6 * len(novel.text.encode())  # marks, people, profiles, timeline and log


def test_jumps_in_a_long_text_end_at_the_mention(open_page: Open, novel_page: str, novel: Novel) -> None:
    page = open_page(novel_page)
    count = len(novel.people[0].mentions)
    page.locator("#people > li > button").first.click()
    page.get_by_role("button", name="Previous mention").click()
    assert finder(page).endswith(f"{count:,} of {count:,}")
    comes_into_sight(page, f"m1-{count}")
    assert page.locator(".contexts a[aria-current]").count() == 1
    page.get_by_role("button", name=f"{count - count % 100:,} before").click()
    assert page.locator(".contexts a").count() == 100
    for person, number in ((20, 3), (3, 40), (60, 1)):
        page.evaluate(f"location.hash = 'm{person}-{number}'")
        page.wait_for_selector(f"#m{person}-{number}.here")
        comes_into_sight(page, f"m{person}-{number}")


def test_the_browsers_own_search_finds_what_is_not_in_sight(open_page: Open, novel_page: str, novel: Novel) -> None:
    page = open_page(novel_page)
    last = " ".join(novel.text.splitlines()[-2].split()[-4:])
    assert page.evaluate("words => window.find(words)", last)
    assert page.evaluate("getSelection().anchorNode.parentElement.closest('section') !== sections[0]")


def test_the_log_and_the_frame_follow_the_part_in_sight(open_page: Open, novel_page: str) -> None:
    page = open_page(novel_page)
    open_log(page)
    before = page.locator(".log thead th").all_inner_texts()
    page.evaluate("sections[30].scrollIntoView()")
    page.wait_for_function("() => drawn && tokens.starts[drawn.first] >= data.sections[29]")
    assert page.locator(".log thead th").all_inner_texts() != before
    share = page.evaluate("Number(timeline.querySelector('.window').style.getPropertyValue('--from'))")
    assert share == pytest.approx(page.evaluate("data.sections[30] / data.length"), abs=0.02)


def test_all_of_a_long_text_is_printed(open_page: Open, novel_page: str) -> None:
    page = open_page(novel_page)
    page.emulate_media(media="print")
    assert page.evaluate("[...sections].every(one => getComputedStyle(one).contentVisibility === 'visible')")
    assert page.locator(".foot").is_hidden()


# Everybody


def test_without_scripts_the_text_and_the_people_are_there(open_page: Open, novel_page: str) -> None:
    page = open_page(story(log=LOG, gold=GOLD), java_script_enabled=False)
    assert page.locator("article").inner_text().startswith("🐕 Emma's father met Zoë O'Neil.\nHe <b>bowed</b> to her")
    assert page.locator("#people .name").all_inner_texts() == ["Emma's father", "Emma", "Zoë O'Neil"]
    assert page.locator(".timeline svg:visible").count() == 3
    assert page.locator(".dock, .controls, .toggle").locator("visible=true").count() == 0
    page.get_by_role("link", name="last on line 3").last.click()
    assert page.url.endswith("#m3-3")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_serious_keeps_anybody_from_using_it(open_page: Open, size: Any, scheme: str) -> None:
    page = open_page(story(log=LOG, gold=GOLD), viewport=size, color_scheme=scheme)
    assert serious_faults(page) == []
    page.locator("#people > li > button").first.click()
    open_log(page)
    assert serious_faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_a_longer_text_is_as_usable(open_page: Open) -> None:
    chapter = invented_novel(1_000)
    page = open_page(report(chapter.text, chapter.people, log=chapter.log), viewport=PHONE)
    page.locator("#people > li > button").nth(2).click()
    assert serious_faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_nothing_of_the_users_is_run_or_loaded(open_page: Open) -> None:
    nasty = "<img src=x onerror=document.title=1> <script>document.title=2</script> </script> Jane ran."
    log = written_log(nasty, ("Jane", 0, "new"))
    page = open_page(report(nasty, find_people(log), log=log, gold=find_people(log)))
    page.locator("article mark").click()
    assert page.title() == "story.txt"
    assert page.locator("article").inner_text() == nasty
    assert page.locator(".contexts a").inner_text().endswith("</script> Jane ran.")
    assert page.evaluate("performance.getEntriesByType('resource').length") == 0
