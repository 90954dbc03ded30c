"""What the report page offers for books, in a real browser."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser import DESKTOP, PHONE, opened, serious_faults
from invented_novel import invented_novel, invented_quotations
from playwright.sync_api import Locator, expect

from petra.domain import Kind, Mention, Person, Quotation
from petra.people.profiles import Profiler
from petra.report.export.rows import COLUMNS, ExportColumn, table_rows, written
from petra.report.export.stored import tracked_from_json
from petra.report.export.tracked import TrackedText
from petra.report.page.report_page import html_report

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TEXT = (
    "CHAPTER I\r\n\r\n🐕 Ada met Tom at the café\r\nby the sea. He laughed.\r\n\r\n“Come, Tom,” said Ada.\r\n\r\n"
    "CHAPTER II\r\n\r\n“No,” said Tom to Ben,\r\nwho was silent. Ben left.\r\n\r\n"
    "Ada found Ben in the Café\r\nby the <sea>.\r\n"
)


def mention(words: str, number: int = 0, kind: Kind = "name", probability: float = 0.75) -> Mention:
    place = [found.start() for found in re.finditer(re.escape(words), TEXT)][number]
    return Mention(place, place + len(words), words, kind, probability)


PEOPLE = (
    Person(1, "Ada", (mention("Ada", 0), mention("Ada", 1), mention("Ada", 2))),
    Person(2, "Tom", (mention("Tom", 0), mention("He", 0, "pronoun", 0.5), mention("Tom", 1), mention("Tom", 2))),
    Person(3, "Ben", (mention("Ben", 0), mention("Ben", 1), mention("Ben", 2))),
)


def quotation(words: str, speaker: int, addressee: int | None) -> Quotation:
    start = TEXT.index(words)
    return Quotation(start, start + len(words), ((start, start + len(words)),), speaker, addressee, "explicit", 0.75)


QUOTATIONS = (quotation("“Come, Tom,”", 1, 2), quotation("“No,”", 2, 3))
TRACKED = TrackedText(source="story.txt", model="tiny", text=TEXT, num_tokens=0, people=PEOPLE, quotations=QUOTATIONS)

Open = Callable[..., "Page"]


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    with ExitStack() as stack:

        def open_file(html: str | None = None, **options: Any) -> Page:
            place = tmp_path / "report.html"
            place.write_text(html or story(), encoding="utf-8", newline="\n")
            page = stack.enter_context(opened(browser, **options))
            page.goto(place.as_uri())
            return page

        yield open_file


def story(source: str = "/home/ada/books/story.txt") -> str:
    return html_report(source=source, model="tiny", threshold=0.5, text=TEXT, people=PEOPLE, quotations=QUOTATIONS)


def book(words: int) -> str:
    novel = invented_novel(words, chapters=5)
    return html_report(
        source="novel.txt",
        model="tiny",
        threshold=0.5,
        text=novel.text,
        people=novel.people,
        quotations=invented_quotations(novel, words // 50),
        log=novel.log,
    )


def open_panel(page: Page, name: str) -> None:
    page.locator(f"details.{name} > summary").click()


def saved(page: Page, name: str) -> str:
    page.locator(".menu > summary").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name).click()
    return Path(waiting.value.path()).read_bytes().decode("utf-8")


def test_the_title_is_the_files_name(open_page: Open) -> None:
    assert open_page().title() == "story.txt"
    assert open_page(story("C:\\books\\novel.txt")).title() == "novel.txt"


def test_a_book_opens_on_its_cast_with_the_log_closed_and_what_is_chosen_is_remembered(open_page: Open) -> None:
    names = [f"Ada {letter}dams" for letter in "ABCDEFGHIJKL"]
    text = " ".join([*names, "a boy", *names[1:]]) + "."
    found = [
        Person(n, name, (Mention(text.index(name), text.index(name) + len(name), name, "name", 1.0),))
        for n, name in enumerate(names, start=1)
    ]
    boy = Person(13, "a boy", (Mention(text.index("a boy"), text.index("a boy") + 5, "a boy", "nominal", 1.0),))
    html = html_report(source="a.txt", model="tiny", threshold=0.5, text=text, people=[*found, boy])
    page = open_page(html)
    assert page.locator("#people > li:visible").count() == 12
    page.get_by_role("button", name="Show all").click()
    page.reload()
    assert page.locator("#people > li:visible").count() == 13
    page.get_by_role("button", name="Fold away 1").click()
    assert page.locator("#people > li:visible").count() == 12
    log = open_page(book(600))
    assert log.evaluate("dock.open") is False
    log.get_by_text("Memory log", exact=True).click()
    log.wait_for_function("() => remembered.log === true")
    log.reload()
    assert log.evaluate("dock.open") is True


def test_looks_go_by_rank_and_are_the_same_everywhere(open_page: Open) -> None:
    page = open_page(book(6_000))
    looks = page.evaluate("entries.toSorted(orders.mentions).map(({ look }) => look)")
    colours = [look.split()[0] for look in looks]
    assert len(set(colours[:12])) == 12
    assert len(set(looks[:24])) == 24
    assert set(looks[24:]) == {"rare"}
    hues = page.evaluate(
        "[...Array(12).keys()].map((n) => getComputedStyle(document.querySelector(`.c${n}`)).getPropertyValue('--hue'))"
    )
    assert len(set(hues)) == 12
    assert page.evaluate(
        "entries.every(({ row, look }) => !row || row.querySelector('svg').getAttribute('class') === look)"
    )
    assert page.evaluate("entries.every(({ item, look }) => markOf(item.dataset.person, 0).className.startsWith(look))")


def test_chapters_are_listed_on_the_axis_and_gone_to(open_page: Open) -> None:
    page = open_page(viewport={"width": 1280, "height": 400})
    assert page.locator(".by-chapter span").all_inner_texts() == ["1", "2"]
    open_panel(page, "chapters")
    assert page.locator("details.chapters a").all_inner_texts() == ["CHAPTER I", "CHAPTER II"]
    # Who is there, most often mentioned first: Tom three times in the first, Ben three times in the second.
    assert page.locator("details.chapters .who").nth(0).inner_text().split() == ["2", "Tom", "3", "1", "Ada", "2"]
    assert page.locator("details.chapters .who").nth(1).inner_text().split()[:3] == ["3", "Ben", "3"]
    page.get_by_label("Chapter", exact=True).select_option("CHAPTER II")
    page.wait_for_function("() => document.getElementById('ch2').getBoundingClientRect().top < innerHeight")
    assert page.url.endswith("#ch2")


def test_words_are_found_without_accents_and_across_lines(open_page: Open) -> None:
    page = open_page()
    page.get_by_label("Search the text").fill("CAFE by the")
    page.wait_for_function("() => hits.starts.length === 2")
    assert page.locator("#hits").inner_text() == "2 found"
    assert page.locator(".hits svg path").get_attribute("d").count("M") == 2  # type: ignore[union-attr]
    assert page.locator(".found a b").all_inner_texts() == ["café by the", "Café by the"]
    page.get_by_label("Search the text").press("Enter")
    page.get_by_label("Search the text").press("Enter")
    assert page.locator("#hits").inner_text() == "2 of 2"
    assert page.evaluate("[...CSS.highlights.get('passage')].map(String)") == ["Café\nby the"]
    page.get_by_label("Search the text").fill("<sea>")
    page.wait_for_function("() => hits.starts.length === 1")
    page.get_by_label("Search the text").fill("nowhere.*")
    page.wait_for_function("() => document.getElementById('hits').textContent === 'not found'")
    assert page.locator(".found, .hits").locator("visible=true").count() == 0


def test_the_profile_says_what_the_library_says(open_page: Open) -> None:
    page = open_page()
    page.locator("#people > li > button").first.click()
    profile = Profiler(PEOPLE, TEXT, QUOTATIONS).profile(PEOPLE[0])
    shown = {
        div.locator("dt").inner_text(): div.locator("dd").inner_text().split()
        for div in page.locator(".profile > div").all()
    }
    companions = [word for each in profile.companions for word in (str(each.id), each.name, str(each.paragraphs))]
    assert shown["Together with"] == companions
    assert shown["Speaks"] == ["1", "quotation,", "2", "words"]
    assert shown["Speaks to"] == ["2", "Tom", "1"]
    assert page.locator(".bars").get_attribute("aria-label") == "Mentions by chapter: 2, 1"
    page.get_by_role("button", name="1 quotation", exact=True).click()
    assert page.locator(".quotations li a").all_inner_texts() == ["“Come, Tom,”"]


def test_other_names_are_told_once(open_page: Open) -> None:
    text = "Ada Vale came. Ada saw Tom. Ada sat."
    starts = [found.start() for found in re.finditer("Ada", text)]
    ada = tuple(
        Mention(start, start + len(name), name, "name", 1.0)
        for start, name in zip(starts, ["Ada Vale", "Ada", "Ada"], strict=True)
    )
    found = [Person(1, "Ada Vale", ada), Person(2, "Tom", (Mention(23, 26, "Tom", "name", 1.0),))]
    page = open_page(html_report(source="story.txt", model="tiny", threshold=0.5, text=text, people=found))
    expect(page.locator(".also")).to_have_text("also Ada")
    expect(page.locator(".also")).to_be_visible()
    page.locator("#people button").first.click()
    expect(page.locator(".profile")).to_contain_text("Also called")
    expect(page.locator(".also")).to_be_hidden()


def test_quotations_are_listed_by_speaker_and_addressee(open_page: Open) -> None:
    page = open_page()
    open_panel(page, "quotations")
    assert page.locator(".quotations li").all_inner_texts() == [
        "1\nAda\n to \n2\nTom\n: “Come, Tom,” explicit, 0.75",
        "2\nTom\n to \n3\nBen\n: “No,” explicit, 0.75",
    ]
    page.locator("#addressee").select_option(label="Ben (1)")
    assert page.locator(".quotations li a").all_inner_texts() == ["“No,”"]
    assert page.locator("#quoted").inner_text() == "1 of 2"
    page.locator(".quotations li a").click()
    page.wait_for_function("() => [...CSS.highlights.get('passage') ?? []].map(String)[0] === '“No,”'")


def test_people_and_mentions_are_filtered(open_page: Open) -> None:
    page = open_page()
    page.get_by_text("Filters").click()
    page.get_by_label("Mentioned at least").fill("4")
    assert page.locator("#people > li:visible > button .name").all_inner_texts() == ["Tom"]
    page.get_by_label("Mentioned at least").fill("1")
    line = "one => getComputedStyle(one).borderBottomColor"
    page.get_by_label("pronouns").uncheck()
    assert page.locator("#m2-2").evaluate(line) == "rgba(0, 0, 0, 0)"
    page.get_by_label("pronouns").check()
    page.get_by_label("Probability from").fill("0.6")
    page.get_by_label("Probability from").blur()
    assert page.locator("mark.unsure").all_inner_texts() == ["He"]


def test_several_people_and_the_passages_that_they_share(open_page: Open) -> None:
    page = open_page()
    page.locator("#people > li > button").first.click()
    page.get_by_label("Add a person").select_option("Tom")
    assert page.locator(".together").get_by_text("2 shared passages").is_visible()
    assert page.locator(".together .contexts a").all_inner_texts() == [
        "🐕 Ada met Tom at the café by the sea. He laughed.",
        "“Come, Tom,” said Ada.",
    ]
    assert set(page.locator("mark.chosen").all_inner_texts()) == {"Ada", "Tom", "He"}
    page.locator("#people > li > button").nth(2).click(modifiers=["Shift"])
    assert page.get_by_text("No passage mentions all of them.").is_visible()
    page.goto(page.url.split("#")[0] + "#p2+3")
    page.wait_for_function("() => chosen === 2 && beside[0] === 3")
    page.locator(".together [data-leave]").first.click()
    page.wait_for_function("() => chosen === 3 && beside.length === 0")


def test_the_network_has_the_weights_of_the_exports(open_page: Open) -> None:
    from petra.report.export.format import ExportOptions
    from petra.report.export.network import people_network

    page = open_page()
    open_panel(page, "network")
    page.wait_for_selector(".network .node")
    assert page.locator(".network .node text").all_text_contents() == ["Tom", "Ada", "Ben"]
    for kind, options in (("company", ExportOptions()), ("speech", ExportOptions(network="speech"))):
        pairs = page.evaluate(f"pairsOf('{kind}', [1, 2, 3])")
        assert {(one, other): weight for one, other, weight in pairs} == people_network(TRACKED, options).edges
    page.get_by_label("Shows").select_option("who speaks to whom")
    assert page.locator(".network .edge title").all_text_contents() == ["Tom to Ben: 1", "Ada to Tom: 1"]
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save as SVG").click()
    assert "<circle" in Path(waiting.value.path()).read_text(encoding="utf-8")


def test_files_saved_have_the_places_of_the_original(open_page: Open) -> None:
    page = open_page()
    for name, table in (("Mentions (CSV)", "mentions"), ("People (CSV)", "people"), ("Quotations (CSV)", "quotations")):
        columns, *rows = csv.reader(io.StringIO(saved(page, name)))
        expected = table_rows(TRACKED, table)  # type: ignore[arg-type]
        assert tuple(columns) == expected.columns
        assert rows == [[written(cell) for cell in row] for row in expected.rows]
    values = json.loads(saved(page, "Everything (JSON)"))
    read = tracked_from_json(values, TEXT)
    assert (read.people, read.quotations) == (PEOPLE, QUOTATIONS)


def test_a_new_column_is_in_the_files_that_the_page_saves(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    new = {
        "mentions": ExportColumn("words_before", lambda source, it: source.tracked.text[: it.mention.start]),
        "people": ExportColumn("shouted", lambda _, person: f'</script>"{person.name.upper()}"'),
        "quotations": ExportColumn("is_long", lambda _, it: it.end - it.start > 6),
    }
    for table, column in new.items():
        monkeypatch.setitem(COLUMNS, table, (column, *COLUMNS[table]))  # type: ignore[arg-type, index]
    page = open_page()
    for name, table in (("Mentions (CSV)", "mentions"), ("People (CSV)", "people"), ("Quotations (CSV)", "quotations")):
        assert saved(page, name) == TRACKED.to_csv(table)  # type: ignore[arg-type]
        assert TRACKED.to_csv(table).startswith(f"{new[table].name},")  # type: ignore[arg-type]


def test_a_link_to_what_is_in_sight_is_copied(open_page: Open) -> None:
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    page.locator("#m2-3").click()
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Link copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").endswith("report.html#m2-3")


def test_lines_broken_at_one_width_are_joined_and_the_text_stays(open_page: Open) -> None:
    page = open_page(book(2_000))
    before = page.evaluate("wholeText()")
    assert page.get_by_label("Lines as wide as the page").is_checked()
    spaces = "getComputedStyle(sections[0]).whiteSpace"
    assert page.evaluate(spaces) == "normal"
    assert page.evaluate("[...sections].map((one) => one.textContent).join('')") == before
    # Every line end that was given an element is before or after a blank line, or ends a short line.
    assert page.locator("article .end").count() < before.count("\n")
    assert page.evaluate("[...article.querySelectorAll('.end')].every((one) => one.textContent === '\\n')")
    page.get_by_label("Lines as wide as the page").uncheck()
    assert page.evaluate(spaces) == "pre-wrap"
    assert open_page().locator("#reflow-choice").is_hidden()  # a text without such lines


def test_the_keyboard_reaches_everything_in_a_few_steps(open_page: Open) -> None:
    page = open_page(book(2_000))
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('#people') !== null"):
            break
    assert page.evaluate("document.activeElement.matches('#people > li:first-child > button')")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.matches('#people > li:nth-child(2) > button')")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    page.keyboard.press("j")
    first = page.evaluate("people.get(mentionOf(document.activeElement).person).starts[0]")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    assert page.evaluate("people.get(chosen).starts[here]") > first


def test_nothing_of_the_log_stays_when_nothing_is_pointed_at(open_page: Open) -> None:
    page = open_page(book(1_000), viewport={"width": 1280, "height": 1400})
    page.get_by_text("Memory log", exact=True).click()
    page.locator(".log td[style]").first.hover()
    page.wait_for_function("() => readout.textContent !== ''")
    page.mouse.move(5, 5)
    page.wait_for_function("() => readout.textContent === ''")
    assert page.locator(".log td.here").count() == 0


def test_a_book_opens_on_people_and_text_on_a_laptop(open_page: Open) -> None:
    page = open_page(book(3000), viewport={"width": 1366, "height": 768})
    expect(page.locator("#people > li > button").first).to_be_in_viewport(ratio=0.9)
    expect(page.locator("article mark").first).to_be_in_viewport(ratio=0.9)


def test_a_person_chosen_is_named_at_the_head_of_the_list_of_mentions(open_page: Open) -> None:
    page = open_page(book(3000), viewport={"width": 1366, "height": 768})
    for number in range(8):
        button = page.locator("#people li:not(.beyond) > button").nth(number)
        button.click()
        expect(button).to_be_in_viewport(ratio=0.9)


def test_long_names_stay_inside_the_network(open_page: Open) -> None:
    names = ["Ada", "a vile man who had never missed a chance of insulting and injuring Ada", "Tom"]
    text = f"{names[0]} saw {names[1]}, and {names[2]}."
    found = [
        Person(n, name, (Mention(text.index(name), text.index(name) + len(name), name, "name", 1.0),))
        for n, name in enumerate(names, start=1)
    ]
    html = html_report(source="story.txt", model="tiny", threshold=0.5, text=text, people=found)
    for size in (PHONE, DESKTOP):
        page = open_page(html, viewport=size)
        open_panel(page, "network")
        frame = page.locator(".network svg").bounding_box()
        assert frame
        for box in map(Locator.bounding_box, page.locator(".network .node text").all()):
            assert box
            assert frame["x"] - 1 <= box["x"]
            assert box["x"] + box["width"] <= frame["x"] + frame["width"] + 1
        kinds = page.locator(".network .node > :first-child").evaluate_all("all => all.map((each) => each.tagName)")
        assert kinds == ["circle"] * 3 + ["text"] * 3  # no circle over a name


def test_mentions_within_mentions_can_be_read_in_the_dark(open_page: Open) -> None:
    text = "Ruth Hale found Tom's friend of the sea."
    found = [
        Person(1, "Ruth", (Mention(0, 4, "Ruth", "name", 1.0), Mention(16, 39, text[16:39], "nominal", 1.0))),
        Person(2, "Tom", (Mention(16, 19, "Tom", "name", 1.0),)),
    ]
    html = html_report(source="story.txt", model="tiny", threshold=0.5, text=text, people=found)
    page = open_page(html, color_scheme="dark")
    page.evaluate("choose(1); showTogether([2])")
    assert serious_faults(page) == []


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_keeps_anybody_from_using_it(open_page: Open, size: Any, scheme: str) -> None:
    page = open_page(viewport=size, color_scheme=scheme)
    for name in ("chapters", "network", "quotations", "filters", "pairs", "menu"):
        page.evaluate(f"document.querySelector('details.{name}').open = true")
    page.evaluate("choose(1); showTogether([2]); searchField.value = 'sea'; findInText()")
    page.wait_for_selector(".network .node")
    assert serious_faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
