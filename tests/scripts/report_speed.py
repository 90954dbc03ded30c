"""How fast the report page of a novel opens and reacts in Chromium; a machine's own figures, so no test:

PYTHONPATH=tests/support python tests/scripts/report_speed.py [WORDS]
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from browser import chromium, opened
from invented_novel import invented_novel, invented_quotations

from petra.report.page.report_page import html_report

# What a user does, as scripts of the page do it.
_ACTIONS = {
    "choose a person": "document.querySelector('#people button').click()",
    "the next mention": "document.querySelector('[data-step=\"1\"]').click()",
    "the last mention": "go(-1)",
    "sort the list": "orderField.value = 'mentions'; arrange()",
    "find a name": "filterField.value = 'ros'; arrange()",
    "search the text": "searchField.value = 'river'; findInText()",
    "the next place found": "goToHit(hit + 1)",
    "open the chapters": "document.querySelector('details.chapters').open = true",
    "open the quotations": "document.querySelector('.quotations').open = true",
    "draw the network": "networkPanel.open = true; drawNetwork()",
    "two people together": "choose(1); showTogether([2])",
    "mentions by probability": "surestField.value = 0.5; markSure()",
    "make the tables": "mentionsCsv(); peopleCsv(); quotationsCsv(); everythingJson()",
    "show everybody": "clear()",
    "scroll to the middle": "scrollTo(0, document.body.scrollHeight / 2)",
    "draw the memory log": "dock.open = true; drawn = null; drawLog(...inSight())",
}
_PAINTED = "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))"


def main(num_words: int) -> None:
    novel = invented_novel(num_words, num_people=200, chapters=60)
    quotations = invented_quotations(novel, num_words // 50)
    html = html_report(
        source="novel.txt",
        model="invented",
        threshold=0.5,
        text=novel.text,
        people=novel.people,
        quotations=quotations,
        log=novel.log,
    )
    mentions = sum(len(person.mentions) for person in novel.people)
    print(f"{num_words:,} words, {mentions:,} mentions, {len(html.encode()) / 1e6:.1f} MB")
    with tempfile.TemporaryDirectory() as folder, chromium() as browser, opened(browser) as page:
        place = Path(folder) / "novel.html"
        place.write_text(html, encoding="utf-8", newline="\n")
        begin = time.perf_counter()
        page.goto(place.as_uri())
        page.evaluate(f"() => {_PAINTED}")
        print(f"{'open':<24}{time.perf_counter() - begin:6.2f} s")
        for name, action in _ACTIONS.items():
            timed = f"const begin = performance.now(); {action}; await {_PAINTED}; return performance.now() - begin"
            print(f"{name:<24}{page.evaluate(f'async () => {{ {timed} }}') / 1000:6.2f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 125_000)
