"""A study in a real browser, against the real server, with its answers in either database."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from browser import DESKTOP, PHONE, opened, serious_faults
from human_study import Server, serving, small_study
from playwright.sync_api import Browser, Page, expect

from petra.study.answers import Answers


@dataclass(frozen=True)
class Served:
    """A study that is served, and its annotators who have not been here yet."""

    server: Server
    answers: Answers
    newcomers: Iterator[int]

    def link(self, annotator: int) -> str:
        return self.server.link(annotator)

    def kept(self, annotator: int) -> list[str]:
        """What an annotator chose, by place."""
        return [answer.choice for answer in self.answers.of(annotator).values()]

    def versions(self, annotator: int) -> list[str]:
        """What an annotator chose, and what before."""
        return [answer.choice for answer in self.answers.history() if answer.annotator == annotator]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served") / "study"
    url = f"sqlite:///{folder / 'a.sqlite'}" if request.param == "sqlite" else request.getfixturevalue("postgres").url
    study = small_study(folder, documents=48, set_size=2, rounds=1)
    with serving(folder, "--database", url) as server, Answers(url, study.id) as answers:
        yield Served(server, answers, iter(range(1, 25)))


@pytest.fixture
def annotator(served: Served) -> int:
    """Somebody with two documents, and no answer so far."""
    return next(served.newcomers)


def choose(page: Page, name: str, comment: str = "") -> None:
    page.get_by_label(name, exact=True).check()
    if comment:
        page.get_by_label("Comment").fill(comment)


def save(page: Page, button: str = "Save and go on") -> None:
    with page.expect_navigation():
        page.get_by_role("button", name=button).click()


def test_annotators_complete_a_study_side_by_side(browser: Browser, served: Served) -> None:
    numbers = [next(served.newcomers) for _ in range(4)]
    contexts = [browser.new_context(viewport=DESKTOP) for _ in numbers]
    pages = [context.new_page() for context in contexts]
    for number, page in zip(numbers, pages, strict=True):
        page.goto(served.link(number))
        page.get_by_role("link", name="Begin").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("A worked example")
        page.get_by_role("link", name="To document 1").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Document 1 of 2")
        expect(page.get_by_text("0 of 2 answered")).to_be_visible()
        expect(page.get_by_text("Jane met Tom at the <b>harbour</b>.")).to_be_visible()
    for number, page in zip(numbers, pages, strict=True):  # turn by turn, so that all are under way together
        choose(page, "Model A" if number % 2 else "Neutral", f"by {number}")
        save(page)
    for page in pages:
        expect(page.get_by_role("heading", level=1)).to_have_text("Document 2 of 2")
        expect(page.get_by_text("1 of 2 answered")).to_be_visible()
        choose(page, "Model B")
        save(page, "Save and finish")
        expect(page.get_by_role("status")).to_contain_text("All 2 documents are answered. Thank you!")
    for context in contexts:
        context.close()
    for number in numbers:
        assert served.kept(number) == ["A" if number % 2 else "neutral", "B"]
        assert served.answers.of(number)[0].comment == f"by {number}"


def test_a_server_killed_between_any_two_requests_loses_nothing(page: Page, tmp_path: Path, database: str) -> None:
    study = small_study(tmp_path / "study")
    options = ("--database", database)
    server = Server(tmp_path / "study", *options)
    try:
        port = server.port
        link = server.link(1)

        def restart() -> None:
            nonlocal server
            server.kill()
            server = Server(tmp_path / "study", *options, port=port)

        page.goto(f"{link}/1")
        restart()  # with the page open
        choose(page, "Model B", "before the cut")
        save(page)
        restart()  # with the answer acknowledged
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_have_text("Document 2 of 2")
        page.goto(link)
        expect(page.get_by_role("status")).to_contain_text("1 of 2 documents answered")
        page.get_by_role("link", name="Continue with document 2").click()
        choose(page, "Neutral")
        server.kill()
        # While it is down the answer cannot be given; the browser says so, and Back brings the form again.
        page.get_by_role("button", name="Save and finish").click()
        page.wait_for_url("chrome-error://**")
        server = Server(tmp_path / "study", *options, port=port)
        page.goto(f"{link}/2")
        choose(page, "Neutral")
        save(page, "Save and finish")
    finally:
        server.kill()
    with Answers(database, study.id) as answers:
        assert [(each.choice, each.comment) for each in answers.all()] == [("B", "before the cut"), ("neutral", "")]
        assert len(answers.history()) == 2


def test_a_double_click_is_one_answer(page: Page, served: Served, annotator: int) -> None:
    page.goto(f"{served.link(annotator)}/1")
    choose(page, "Model A", "twice")
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.method) if request.method == "POST" else None)
    page.get_by_role("button", name="Save and go on").dblclick(no_wait_after=True)
    expect(page.get_by_role("heading", level=1)).to_have_text("Document 2 of 2")
    assert posts
    assert served.versions(annotator) == ["A"]


def test_two_tabs_make_one_answer(browser: Browser, served: Served, annotator: int) -> None:
    with opened(browser) as one:
        other = one.context.new_page()
        for tab in (one, other):
            tab.goto(f"{served.link(annotator)}/1")
        choose(one, "Model A")
        save(one)
        choose(other, "Model B", "from the other tab")
        save(other)
        expect(other.get_by_role("alert")).to_contain_text("answered in another window meanwhile: Model A")
        assert served.kept(annotator) == ["A"]
        expect(other.get_by_label("Model B", exact=True)).to_be_checked()
        save(other)
        expect(other.get_by_role("heading", level=1)).to_have_text("Document 2 of 2")
        assert served.kept(annotator) == ["B"]
        assert served.versions(annotator) == ["A", "B"]


def test_going_back_shows_the_answer_and_changes_it(page: Page, served: Served, annotator: int) -> None:
    page.goto(f"{served.link(annotator)}/1")
    choose(page, "Model A", "first thought")
    save(page)
    choose(page, "Model B")
    save(page, "Back")  # which saves too
    expect(page.get_by_label("Model A", exact=True)).to_be_checked()
    expect(page.get_by_label("Comment")).to_have_value("first thought")
    choose(page, "Neutral", "second thought")
    save(page, "Save and pause")
    expect(page.get_by_role("listitem").filter(has_text="Document 1")).to_contain_text("Neutral")
    assert served.kept(annotator) == ["neutral", "B"]
    page.go_back()
    expect(page.get_by_label("Neutral", exact=True)).to_be_checked()  # not the page as it was before


def test_a_form_without_a_choice_is_not_sent(page: Page, served: Served, annotator: int) -> None:
    page.goto(f"{served.link(annotator)}/1")
    page.get_by_role("button", name="Save and go on").click()
    expect(page).to_have_url(re.compile(r"/1$"))
    page.get_by_label("Model A", exact=True).focus()
    page.keyboard.press("ArrowDown")  # the keyboard is enough
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Document 2 of 2")
    assert served.kept(annotator) == ["B"]


def test_an_answer_by_keys_with_the_time_it_took(page: Page, served: Served, annotator: int) -> None:
    page.clock.install()
    page.goto(f"{served.link(annotator)}/1")
    page.clock.fast_forward(95_000)
    page.keyboard.press("b")
    expect(page.get_by_label("Model B", exact=True)).to_be_checked()
    page.keyboard.press("c")
    page.keyboard.type("abc")  # in the comment letters are letters
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Document 2 of 2")
    (answer,) = served.answers.of(annotator).values()
    assert (answer.choice, answer.comment) == ("B", "abc")
    assert answer.seconds is not None
    assert 95 <= answer.seconds < 200


def test_question_text_and_logs_are_in_one_view_on_a_laptop(browser: Browser, served: Served, annotator: int) -> None:
    with opened(browser, viewport={"width": 1366, "height": 768}) as page:
        page.goto(f"{served.link(annotator)}/1")
        assert page.evaluate("document.documentElement.scrollHeight") <= 768
        for place in (page.get_by_text("Jane met Tom"), page.get_by_role("button", name="Save and go on")):
            expect(place).to_be_in_viewport(ratio=1)
        for model in ("A", "B"):
            expect(page.get_by_role("region", name=f"Memory log of model {model}")).to_be_in_viewport(ratio=0.5)
            expect(page.get_by_label(f"Model {model}", exact=True)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("look", ["light", "dark"])
def test_everybody_can_use_it(
    browser: Browser, served: Served, annotator: int, size: dict[str, int], look: str
) -> None:
    with opened(browser, viewport=size, color_scheme=look) as page:
        for path in ("", "/example", "/1"):
            page.goto(f"{served.link(annotator)}{path}")
            assert serious_faults(page) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        page.get_by_label("Comment").fill("no choice")
        save(page, "Save and pause")
        expect(page.get_by_role("alert")).to_be_visible()
        assert serious_faults(page) == []
        choose(page, "Model A")
        save(page)
        page.goto(f"{served.link(annotator)}/1")
        expect(page.get_by_role("status")).to_be_visible()
        assert serious_faults(page) == []


def test_without_javascript_and_without_the_network_elsewhere(browser: Browser, served: Served, annotator: int) -> None:
    hosts: set[str] = set()
    with opened(browser, java_script_enabled=False) as page:
        page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
        page.goto(f"{served.link(annotator)}/1")
        choose(page, "Model A")
        save(page)
        page.wait_for_load_state()
    assert hosts == {f"127.0.0.1:{served.server.port}"}
    assert served.kept(annotator) == ["A"]


def test_a_page_of_another_site_cannot_answer(page: Page, served: Served, annotator: int, tmp_path: Path) -> None:
    target = json.dumps(f"{served.link(annotator)}/1")
    (tmp_path / "evil.html").write_text(
        f"<form method=post action={target}><input name=choice value=A><input name=version value=0>"
        "<button>Win a prize</button></form>"
    )
    page.goto((tmp_path / "evil.html").as_uri())
    save(page, "Win a prize")
    assert "another site" in page.content()
    assert served.kept(annotator) == []
