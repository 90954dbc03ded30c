from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from petra.domain import Event
from petra.errors import ConfigError, TextError
from petra.people.finding import collect
from petra.tracker import Tracker

STORY = (
    "Amelia Shepherd met Paul at the house of Lena Brook. She told him that his sister saw the king,\r\n"
    'and he said: "Who is she?" Doctor Paul Brook\'s mother was his friend. 👩‍👧 דוד é̂\n\n'
)


def flat(events: Sequence[Event]) -> list[tuple[object, ...]]:
    """Events without their probabilities, which differ in the last digit with the windows encoded together."""
    return [(event.person_id, event.is_new, event.mention.start, event.mention.text) for event in events]


def whole_events(tracker: Tracker, text: str) -> list[tuple[object, ...]]:
    people = tracker.track(text).people
    mentions = [(person, mention) for person in people for mention in person.mentions]
    return [
        (person.id, mention == person.mentions[0], mention.start, mention.text)
        for person, mention in sorted(mentions, key=lambda item: item[1].start)
    ]


@settings(max_examples=40)
@given(times=st.integers(0, 6), cuts=st.lists(st.integers(0, 6 * len(STORY)), max_size=12))
@example(times=3, cuts=list(range(3 * len(STORY))))
def test_a_stream_tells_what_the_whole_text_holds(tiny_tracker: Tracker, times: int, cuts: list[int]) -> None:
    text = STORY * times
    places = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]
    with tiny_tracker.stream() as stream:
        events = [event for begin, end in pairwise(places) for event in stream.feed(text[begin:end])]
    events += stream.finish()
    assert flat(events) == whole_events(tiny_tracker, text)
    people = tiny_tracker.track(text).people
    assert [person.name for person in collect(events)] == [person.name for person in people]
    assert (stream.num_characters, stream.num_people) == (len(text), len(people))
    assert stream.num_mentions == len(events)
    assert stream.num_tokens == tiny_tracker.track(text).log.num_tokens


def test_events_come_before_the_end(tiny_tracker: Tracker) -> None:
    stream = tiny_tracker.stream()
    events = stream.feed(STORY * 4)
    assert events
    assert all(event.mention.start > events[-1].mention.start for event in stream.finish())


def test_finishing_twice_tells_the_same(tiny_tracker: Tracker) -> None:
    with tiny_tracker.stream() as stream:
        stream.feed(STORY)
        events = stream.finish()
    assert stream.finish() == events
    with pytest.raises(TextError, match="takes no more text"):
        stream.feed(STORY)


def test_an_error_inside_does_not_finish(tiny_tracker: Tracker) -> None:
    stream = tiny_tracker.stream()
    with pytest.raises(ZeroDivisionError), stream:
        raise ZeroDivisionError
    stream.feed(STORY)  # still open
    assert stream.num_characters == len(STORY)


def test_what_is_kept_does_not_grow_with_the_text(tiny_tracker: Tracker) -> None:
    def kept(times: int) -> tuple[int, int, int]:
        stream = tiny_tracker.stream()
        for _ in range(times):
            stream.feed(STORY)
        buffer = stream._reader._grouper._text
        return stream._waiting.shape[1], len(stream._features._held), buffer.end - buffer.start

    short, long = kept(10), kept(100)
    assert all(after <= 3 * before for before, after in zip(short, long, strict=True))


def test_cells_and_threshold_can_be_chosen(tiny_tracker: Tracker) -> None:
    with tiny_tracker.stream(cells=2, threshold=1) as stream:
        assert stream.feed(STORY * 3) == []
    assert stream.finish() == []
    with pytest.raises(ConfigError):
        tiny_tracker.stream(threshold=-1)
    with pytest.raises(ConfigError):
        tiny_tracker.stream(cells=0)
