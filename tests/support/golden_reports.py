"""The whole outputs kept in tests/golden. After a change that is meant, write them anew and read the diff:

python tests/support/golden_reports.py
"""

from __future__ import annotations

import re
from pathlib import Path

from written_logs import written_log

from petra.domain import Mention, Person
from petra.people.finding import find_people
from petra.report.page.report_page import html_report
from petra.report.picture.heatmap_page import heatmap_page
from petra.report.picture.panels import View, make_panels
from petra.report.tables.people import people_lines
from petra.report.values.as_json import dump, tracking_json

FOLDER = Path(__file__).parents[1] / "golden"

TEXT = """\
Dr. Amelia Shepherd met <b>Tom</b> & Zoë O'Neil at "The {{title}}".
She had known Tom's sister, 李娜, for years; his dog 🐕 knew דוד.

Shepherd smiled.
"""
LOG = written_log(
    TEXT,
    ("Amelia", 0, "new", 0.75),
    ("Shepherd", 1, "new", 0.5),
    ("Tom", 2, "new", 0.96875),
    ("Zoë", 3, "new"),
    ("O", 3, "same"),
    ("She", 0, "same"),
    ("Tom", 2, "same", 0.8125),
    ("sister", 4, "new", 0.625),
    ("李娜", 4, "same", 0.625),
    ("his", 2, "same"),
    ("דוד", 5, "new"),
    ("Shepherd", 1, "same", 1.0),
    cells=6,
)


def gold() -> tuple[Person, ...]:
    """An annotation: a mention found for another person, one that was missed, and one around another."""
    return (
        Person(1, "Amelia Shepherd", (mention("Dr. Amelia Shepherd"), mention("She", "She had"), mention("his"))),
        Person(2, "Tom", (mention("Tom"), mention("Tom", "Tom's"))),
        Person(3, "Li Na", (mention("Tom's sister"),)),
    )


def mention(words: str, place: str | None = None) -> Mention:
    start = TEXT.index(place or words)
    return Mention(start, start + len(words), words, "name", 1.0)


def without_parts(page: str) -> str:
    """A page without what is the same for every text: its styles and its script."""
    page = re.sub(r"(?s)(<style>\n).*?(</style>)", r"\1\2", page)
    page = re.sub(r"(?s)(<script>).*?(</script>)", r"\1\2", page)
    return re.sub(r"'sha256-[^']+'", "'sha256-'", page)


def reports() -> dict[str, str]:
    """The name of each file and what it should hold."""
    people = find_people(LOG)
    tracking = tracking_json(source="<story>.txt", model="tiny", text=TEXT, num_tokens=LOG.num_tokens, people=people)
    page = html_report(
        source="<story>.txt", model="tiny", threshold=0.5, text=TEXT, people=people, log=LOG, gold=gold()
    )
    return {
        "tracking.json": f"{dump(tracking)}\n",
        "people.txt": "".join(f"{line}\n" for line in people_lines(people, TEXT)),
        "report.html": without_parts(page),
        "memory-log.html": heatmap_page(make_panels([LOG], View(with_people=True), ["<story>.txt"])),
    }


if __name__ == "__main__":
    for name, content in reports().items():
        (FOLDER / name).write_text(content, encoding="utf-8", newline="\n")
