"""The people of a text as one HTML file that needs nothing else.

The page is put together from ``page/``: its frame, its styles and its scripts. The text
and the people are HTML, there without any script; the scripts add what moves. What comes
from the user is escaped and never becomes markup, and the page forbids its browser to
load anything or to run any script but its own.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import PureWindowsPath
from typing import Final

from petra.domain import Person, Quotation
from petra.english.chapters import find_chapters
from petra.english.sentences import paragraph_starts
from petra.log.memory_log import MemoryLog
from petra.people.cast import find_cast
from petra.people.profiles import Profiler
from petra.report.page.chapters import chapters_axis, chapters_part
from petra.report.page.data import Divided, page_data
from petra.report.page.looks import Looks, looks_of
from petra.report.page.people import gold_items, gold_summary, people_counted, people_items, timeline_items
from petra.report.page.profiles import profile_templates
from petra.report.page.quotations import quotations_part
from petra.report.page.shown import show_text
from petra.report.page.text import page_text
from petra.report.page.timeline import make_timeline
from petra.report.picture.captions import MEANINGS
from petra.report.templates import escaped, filled, part
from petra.report.values.agreement import Agreement, compare
from petra.report.values.listing import Listing
from petra.report.values.summaries import counted, summarise

_STYLES: Final = ("page.css", "timeline.css", "book.css", "dock.css", "edits.css")
_SCRIPTS: Final = (
    *("places.js", "remember.js", "people.js", "filters.js", "mentions.js", "timeline.js", "dock.js"),
    *("profile.js", "search.js", "chapters.js", "quotations.js", "together.js", "network.js"),
    *("exports.js", "reflow.js", "keyboard.js", "page.js", "edits.js"),
)
_MANY: Final = 12  # people of whom only the cast is listed at first


def html_report(
    *,
    source: str | None,
    model: str,
    threshold: float,
    text: str,
    people: Sequence[Person],
    quotations: Sequence[Quotation] = (),
    log: MemoryLog | None = None,
    gold: Sequence[Person] | None = None,
    listing: Listing | None = None,
) -> str:
    """The page for a text, its people and its quotations.

    With a log, the page also shows what the memory decided; with ``gold``, the people of
    an annotation, where the two agree. ``listing`` says who is listed at first.
    """
    listing = replace(listing or Listing(), many=_MANY)
    shown = show_text(text)
    agreement = None if gold is None else compare(people, gold)
    looks, chapters = looks_of(people), find_chapters(text)
    sections = page_text(shown, people, gold or (), agreement, looks, chapters)
    ordered = listing.sorted(people)
    summaries = summarise(ordered, text)
    listed = {person.id for person in listing.of(people, text)}
    timeline = make_timeline([[mention.start for mention in person.mentions] for person in ordered], len(text))
    profiler = Profiler(people, text, quotations, chapters)
    divided = Divided(sections=sections.sections, paragraphs=paragraph_starts(text), chapters=chapters)
    mentions = sum(len(person.mentions) for person in people)
    values = {
        "policy": page_policy(),
        "title": escaped(_title(source)),
        "style": "".join(map(part, _STYLES)),
        "script": _script(),
        "summary": f"{people_counted(len(people))}, {counted(mentions, 'mention')}" if people else "No people found",
        "gold": "" if agreement is None else _gold(gold or (), people, agreement, looks),
        "timeline": filled(
            part("timeline.html"),
            {
                "rows": timeline_items(summaries, timeline, listed, looks),
                "axis": chapters_axis(chapters, len(text)) or part("axis.html"),
            },
        )
        if people
        else "",
        "chapters": chapters_part(chapters),
        "network": part("network.html") if len(people) > 1 else "",
        "quotations": quotations_part(quotations),
        "people": people_items(summaries, listed, looks),
        "profiles": profile_templates(map(profiler.profile, find_cast(people, text))),
        "order": listing.chosen_order(people),
        "length": ' class="long"' if len(sections.sections) > 1 else "",
        "text": sections.html,
        "model": escaped(model),
        "threshold": f"{threshold:g}",
        "dock": "" if log is None else filled(part("dock.html"), MEANINGS),
        "edits": part("edits.html"),
        "corrections": _corrections(log),
        "data": page_data(shown, divided, people, quotations, log),
    }
    return filled(part("page.html"), values)


def _corrections(log: MemoryLog | None) -> str:
    """What the foot of the page says of corrections."""
    if log is None or not log.edits:
        return ""
    return f" {counted(len(log.edits), 'correction')} made by hand; what was corrected is marked ✎."


def page_policy() -> str:
    """The content security policy of the page, for its head and for who serves it."""
    digest = base64.b64encode(hashlib.sha256(_script().encode("utf-8")).digest()).decode("ascii")
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def _script() -> str:
    return "\n".join(map(part, _SCRIPTS))


def _title(source: str | None) -> str:
    """The name of a file, never its folders; whatever else a source is called."""
    return PureWindowsPath(source or "").name or "People of a text"


def _gold(gold: Sequence[Person], people: Sequence[Person], agreement: Agreement, looks: Looks) -> str:
    values = {"summary": gold_summary(gold, people, agreement), "people": gold_items(gold, people, agreement, looks)}
    return filled(part("gold.html"), values)
