"""A real Chromium and the real server: what somebody does with the pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import DESKTOP, PHONE, opened, serious_faults
from playwright.sync_api import Browser, Page, expect
from tiny import tiny_reader
from web_samples import PAGE_TEXT, serving

from petra.log.storage import load
from petra.report.page.looks import looks_of
from petra.tracker import Tracker

expect.set_options(timeout=30_000)  # a busy machine is no failure


@pytest.fixture(scope="module")
def server(tiny_model: Path, tiny_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    reader = tiny_reader(tmp_path_factory.mktemp("models") / "reader", tiny_encoder)
    with serving("--model", tiny_model, "--model", reader, "--max-characters", "5000") as address:
        yield address


def read(page: Page, server: str, text: str = PAGE_TEXT, second: str = "") -> None:
    """Paste a text and wait for what was found."""
    page.goto(server)
    page.get_by_label("Text", exact=True).fill(text)
    if second:
        page.get_by_label("Compare with").select_option(second)
    page.get_by_role("button", name="Read the text").click()
    page.wait_for_url(re.compile("/(results|compare)/"))


def test_a_text_and_what_reads_it_are_in_one_view_on_a_laptop(browser: Browser, server: str) -> None:
    with opened(browser, viewport={"width": 1366, "height": 768}) as page:
        page.goto(server)
        expect(page.get_by_role("button", name="Read the text")).to_be_in_viewport(ratio=1)


def test_a_pasted_text_becomes_its_report(page: Page, server: str, tiny_tracker: Tracker) -> None:
    read(page, server)
    report = page.frame_locator("iframe")
    expect(report.locator("article").first).to_contain_text("Ruth Calloway wrote her first novel")
    first = tiny_tracker.track(PAGE_TEXT).people[0]
    expect(report.get_by_role("button", name=first.name).first).to_be_visible()


def test_a_file_is_read_as_it_is(page: Page, server: str, tmp_path: Path) -> None:
    story = tmp_path / "story.txt"
    story.write_bytes(b"Amelia met\r\nPaul. She told him \xf0\x9f\x91\xa9.")
    page.goto(server)
    page.locator("#file").set_input_files(story)
    expect(page.locator(".file")).to_contain_text("story.txt")
    expect(page.locator("[data-count]")).to_have_text("33 characters")
    page.get_by_role("button", name="Read the text").click()
    page.wait_for_url("**/results/*")
    expect(page.get_by_role("heading", name="story.txt")).to_be_visible()
    found = page.request.get(f"{server}api/jobs/{page.url.rsplit('/', 1)[1]}/tracking.json").json()
    assert (found["source"], found["characters"]) == ("story.txt", 33)


def test_a_file_that_is_no_text_is_told(page: Page, server: str, tmp_path: Path) -> None:
    picture = tmp_path / "picture.txt"
    picture.write_bytes(b"\x89PNG\xff")
    page.goto(server)
    page.locator("#file").set_input_files(picture)
    expect(page.get_by_role("alert")).to_contain_text("picture.txt is not plain text in UTF-8")


def test_progress_is_shown_while_a_text_is_read(page: Page, server: str) -> None:
    page.add_init_script(
        """
        addEventListener("DOMContentLoaded", () => {
          const seen = [];
          new MutationObserver(() => {
            const words = document.querySelector("[data-bars]")?.textContent;
            if (!words) return;
            seen.push(words);
            sessionStorage.setItem("seen", JSON.stringify(seen));
          }).observe(document, { subtree: true, childList: true, characterData: true });
        });
        """
    )
    read(page, server, PAGE_TEXT * 20)
    seen = json.loads(page.evaluate("sessionStorage.getItem('seen')"))
    assert re.fullmatch(r"tiny: ([\d,]+) of \1 tokens read", seen[-1])


def test_a_text_that_is_too_long_is_told(page: Page, server: str) -> None:
    page.goto(server)
    page.get_by_label("Text", exact=True).fill("x" * 5001)
    page.get_by_role("button", name="Read the text").click()
    expect(page.get_by_role("alert")).to_contain_text("up to 5,000 characters")


def test_what_the_server_refuses_is_told(page: Page, server: str) -> None:
    page.goto(server)
    page.get_by_label("Text", exact=True).fill("Amelia")
    page.evaluate("document.querySelector('#model').append(new Option('nobody', 'nobody', true, true))")
    page.get_by_role("button", name="Read the text").click()
    expect(page.get_by_role("alert")).to_contain_text("It offers: tiny, tiny-reader.")
    expect(page.get_by_role("button", name="Read the text")).to_be_visible()


def test_a_reading_is_stepped_through_by_keys(page: Page, server: str, tiny_tracker: Tracker) -> None:
    log = tiny_tracker.track(PAGE_TEXT).log
    token = [log.text[start:end] for start, end in zip(log.starts, log.ends, strict=True)]
    read(page, server)
    page.get_by_role("link", name="Step through").click()
    mark = page.locator("mark")
    expect(mark).to_have_text(token[0])
    looks = json.loads(page.locator("[data-looks]").get_attribute("data-looks") or "")
    people = tiny_tracker.track(PAGE_TEXT).people
    assert looks == {str(person): look for person, look in looks_of(people).items()}  # those of the report
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(mark).to_have_text(token[2])
    expect(page.locator("output")).to_contain_text(f"Token 3 of {log.num_tokens}")
    row = page.locator("tbody tr").first
    expect(row.locator("td").nth(1)).to_have_text(f"{log.overwrite_prob[2][0]:.2f}")
    expect(row.locator("td").nth(2)).to_have_text(f"{log.coref_prob[2][0]:.2f}")
    expect(row.locator("td").nth(3)).to_have_text(f"{log.usage[2][0]:.2f}")
    page.keyboard.press("ArrowLeft")
    expect(mark).to_have_text(token[1])
    page.keyboard.press("End")
    expect(mark).to_have_text(token[-1])
    page.keyboard.press("Home")
    expect(mark).to_have_text(token[0])


def test_steps_lead_from_mention_to_mention_and_play(page: Page, server: str, tiny_tracker: Tracker) -> None:
    tracking = tiny_tracker.track(PAGE_TEXT * 12)  # more tokens than are fetched at once
    places = sorted(mention.start for person in tracking.people for mention in person.mentions)
    last = tracking.log.tokens_in(places[-1], len(tracking.text)).start
    read(page, server, PAGE_TEXT * 12)
    page.goto(page.url + "/steps")
    mark = page.locator("mark")
    expect(mark).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator("output")).to_contain_text(f"Token {tracking.log.num_tokens:,} of")
    page.keyboard.press("p")
    expect(mark).to_have_class(re.compile(r"\b(c\d+|rare)\b"))  # somebody's colour
    assert int(page.url.rsplit("#", 1)[1]) >= last
    page.keyboard.press("Home")
    expect(mark).to_have_attribute("data-token", "0")
    page.get_by_role("button", name="Play").click()
    expect(mark).to_have_attribute("data-token", re.compile("[3-9]"))
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.get_by_label("Token", exact=True).fill("210")
    expect(mark).to_have_attribute("data-token", "210")


def test_two_models_on_one_text(page: Page, server: str) -> None:
    read(page, server, second="tiny-reader")
    assert "/compare/" in page.url
    expect(page.get_by_role("heading", name="tiny-reader")).to_be_visible()
    rows = page.locator(".row:not(.heads)")
    for side in range(2):
        expect(rows.first.locator("p").nth(side)).to_contain_text("Ruth Calloway")
    items = page.locator(".differences > li")
    count = items.count()
    assert count > 1
    # By kind, without the texts being loaded again.
    page.evaluate("document.querySelector('.texts').dataset.mark = 'same'")
    page.get_by_label("Kind").select_option(index=1)
    expect(page).to_have_url(re.compile(f"kind={page.get_by_label('Kind').input_value()}"))
    expect(page.locator("#list [role=status]")).to_contain_text("difference")
    chosen = page.get_by_label("Kind").evaluate("select => select.selectedOptions[0].textContent")
    expect(items.first.locator(".kind")).to_have_text(re.sub(r" \(\d+\)$", "", chosen))
    assert page.locator(".texts").get_attribute("data-mark") == "same"
    # Each leads to its place in both texts.
    items.first.locator("a").click()
    number = items.first.get_attribute("data-difference")
    for side in ("d", "e"):
        expect(page.locator(f"#{side}{number}")).to_have_class(re.compile("current"))
        expect(page.locator(f"#{side}{number}")).to_be_in_viewport()
    page.get_by_label("Kind").select_option("")
    expect(items).to_have_count(count)
    page.locator("h1").click()
    page.keyboard.press("n")
    expect(page.locator(".differences > li.current")).to_have_count(1)
    expect(page.locator(".differences > li.current")).not_to_have_attribute("data-difference", number or "")


def test_everything_can_be_taken_away(page: Page, server: str, tmp_path: Path, tiny_tracker: Tracker) -> None:
    read(page, server)
    taken = {}
    for name in ("People (JSON)", "Report (HTML)", "Memory log", "Picture of the memory"):
        page.locator("summary").click()
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        taken[name] = tmp_path / download.value.suggested_filename
        download.value.save_as(taken[name])
    assert [path.name for path in taken.values()] == ["people.json", "people.html", "people.log", "people-memory.svg"]
    assert json.loads(taken["People (JSON)"].read_text()) == tiny_tracker.track(PAGE_TEXT).to_dict()
    assert taken["Report (HTML)"].read_text().startswith("<!doctype html>")
    assert load(taken["Memory log"]).text == PAGE_TEXT
    assert "<svg" in taken["Picture of the memory"].read_text()


def test_a_removed_result_is_gone(page: Page, server: str) -> None:
    read(page, server)
    place = page.url
    page.get_by_role("button", name="Remove").click()
    page.wait_for_url(server)
    page.goto(place)
    expect(page.get_by_role("main")).to_contain_text("Read the text again")


def test_markup_in_a_text_is_shown_and_never_run(page: Page, server: str) -> None:
    evil = "Amelia <img src=x onerror='document.title=\"run\"'><script>document.title='run'</script> met Paul."
    read(page, server, evil)
    expect(page.frame_locator("iframe").locator("article").first).to_contain_text("<img src=x")
    page.get_by_role("link", name="Step through").click()
    expect(page.locator(".passage")).to_contain_text("<img src=x")
    assert "run" not in page.title()


def test_no_page_keeps_anybody_out(browser: Browser, server: str) -> None:
    for look in ({"viewport": PHONE}, {"viewport": DESKTOP, "color_scheme": "dark"}):
        with opened(browser, **look) as page:
            page.goto(server)
            assert serious_faults(page) == []
            read(page, server, second="tiny-reader")
            assert serious_faults(page) == []
            read(page, server)
            assert serious_faults(page) == []
            page.goto(page.url + "/steps")
            expect(page.locator("mark")).to_be_visible()
            assert serious_faults(page) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            page.goto(server + "api")
            assert serious_faults(page) == []
