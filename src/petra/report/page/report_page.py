"""The people of a text as one HTML file that needs nothing else.

The page is put together from ``templates/``, ``styles/`` and ``scripts/``. The text and the
people are HTML, there without any script; the scripts add what moves. What comes from the
user is escaped and never becomes markup, and the page forbids its browser to load
anything or to run any script but its own.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from markupsafe import Markup

from petra.domain import Person, Quotation
from petra.english.chapters import find_chapters
from petra.english.sentences import paragraph_starts
from petra.log.memory_log import MemoryLog
from petra.people.cast import find_cast
from petra.people.profiles import Profiler
from petra.report.export.tracked import TrackedText
from petra.report.page.chapters import chapter_ticks
from petra.report.page.data import Divided, page_data
from petra.report.page.gold import annotated_people, gold_summary
from petra.report.page.looks import RARE, looks_of, mention_id
from petra.report.page.presence import BARS_HEIGHT, presence_bars
from petra.report.page.shown import show_text
from petra.report.page.text import page_text
from petra.report.page.timeline import make_timeline
from petra.report.picture.captions import MEANINGS
from petra.report.templating import Templates, asset
from petra.report.values.agreement import compare
from petra.report.values.listing import Listing
from petra.report.values.summaries import summarise
from petra.text.source import source_name

_ROOM: Final = "petra.report.page"
_TEMPLATES: Final = Templates(_ROOM)
_STYLES: Final = ("looks.css", "page.css", "timeline.css", "book.css", "dock.css", "edits.css")
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
    profiler = Profiler(people, text, quotations, chapters)
    divided = Divided(sections=sections.sections, paragraphs=paragraph_starts(text), chapters=chapters)
    tracked = TrackedText(
        source=source,
        model=model,
        text=text,
        num_tokens=0 if log is None else log.num_tokens,
        people=tuple(people),
        quotations=tuple(quotations),
    )
    page = _TEMPLATES.fill(
        "page.html",
        policy=Markup(page_policy()),
        title=source_name(source) or "People of a text",
        style=Markup("".join(asset(_ROOM, "styles", name) for name in _STYLES)),
        script=Markup(_script()),
        looks=looks,
        rare=RARE,
        mention_id=mention_id,
        num_mentions=sum(len(person.mentions) for person in people),
        gold_summary=None if agreement is None else gold_summary(gold or (), people, agreement),
        gold=() if agreement is None else annotated_people(gold or (), people, agreement),
        summaries=summarise(ordered, text),
        listed={person.id for person in listing.of(people, text)},
        timeline=make_timeline([[mention.start for mention in person.mentions] for person in ordered], len(text)),
        chapters=chapters,
        ticks=chapter_ticks(chapters, len(text)),
        quotations=quotations,
        profiles=map(profiler.profile, find_cast(people, text)),
        bars=presence_bars,
        bars_height=BARS_HEIGHT,
        order=listing.chosen_order(people),
        is_long=len(sections.sections) > 1,
        text=sections.html,
        model=model,
        threshold=f"{threshold:g}",
        log=log,
        meanings=MEANINGS,
        data=Markup(page_data(shown, divided, tracked, log)),
    )
    return str(page)


def page_policy() -> str:
    """The content security policy of the page, for its head and for who serves it."""
    digest = base64.b64encode(hashlib.sha256(_script().encode("utf-8")).digest()).decode("ascii")
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )


def looks_style() -> str:
    """The colours and lines of people, for other pages that mark them."""
    return asset(_ROOM, "styles", "looks.css")


@cache
def _script() -> str:
    return "\n".join(asset(_ROOM, "scripts", name) for name in _SCRIPTS)
