"""The people of a text as one HTML file that needs nothing else.

The page is put together from ``page/``: its frame, its style and its script. What
comes from the user is escaped and never becomes markup, and the page forbids its
browser to load anything or to run any script but its own.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence

from petra.people.grouping import Person
from petra.people.mentions import Mention
from petra.report.summaries import Summary, counted, summarise
from petra.report.templates import escaped, filled, part

_COLOURS, _LINES = 6, 4  # of page.css: colours, and styles of the line under a mention


def html_report(*, source: str | None, model: str, threshold: float, text: str, people: Sequence[Person]) -> str:
    """The page for a text and its people."""
    script = part("page.js")
    mentions = sum(len(person.mentions) for person in people)
    values = {
        "title": escaped(source or "People of a text"),
        "style": part("page.css"),
        "script": script,
        "script_hash": base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii"),
        "summary": f"{_people_counted(len(people))}, {counted(mentions, 'mention')}" if people else "No people found",
        "people": "\n".join(_person_item(summary) for summary in summarise(people, text)),
        "text": "".join(_marked(text, people)),
        "model": escaped(model),
        "threshold": f"{threshold:g}",
    }
    return filled(part("page.html"), values)


def _people_counted(number: int) -> str:
    return "1 person" if number == 1 else f"{number:,} people"


def _look(person: int) -> str:
    """The classes of a person's look: the colours first, then the same with another line."""
    turn, colour = divmod(person - 1, _COLOURS)
    return f"c{colour} l{turn % _LINES}"


def _person_item(summary: Summary) -> str:
    also = ", ".join(f"<bdi>{escaped(name)}</bdi>" for name in summary.other_names)
    first, last = f"#m{summary.id}-1", f"#m{summary.id}-{summary.mentions}"
    places = f'<a href="{first}">first on line {summary.first_line}</a>'
    if summary.mentions > 1:
        places += f', <a href="{last}">last on line {summary.last_line}</a>'
    return (
        f'<li><button type="button" data-person="{summary.id}" aria-pressed="false">'
        f'<span class="number {_look(summary.id)}">{summary.id}</span>'
        f'<span class="name"><bdi>{escaped(summary.name)}</bdi></span>'
        f'<span class="count" title="{counted(summary.mentions, "mention")}">{summary.mentions:,}</span></button>'
        f"<p>{summary.kinds}<br>{places}{f'<br>also {also}' if also else ''}</p></li>"
    )


def _marked(text: str, people: Sequence[Person]) -> Iterator[str]:
    """The text with every mention marked; of mentions that overlap, the first."""
    done = 0
    for mention, person, number in _in_order(people):
        if mention.start < done:
            continue
        yield escaped(text[done : mention.start])
        yield (
            f'<mark class="{_look(person.id)}" id="m{person.id}-{number}" data-person="{person.id}" '
            f'title="{person.id}: {escaped(person.name)}">{escaped(text[mention.start : mention.end])}</mark>'
        )
        done = mention.end
    yield escaped(text[done:])


def _in_order(people: Sequence[Person]) -> list[tuple[Mention, Person, int]]:
    """All mentions in text order, each with its person and its number among theirs."""
    mentions = [
        (mention, person, number) for person in people for number, mention in enumerate(person.mentions, start=1)
    ]
    return sorted(mentions, key=lambda item: (item[0].start, -item[0].end))
