from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any

from hypothesis import given
from strategies import logs
from written_logs import written_log

from petra.domain import Mention, Person
from petra.log.memory_log import MemoryLog
from petra.people.finding import find_people
from petra.report.page.report_page import html_report, page_policy
from petra.report.page.shown import show_text
from petra.report.values.listing import Listing


class Page(HTMLParser):
    """What a browser finds on a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""  # of the article
        self.marks: list[tuple[str, str]] = []  # of the article: person and words
        self.scripts: list[str] = []
        self._open: list[int | None] = []  # marks of the article, by their number; others are None
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag == "script":
            self.scripts.append("")
        if tag in ("mark", "span"):
            is_mention = self._in_article() and "data-person" in dict(attrs)
            self._open.append(len(self.marks) if is_mention else None)
            if is_mention:
                self.marks.append((dict(attrs)["data-person"] or "", ""))

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(f"/{tag}")
        if tag in ("mark", "span"):
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._in_article():
            self.text += data
        for number in self._open:
            if number is not None:
                person, words = self.marks[number]
                self.marks[number] = (person, words + data)
        if self.tags[-1:] == ["script"]:
            self.scripts[-1] += data

    @property
    def data(self) -> Any:
        return json.loads(self.scripts[0])

    def _in_article(self) -> bool:
        return self.tags.count("article") > self.tags.count("/article")


def report(
    read: MemoryLog, people: Sequence[Person] | None = None, source: str | None = "story.txt", **more: Any
) -> str:
    people = find_people(read) if people is None else people
    return html_report(source=source, model="tiny", threshold=0.5, text=read.text, people=people, **more)


def person(number: int, name: str, *spans: tuple[int, str]) -> Person:
    return Person(number, name, tuple(Mention(start, start + len(words), words, "name", 1.0) for start, words in spans))


JANE = written_log("Jane met Tom. She left.", ("Jane", 0, "new"), ("Tom", 1, "new"), ("She", 0, "same"))


def test_every_mention_is_marked_with_its_person() -> None:
    page = Page(report(JANE))
    assert page.text == "Jane met Tom. She left."
    assert page.marks == [("1", "Jane"), ("2", "Tom"), ("1", "She")]


def test_a_mention_within_a_mention_is_marked_too() -> None:
    people = [person(1, "Jane's mother", (0, "Jane's mother")), person(2, "Jane", (0, "Jane"))]
    page = Page(report(written_log("Jane's mother left."), people))
    assert page.text == "Jane's mother left."
    assert page.marks == [("1", "Jane's mother"), ("2", "Jane")]


def test_what_the_user_wrote_never_becomes_markup() -> None:
    nasty = "<script>alert(1)</script><img src=x onerror=alert(1)> \"'&amp; {{script}} </article> Jane"
    log = written_log(nasty, ("Jane", 0, "new"))
    page = Page(report(log, source=nasty, log=log, gold=find_people(log)))
    plain_log = written_log("Jane", ("Jane", 0, "new"))
    plain = Page(report(plain_log, log=plain_log, gold=find_people(plain_log)))
    assert page.text == nasty
    assert page.tags == plain.tags
    assert page.scripts[1:] == plain.scripts[1:]
    assert "<" not in page.scripts[0]


def test_a_persons_name_never_becomes_markup() -> None:
    found = person(1, '"><script>', (0, "Jane"), (5, "<i>J"))
    page = Page(report(written_log("Jane <i>J"), [found], gold=[found]))
    assert page.tags.count("script") == 2
    assert "i" not in page.tags


def test_the_page_loads_nothing_and_runs_only_its_own_script() -> None:
    html = report(JANE, log=JANE, gold=find_people(JANE))
    page = Page(html)
    data, script = page.scripts
    assert json.loads(data)["length"] == 23
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'"
    assert f'content="{policy}' in html
    assert page_policy().startswith(policy)
    assert not {name for name, _ in page.attributes} & {"src", "onclick", "onload", "srcset", "action"}
    assert all((value or "").startswith("#") for name, value in page.attributes if name == "href")
    assert re.search(r"https?:|url\(|@import|innerHTML", html) is None
    assert "{{" not in html


def test_links_lead_to_mentions() -> None:
    page = Page(report(JANE))
    ids = {value for name, value in page.attributes if name == "id"}
    assert {"m1-1", "m1-2", "m2-1"} <= ids
    assert all((value or "")[1:] in ids for name, value in page.attributes if name == "href")


def test_more_people_than_colours_differ_by_their_line() -> None:
    people = [person(number + 1, "J", (2 * number, "J")) for number in range(24)]
    html = report(written_log("J " * 24), people)
    assert len(set(re.findall(r'<mark class="(c\d+ l\d) kn"', html))) == 24


def test_the_list_can_be_cut_down_and_sorted_but_nobody_is_missing() -> None:
    people = [person(1, "Tom", (0, "Tom")), person(2, "Ada", (4, "Ada"), (8, "Ada")), person(3, "Bo", (12, "Bo"))]
    html = report(written_log("Tom Ada Ada Bo"), people, listing=Listing(top=1))
    listed = re.findall(r'<li data-person="(\d)"( class="beyond")?><button', html)
    assert [(number, bool(beyond)) for number, beyond in listed] == [
        ("2", False),
        ("2", False),
        ("1", True),
        ("3", True),
    ]  # timeline, list
    assert 'data-order="mentions"' in html


def test_the_script_gets_numbers_only() -> None:
    text = "🐕\r\nJane met\r\nTom. She left."
    log = written_log(text, ("Jane", 0, "new", 0.75), ("Tom", 1, "new"), ("She", 0, "same"))
    data = Page(report(log, log=log)).data
    # A dog is two units and a line end is one: 27 characters, one more and two less.
    assert (len(text), data["length"]) == (27, 26)
    assert data["sections"] == [0]
    jane, tom = data["people"]
    assert jane == {"id": 1, "starts": [3, 14], "lengths": [4, 3], "kinds": "np", "probabilities": [75, 90]}
    assert tom["starts"] == [12]
    assert data["log"].keys() == {"cells", "tokens"}
    assert data["log"]["cells"] == 4
    assert "log" not in Page(report(log)).data


def test_an_annotation_is_told_in_words_signs_and_marks() -> None:
    gold = [person(1, "Jane", (0, "Jane"), (18, "left")), person(2, "Tom", (14, "She"))]
    html = report(JANE, gold=gold)
    article = html[html.index("<article") :]
    found = re.findall(
        r'class="(?:c\d l\d k\w )?(agreed|other|extra|missed)"(?: id="\S+")?( data-[^>]*)>(\w+)<', article
    )
    assert found == [
        ("agreed", ' data-person="1"', "Jane"),
        ("extra", ' data-person="2"', "Tom"),
        ("other", ' data-person="1" data-gold="G2"', "She"),
        ("missed", ' data-gold="G1"', "left"),
    ]
    assert "Of 3 annotated mentions, 2 found, 1 of them for the right person; 1 found and not annotated." in html
    assert "<b>G1</b> <bdi>Jane</bdi>: 1 of 2 mentions found, 1 as " in html
    assert "<b>G2</b> <bdi>Tom</bdi>: 1 of 1 mention found</li>" in html
    assert "Annotation" not in report(JANE)


def test_nobody_and_nothing() -> None:
    empty = written_log("")
    html = report(empty, source=None, log=empty, gold=[])
    assert "No people found" in html
    assert Page(html).text == ""
    assert Page(html).data["length"] == 0


@given(log=logs())
def test_the_text_is_the_text(log: MemoryLog) -> None:
    html = report(log, log=log, gold=find_people(log, 0.25))
    html.encode("utf-8")
    shown = show_text(log.text)
    page = Page(html)
    assert page.text == shown.text
    assert page.marks == [
        (str(person.id), shown.text[shown.places[mention.start] : shown.places[mention.end]])
        for mention, person in sorted(
            ((mention, person) for person in find_people(log) for mention in person.mentions),
            key=lambda pair: (pair[0].start, -pair[0].end),  # the outer of two first
        )
    ]
