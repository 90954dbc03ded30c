from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

from hypothesis import given
from strategies import logs
from written_logs import written_log

from petra.log.memory_log import MemoryLog
from petra.people.grouping import Person, find_people
from petra.people.mentions import Mention
from petra.report.html import html_report


class Page(HTMLParser):
    """What a browser finds on a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""  # of the article
        self.marks: list[tuple[str, str]] = []  # person and words
        self.scripts: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag == "mark":
            self.marks.append((dict(attrs)["data-person"] or "", ""))

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        if self.tags.count("article") > self.tags.count("/article"):
            self.text += data
        if self.tags[-1:] == ["mark"]:
            person, words = self.marks[-1]
            self.marks[-1] = (person, words + data)
        if self.tags[-1:] == ["script"]:
            self.scripts.append(data)


def report(log: MemoryLog, people: tuple[Person, ...] | None = None, source: str | None = "story.txt") -> str:
    people = find_people(log) if people is None else people
    return html_report(source=source, model="tiny", threshold=0.5, text=log.text, people=people)


def test_every_mention_is_marked_with_its_person() -> None:
    page = Page(
        report(written_log("Jane met Tom. She left.", *[("Jane", 0, "new"), ("Tom", 1, "new"), ("She", 0, "same")]))
    )
    assert page.text == "Jane met Tom. She left."
    assert page.marks == [("1", "Jane"), ("2", "Tom"), ("1", "She")]


def test_what_the_user_wrote_never_becomes_markup() -> None:
    nasty = "<script>alert(1)</script><img src=x onerror=alert(1)> \"'&amp; {{script}} </article> Jane"
    page = Page(report(written_log(nasty, ("Jane", 0, "new")), source=nasty))
    plain = Page(report(written_log("Jane", ("Jane", 0, "new"))))
    assert page.text == nasty
    assert page.tags == plain.tags
    assert page.scripts == plain.scripts


def test_a_persons_name_never_becomes_markup() -> None:
    person = Person(1, '"><script>', (Mention(0, 4, "Jane", "name", 1.0), Mention(5, 9, "<i>J", "name", 1.0)))
    page = Page(report(written_log("Jane <i>J"), (person,)))
    assert page.tags.count("script") == 1
    assert "i" not in page.tags


def test_the_page_loads_nothing_and_runs_only_its_own_script() -> None:
    html = report(written_log("Jane left.", ("Jane", 0, "new")))
    page = Page(html)
    (script,) = page.scripts
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'" in html
    assert not {name for name, _ in page.attributes} & {"src", "onclick", "onload", "srcset", "action"}
    assert all((value or "").startswith("#m") for name, value in page.attributes if name == "href")
    assert re.search(r"https?:|url\(|@import", html) is None
    assert "{{" not in html


def test_more_people_than_colours_differ_by_their_line() -> None:
    mentions = [Mention(2 * number, 2 * number + 1, "J", "name", 1.0) for number in range(24)]
    people = tuple(Person(number + 1, "J", (mention,)) for number, mention in enumerate(mentions))
    html = report(written_log("J " * 24), people)
    assert len(set(re.findall(r'<mark class="(c\d l\d)"', html))) == 24


def test_of_overlapping_mentions_the_first_is_marked() -> None:
    people = (
        Person(1, "Jane's mother", (Mention(0, 13, "Jane's mother", "name", 1.0),)),
        Person(2, "Jane", (Mention(0, 4, "Jane", "name", 1.0),)),
    )
    page = Page(report(written_log("Jane's mother left."), people))
    assert page.text == "Jane's mother left."
    assert page.marks == [("1", "Jane's mother")]


def test_nobody_and_nothing() -> None:
    html = report(written_log(""), source=None)
    assert "No people found" in html
    assert Page(html).text == ""


@given(log=logs())
def test_the_text_is_the_text(log: MemoryLog) -> None:
    html = report(log)
    html.encode("utf-8")
    printable = re.sub("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff]", "\ufffd", log.text)
    page = Page(html)
    assert page.text == printable
    assert [words for _, words in page.marks] == [
        printable[mention.start : mention.end]
        for mention in sorted((m for p in find_people(log) for m in p.mentions), key=lambda m: m.start)
    ]
