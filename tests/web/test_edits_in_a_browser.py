"""A real Chromium and the real server: somebody corrects what was found."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import serious_faults
from playwright.sync_api import FrameLocator, Page, expect
from web_samples import serving

expect.set_options(timeout=30_000)  # a busy machine is no failure

# Line ends of two characters and letters of two units lie before what is corrected.
TEXT = (
    "Ruth \U0001f469 Calloway wrote to Paul.\r\nPaul told Ruth: “Come,” said he.\r\n"
    "She saw him and Maria Lenz, her friend.\r\n"
)


@pytest.fixture(scope="module")
def server(tiny_model: Path) -> Iterator[str]:
    with serving("--model", tiny_model, "--max-characters", "5000") as address:
        yield address


@pytest.fixture
def report(page: Page, server: str) -> FrameLocator:
    """The report of the text, open in the page, with the tools for corrections."""
    answer = page.request.post(f"{server}api/jobs", data={"text": TEXT, "source": "story.txt"}).json()
    page.goto(server)
    while page.request.get(f"{server}api/jobs/{answer['id']}").json()["state"] != "done":
        page.wait_for_timeout(20)
    page.goto(f"{server}results/{answer['id']}")
    frame = page.frame_locator("iframe:not([inert])")
    expect(frame.get_by_role("toolbar", name="Corrections")).to_be_visible()
    return frame


def found(page: Page) -> Any:
    return page.request.get(page.url.replace("/results/", "/api/jobs/") + "/tracking.json").json()


def first_person(report: FrameLocator) -> Any:
    return report.locator("#people > li").first.get_by_role("button").first


def settled(page: Page, count: int) -> None:
    """Wait until the report is the one after so many corrections."""
    expect(page.locator("iframe.coming")).to_have_count(0)
    words = f"{count} correction"
    expect(page.frame_locator("iframe:not([inert])").locator("footer")).to_contain_text(words)


def test_a_person_is_renamed_and_the_name_taken_back(page: Page, report: FrameLocator) -> None:
    name = found(page)["people"][0]["name"]
    first_person(report).click()
    report.get_by_role("button", name="Rename").click()
    dialog = report.get_by_role("dialog", name="Rename")
    expect(dialog.get_by_label("Name")).to_have_value(name)
    dialog.get_by_label("Name").fill("Ruth <b>Calloway</b>")
    page.keyboard.press("Enter")
    expect(report.locator("#people .name").first).to_have_text("Ruth <b>Calloway</b>")
    settled(page, 1)
    expect(report.locator("#people > li").first).to_contain_text("corrected by hand")
    assert found(page)["people"][0]["name"] == "Ruth <b>Calloway</b>"
    report.get_by_role("button", name="Undo").click()
    expect(report.locator("#people .name").first).to_have_text(name)
    assert found(page)["people"][0]["name"] == name
    expect(report.get_by_role("button", name="Undo")).to_be_disabled()


def test_two_people_are_merged_by_keyboard_alone(page: Page, report: FrameLocator) -> None:
    before = found(page)["people"]
    first_person(report).focus()
    page.keyboard.press("Enter")
    report.get_by_role("button", name="Merge with").focus()
    page.keyboard.press("Enter")
    field = report.get_by_role("listbox", name="Person")
    expect(field).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    settled(page, 1)
    after = found(page)["people"]
    assert len(after) == len(before) - 1
    (merge,) = found(page)["edits"]
    assert merge["edit"] == "merge"
    assert all(TEXT[start:end] == words for start, end, words in merge["people"])


def test_a_mention_is_moved_split_off_and_removed(page: Page, report: FrameLocator) -> None:
    start = found(page)["people"][0]["mentions"][0]["start"]
    first_person(report).click()
    report.get_by_role("button", name="Move to").click()
    report.get_by_role("listbox", name="Person").select_option(index=1)
    report.get_by_role("button", name="OK").click()
    settled(page, 1)
    moved = [each for person in found(page)["people"] for each in person["mentions"] if each["start"] == start]
    assert [each["corrected"] for each in moved] == [True]
    expect(report.locator("mark.corrected")).to_have_count(1)
    expect(report.locator("mark.here")).to_have_text(moved[0]["text"])  # the page stays where it was
    report.get_by_role("button", name="Split off").click()
    settled(page, 2)
    report.get_by_role("button", name="Not a mention").click()
    settled(page, 3)
    assert not [each for person in found(page)["people"] for each in person["mentions"] if each["start"] == start]


def test_after_a_mention_is_taken_out_the_person_stays_chosen(page: Page, report: FrameLocator) -> None:
    first_person(report).click()
    report.get_by_role("button", name="Merge with").click()
    report.get_by_role("button", name="OK").click()
    settled(page, 1)
    following = found(page)["people"][0]["mentions"][1]
    expect(report.locator("mark.here")).to_have_count(1)
    report.get_by_role("button", name="Not a mention").click()
    settled(page, 2)
    expect(report.locator("mark.here")).to_have_text(following["text"])


def test_a_correction_just_made_is_taken_back_without_a_new_report(page: Page, report: FrameLocator) -> None:
    before = report.locator("article").inner_html()
    names = report.locator("#people .name").all_text_contents()
    asked: list[str] = []
    first_person(report).click()
    for number, button in enumerate(("Merge with", "Delete", "Not a mention", "Split off", "Move to", "Rename")):
        report.get_by_role("button", name=button).click()
        if button in ("Merge with", "Move to", "Rename"):
            report.get_by_role("button", name="OK").click()
        settled(page, 1)
        if number == 0:
            page.on("request", lambda request: asked.append(request.url) if "report.html" in request.url else None)
        asked.clear()
        report.get_by_role("button", name="Undo").click()
        expect(page.locator("iframe")).to_have_count(1)
        expect(report.locator("footer")).not_to_contain_text("correction")
        report.locator("body").press("Escape")
        assert report.locator("article").inner_html().replace(' class=""', "") == before, button
        assert report.locator("#people > li:not([hidden]) .name").all_text_contents() == names, button
        assert asked == [], button
        first_person(report).click()
    assert found(page)["people"][0]["name"] == names[0]


def test_the_last_five_corrections_are_taken_back_without_a_new_report(page: Page, report: FrameLocator) -> None:
    names = ["Ann", "Bea", "Cleo", "Dora", "Eve", "Fay", "Gwen"]
    first_person(report).click()
    for number, name in enumerate(names, start=1):
        report.get_by_role("button", name="Rename").click()
        report.get_by_label("Name", exact=True).fill(name)
        page.keyboard.press("Enter")
        settled(page, number)
    expect(page.locator("iframe")).to_have_count(6)  # and not one for each correction
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "report.html" in request.url else None)
    for number in (6, 5, 4, 3, 2):
        report.get_by_role("button", name="Undo").click()
        expect(page.locator("iframe")).to_have_count(number - 1)
        expect(report.locator("#people .name").first).to_have_text(names[number - 1])
        settled(page, number)
    assert asked == []
    report.get_by_role("button", name="Undo").click()
    expect(report.locator("#people .name").first).to_have_text("Ann")
    assert len(asked) == 1
    settled(page, 1)
    # A correction made instead of one taken back is taken back to the same report.
    report.get_by_role("button", name="Not a mention").click()
    settled(page, 2)
    report.get_by_role("button", name="Undo").click()
    expect(report.locator("footer")).to_contain_text("1 correction")
    expect(page.locator("iframe")).to_have_count(1)
    assert [edit["name"] for edit in found(page)["edits"]] == ["Ann"]


def test_selected_words_become_a_mention(page: Page, report: FrameLocator) -> None:
    report.locator("article").evaluate(
        """(article) => {
          const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const at = walker.currentNode.data.indexOf("friend");
            if (at < 0) continue;
            getSelection().setBaseAndExtent(walker.currentNode, at, walker.currentNode, at + 6);
          }
        }"""
    )
    report.get_by_role("button", name="Add mention").click()
    expect(report.get_by_label("Words of the text")).to_have_value("friend")
    report.get_by_role("button", name="OK").click()
    settled(page, 1)
    added = [each for person in found(page)["people"] for each in person["mentions"] if each.get("corrected")]
    at = TEXT.index("friend")
    assert [(each["start"], each["end"], each["text"]) for each in added] == [(at, at + 6, "friend")]


def test_words_that_are_typed_become_a_mention_or_are_told(page: Page, report: FrameLocator) -> None:
    report.get_by_role("button", name="Add mention").click()
    report.get_by_label("Words of the text").fill("nobody here")
    page.keyboard.press("Enter")
    expect(report.get_by_role("toolbar", name="Corrections")).to_contain_text("The text has no “nobody here”.")
    report.get_by_role("button", name="Add mention").click()
    report.get_by_label("Words of the text").fill("saw")
    page.keyboard.press("Enter")
    settled(page, 1)
    assert found(page)["edits"][0]["mentions"] == [[TEXT.index("saw"), TEXT.index("saw") + 3, "saw"]]


def test_a_speaker_is_set_and_the_corrections_taken_away_as_a_file(page: Page, report: FrameLocator) -> None:
    report.locator(".quotations summary").click()
    report.get_by_role("button", name="Set speaker").click()
    report.get_by_role("listbox", name="Person").select_option(index=1)
    report.get_by_role("button", name="OK").click()
    settled(page, 1)
    expect(report.locator(".quotations")).to_contain_text("corrected")
    assert found(page)["quotations"][0]["corrected"]
    page.get_by_text("Download").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Corrections").click()
    assert download.value.suggested_filename == "story.edits.jsonl"
    heading, edit = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert json.loads(heading) == {"schema": "petra.edits/1", "source": "story.txt", "characters": len(TEXT)}
    assert json.loads(edit)["edit"] == "speaker"


def test_the_tools_are_usable_by_everybody(page: Page, report: FrameLocator) -> None:
    first_person(report).click()
    report.get_by_role("button", name="Merge with").click()
    expect(report.get_by_role("dialog")).to_be_visible()
    assert serious_faults(page) == []


def test_a_report_on_its_own_has_no_tools(page: Page, server: str) -> None:
    answer = page.request.post(f"{server}api/jobs", data={"text": TEXT}).json()
    page.goto(server)
    while page.request.get(f"{server}api/jobs/{answer['id']}").json()["state"] != "done":
        page.wait_for_timeout(20)
    page.goto(f"{server}api/jobs/{answer['id']}/report.html")
    expect(page.locator("article").first).to_contain_text("Maria Lenz")
    expect(page.get_by_role("toolbar", name="Corrections")).to_be_hidden()
    page.locator(".quotations summary").click()
    expect(page.locator(".correct")).to_have_count(len(re.findall("“", TEXT)))
    expect(page.locator(".correct").first).to_be_hidden()
