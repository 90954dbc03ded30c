"""People read mention by mention: the traps that names and nesting set, and what holds for any text."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_people import LABELS, Mark, Script, ScriptedMemory, Spans, read, read_script, written
from strategies import texts, tokens

from petra.domain import Event
from petra.errors import LogError
from petra.linking.scorer import initial_weights
from petra.log.memory_log import MemoryLog
from petra.people.finding import collect
from petra.reading.by_mention.resolver import Resolver
from petra.reading.reader import Reading
from petra.text.piece import Piece

WIDTH = 6  # tokens of the widest candidate in any text


def test_people_of_a_short_text() -> None:
    script = written(
        "Jane met Tom. She smiled at him.",
        ("Jane", "name", "jane", 0.75),
        ("Tom", "name", "tom"),
        ("She", "pronoun", "jane", 0.5),
        ("him", "pronoun", "tom"),
    )
    (jane, tom), _ = read_script(script, ScriptedMemory(strength=50))
    assert (jane.id, jane.name) == (1, "Jane")
    assert [(m.start, m.end, m.text, m.kind, m.probability) for m in jane.mentions] == [
        (0, 4, "Jane", "name", 0.75),
        (14, 17, "She", "pronoun", 0.5),
    ]
    assert (tom.id, tom.name, [m.text for m in tom.mentions]) == (2, "Tom", ["Tom", "him"])


def test_a_mention_inside_another_is_another_person() -> None:
    # Even where the memory takes both for one.
    assert read(
        "Emma's father left. Emma's father slept.",
        ("Emma's father", "nominal", "x"),
        (">Emma", "name", "x"),
        ("Emma's father", "nominal", ""),
        (">Emma", "name", ""),
    ) == {"Emma": ["Emma", "Emma"], "Emma's father": ["Emma's father", "Emma's father"]}


def test_names_are_linked_to_names_against_a_memory_that_does_not_see_it() -> None:
    assert read(
        "Fripp plays. He rests. Steve Ball invited Robert Fripp, and Fripp came.",
        ("Fripp", "name", "a"),
        ("He", "pronoun", "a"),
        ("Steve Ball", "name", "b"),
        ("Robert Fripp", "name", "c"),
        ("Fripp", "name", "d"),
    ) == {"Robert Fripp": ["Fripp", "He", "Robert Fripp", "Fripp"], "Steve Ball": ["Steve Ball"]}


def test_a_couple_is_neither_of_the_two() -> None:
    assert read(
        "Mr. and Mrs. Bennet came. Mr. Bennet spoke and Mrs. Bennet heard him. They left; she slept.",
        ("Mr. and Mrs. Bennet", "name", ""),
        ("Mr. Bennet", "name", ""),
        ("Mrs. Bennet", "name", ""),
        ("him", "pronoun", ""),
        ("They", "pronoun", ""),
        ("she", "pronoun", ""),
    ) == {
        "Mr. and Mrs. Bennet": ["Mr. and Mrs. Bennet", "They"],
        "Mr. Bennet": ["Mr. Bennet", "him"],
        "Mrs. Bennet": ["Mrs. Bennet", "she"],
    }


def test_whoever_is_joined_by_and_is_somebody_else() -> None:
    # Even where the memory takes both for one, and where names could be of one.
    assert read(
        "President Cole and Hilda Cole left. The baker or the smith knew.",
        ("President Cole", "name", "x"),
        ("Hilda Cole", "name", "x"),
        ("The baker", "nominal", "y"),
        ("the smith", "nominal", "y"),
    ) == {
        "President Cole": ["President Cole"],
        "Hilda Cole": ["Hilda Cole"],
        "The baker": ["The baker"],
        "the smith": ["the smith"],
    }


def test_what_belongs_to_somebody_may_follow_and() -> None:
    assert read(
        "Tom and his cat left, Tom and Tom's dog stayed. Jane sings, and Jane dances and Jane sleeps.",
        ("Tom", "name", "t"),
        ("his", "pronoun", "t"),
        ("Tom", "name", "t"),
        ("Tom", "name", "t"),
        ("Jane", "name", "j"),
        ("Jane", "name", "j"),
        ("Jane", "name", "j"),
    ) == {"Tom": ["Tom", "his", "Tom", "Tom"], "Jane": ["Jane", "Jane", "Jane"]}


def test_a_name_given_as_another_one_is_of_the_same_person() -> None:
    # Even where the memory takes them for two; afterwards either name is the person's.
    assert read(
        "Samuel Clemens, better known as Mark Twain, met Ada Vale (born Ada Orr). Twain wrote, Clemens spoke.",
        ("Samuel Clemens", "name", "a"),
        ("Mark Twain", "name", "b"),
        ("Ada Vale", "name", "c"),
        ("Ada Orr", "name", "d"),
        ("Twain", "name", "e"),
        ("Clemens", "name", "f"),
    ) == {
        "Samuel Clemens": ["Samuel Clemens", "Mark Twain", "Twain", "Clemens"],
        "Ada Vale": ["Ada Vale", "Ada Orr"],
    }


def test_a_name_that_somebody_takes_is_theirs() -> None:
    assert read(
        "Farrokh Bulsara, who called himself Freddie Mercury, met Jim.",
        ("Farrokh Bulsara", "name", "a"),
        ("himself", "pronoun", "a"),
        ("Freddie Mercury", "name", "b"),
        ("Jim", "name", "c"),
    ) == {"Farrokh Bulsara": ["Farrokh Bulsara", "himself", "Freddie Mercury"], "Jim": ["Jim"]}


def test_a_name_and_a_nominal_with_a_comma_between_are_of_one_person() -> None:
    # Even where the memory takes them for two.
    assert read(
        "The judge, Peter Lowe, saw Ada Vale, a nurse.",
        ("The judge", "nominal", "a"),
        ("Peter Lowe", "name", "b"),
        ("Ada Vale", "name", "c"),
        ("a nurse", "nominal", "d"),
    ) == {"Peter Lowe": ["The judge", "Peter Lowe"], "Ada Vale": ["Ada Vale", "a nurse"]}


def test_what_somebody_is_said_to_be_is_no_other_person() -> None:
    assert read(
        "Ada was a nurse. The smith, Hugo, became a printer. Tom is not a guard.",
        ("Ada", "name", "a"),
        ("a nurse", "nominal", "b"),
        ("The smith", "nominal", "c"),
        ("Hugo", "name", "d"),
        ("a printer", "nominal", "e"),
        ("Tom", "name", "f"),
        ("a guard", "nominal", "g"),
    ) == {
        "Ada": ["Ada", "a nurse"],
        "Hugo": ["The smith", "Hugo", "a printer"],
        "Tom": ["Tom"],
        "a guard": ["a guard"],
    }


def test_not_every_comma_is_of_an_apposition() -> None:
    # A list goes on, a clause begins, somebody is called, or it is known who is named.
    assert read(
        "Tom, a nurse, and Ann left. Without the judge, Kim wept. Come, Kim, dear. Lee ran. The smith, Lee, sat.",
        ("Tom", "name", "a"),
        ("a nurse", "nominal", "b"),
        ("Ann", "name", "c"),
        ("the judge", "nominal", "d"),
        ("Kim", "name", "e"),
        ("Kim", "name", "e"),
        ("dear", "nominal", "f"),
        ("Lee", "name", "g"),
        ("The smith", "nominal", "h"),
        ("Lee", "name", "g"),
    ) == {
        "Tom": ["Tom"],
        "a nurse": ["a nurse"],
        "Ann": ["Ann"],
        "the judge": ["the judge"],
        "Kim": ["Kim", "Kim"],
        "dear": ["dear"],
        "Lee": ["Lee", "Lee"],
        "The smith": ["The smith"],
    }


def test_two_people_of_one_surname() -> None:
    assert read(
        "Jane Bennet met Mary Bennet. Jane sang for Mary. Miss Mary Bennet smiled.",
        ("Jane Bennet", "name", "x"),
        ("Mary Bennet", "name", "x"),  # the memory takes them for one
        ("Jane", "name", "y"),
        ("Mary", "name", "y"),
        ("Miss Mary Bennet", "name", "x"),
    ) == {"Jane Bennet": ["Jane Bennet", "Jane"], "Miss Mary Bennet": ["Mary Bennet", "Mary", "Miss Mary Bennet"]}


def test_a_first_name_of_two_people_goes_by_the_memory() -> None:
    text = "Jane Bennet met Jane Fairfax. Jane sang. Jane slept."
    names: list[Mark] = [("Jane Bennet", "name", "b"), ("Jane Fairfax", "name", "f")]
    assert read(text, *names, ("Jane", "name", "f"), ("Jane", "name", "b")) == {
        "Jane Bennet": ["Jane Bennet", "Jane"],
        "Jane Fairfax": ["Jane Fairfax", "Jane"],
    }


def test_a_person_comes_back_after_fifty_others() -> None:
    others = [f"Zacharias Person{chr(97 + turn // 26)}{chr(97 + turn % 26)}" for turn in range(50)]
    text = "Emma Woodhouse came. " + " ".join(f"{other} left." for other in others) + " Miss Woodhouse stayed. She sat."
    people, rows = read_script(
        written(
            text,
            ("Emma Woodhouse", "name", "e"),
            *((other, "name", f"other {turn}") for turn, other in enumerate(others)),
            ("Miss Woodhouse", "name", ""),
            ("She", "pronoun", "e"),
        ),
        ScriptedMemory(num_cells=4),
    )
    assert len(people) == 51
    assert [mention.text for mention in people[0].mentions] == ["Emma Woodhouse", "Miss Woodhouse", "She"]
    # Of the three, the first was written to a cell, the second brought back into one, the third found there.
    written_to = rows.overwrite_prob.max(axis=1)
    back = np.flatnonzero(rows.mention_prob)[-2]
    assert written_to[back] > 0.5 > written_to[back + 1 :].max()


def test_i_and_you_in_quotations() -> None:
    # Who speaks is said after the first quotation, and the memory has no opinion on any pronoun.
    assert read(
        "“I saw Tom,” said Jane. “You know I did.” I was there, and my hat.",
        ("I", "pronoun", ""),
        ("Tom", "name", "tom"),
        ("Jane", "name", "jane"),
        ("You", "pronoun", "you"),
        ("I", "pronoun", "jane"),
        ("I", "pronoun", "me"),
        ("my", "pronoun", ""),
    ) == {"Jane": ["I", "Jane", "I"], "Tom": ["Tom"], "You": ["You"], "I": ["I", "my"]}


def test_two_talk_by_turns() -> None:
    assert read(
        "“I am late,” said Vera.\n\n“You are, Vera,” said Tom.\n\n“I ran.”\n\n“I believe you.”",
        ("I", "pronoun", ""),
        ("Vera", "name", "v"),
        ("You", "pronoun", ""),
        ("Vera", "name", ""),
        ("Tom", "name", "t"),
        ("I", "pronoun", ""),
        ("I", "pronoun", ""),
        ("you", "pronoun", ""),
    ) == {"Vera": ["I", "Vera", "You", "Vera", "I", "you"], "Tom": ["Tom", "I"]}


def test_a_narrator_is_named_by_those_who_call() -> None:
    assert read(
        "I came in. “You are late, Nell,” said Tom.\n\n“I ran,” said I. Tom laughed, and I sat down.",
        ("I", "pronoun", "n"),
        ("You", "pronoun", "n"),
        ("Nell", "name", ""),
        ("Tom", "name", "t"),
        ("I", "pronoun", "t"),  # the memory is mistaken, but "said I" follows
        ("I", "pronoun", ""),
        ("Tom", "name", ""),
        ("I", "pronoun", "t"),  # mistaken again, but so the story is told
    ) == {"Nell": ["I", "You", "Nell", "I", "I", "I"], "Tom": ["Tom", "Tom"]}


def test_others_are_not_the_narrator() -> None:
    assert read(
        "I saw Mrs. Orr. She nodded to me.",
        ("I", "pronoun", "x"),
        ("Mrs. Orr", "name", "x"),
        ("She", "pronoun", "x"),
        ("me", "pronoun", "x"),
        strength=2,
    ) == {"I": ["I", "me"], "Mrs. Orr": ["Mrs. Orr", "She"]}


def test_people_are_numbered_in_the_order_of_the_text() -> None:
    # The head of the inner mention comes first, but the outer one begins before it.
    assert list(read("the Bennet sisters", ("the Bennet sisters", "nominal", "s"), (">Bennet", "name", "b"))) == [
        "the Bennet sisters",
        "Bennet",
    ]


def test_the_log_says_why() -> None:
    script = written(
        "Vale met Orr. You left.", ("Vale", "name", "v", 0.8), ("Orr", "name", "o"), ("You", "pronoun", "v", 0.6)
    )
    _, rows = read_script(script, ScriptedMemory(num_cells=3, strength=float(np.log(3))))
    heads = [0, 2, 4]
    assert np.flatnonzero(rows.mention_prob).tolist() == heads
    np.testing.assert_allclose(rows.mention_prob[heads], [0.8, 0.9, 0.6], rtol=1e-6)
    np.testing.assert_allclose((rows.coref_prob + rows.overwrite_prob).sum(axis=1), rows.mention_prob, rtol=1e-6)
    # Vale 3, Orr 1/3 and a new person 1: shares 9/13, 1/13 and 3/13 of 0.6.
    np.testing.assert_allclose(rows.coref_prob[4], 0.6 * np.array([9, 1, 0]) / 13, rtol=1e-5)
    np.testing.assert_allclose(rows.overwrite_prob[4], 0.6 * np.array([0, 0, 3]) / 13, rtol=1e-5)
    np.testing.assert_allclose(rows.usage[:, 0], [1, 0.98, 0.98**2, 0.98**3, 1, 0.98, 0.98**2], rtol=1e-6)
    log = MemoryLog(
        text=script.text,
        model="by hand",
        threshold=0.5,
        starts=script.starts,
        ends=script.ends,
        words=script.words,
        **rows._asdict(),
    )
    assert log.link_probability((0, 4), (14, 17)) > 0.3


def test_an_empty_text_has_no_people() -> None:
    people, rows = read_script(written(""))
    assert people == ()
    assert [len(array) for array in rows] == [0, 0, 0, 0]


def feed(reader: Resolver, script: Script, begin: int, end: int, text: str) -> Reading:
    kept = (script.candidates.last >= begin) & (script.candidates.last < end)
    return reader.feed(
        Piece(text, *(array[begin:end] for array in script.piece[1:])),
        hidden=script.hidden[begin:end],
        candidates=Spans(*(array[kept] for array in script.candidates[:3])),
    )


def test_tokens_without_their_text_are_refused() -> None:
    script = written("Jane met Tom.")
    with pytest.raises(LogError, match=r"Tokens at 0\.\.13 were fed, with text for 0\.\.4"):
        feed(Resolver(ScriptedMemory(), threshold=0.5, max_width=3, weights=initial_weights()), script, 0, 4, "Jane")


def test_events_come_as_soon_as_no_later_span_can_matter() -> None:
    script = written("Jane saw him. She left", ("Jane", "name", ""), ("him", "pronoun", ""), ("She", "pronoun", ""))
    reader = Resolver(ScriptedMemory(), threshold=0.5, max_width=2, weights=initial_weights())
    text = iter(["Jane", " saw", " him", ".", " She", " left"])
    come = [[e.mention.text for e in feed(reader, script, t, t + 1, next(text)).events] for t in range(6)]
    assert come == [[], ["Jane"], [], ["him"], [], ["She"]]
    assert reader.finish().events == []


def test_the_reader_forgets_what_it_has_read() -> None:
    sentence = "Jane Bennet met Mr. Darcy, and “she smiled.” "
    one = written(sentence, ("Jane Bennet", "name", "j"), ("Mr. Darcy", "name", "d"), ("she", "pronoun", "j"))
    reader = Resolver(ScriptedMemory(), threshold=0.5, max_width=4, weights=initial_weights())
    tokens = len(one.starts)
    for turn in range(50):
        reader.feed(
            Piece(sentence, one.starts + turn * len(sentence), one.ends + turn * len(sentence), one.words),
            hidden=one.hidden,
            candidates=Spans(
                one.candidates.first + turn * tokens, one.candidates.last + turn * tokens, one.candidates.kind_prob
            ),
        )
        # The last quotation waits for the words after it.
        assert reader._context.text.end - reader._context.text.start < 2 * len(sentence)
        assert reader._tokens.end - reader._tokens.first < 2 * tokens
        assert len(reader._context._quotations._starts) < 5
        assert len(reader._ids) == 2


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    """Any text, with candidates anywhere in it and a memory of any opinion."""
    text = draw(texts())
    starts, ends, words = draw(tokens(text))
    count = len(starts)
    places = draw(st.lists(st.tuples(st.integers(0, 100), st.integers(0, WIDTH - 1)), max_size=20, unique=True))
    inside = sorted((first, first + width) for first, width in places if first + width < count)
    kinds = [draw(st.integers(0, 2)) for _ in inside]
    prob = np.zeros((len(inside), 3), dtype=np.float32)
    for row, kind in enumerate(kinds):
        prob[row, kind] = draw(st.sampled_from([0.25, 0.5, 0.75, 1.0]))
    labels = [draw(st.integers(0, 3)) for _ in range(count)]
    first, last = np.array(inside, dtype=np.int64).reshape(-1, 2).T
    return Script(
        text=text,
        starts=np.array(starts, dtype=np.int64),
        ends=np.array(ends, dtype=np.int64),
        words=np.array(words, dtype=np.int64),
        hidden=np.eye(LABELS, dtype=np.float32)[labels].reshape(-1, LABELS),
        candidates=Spans(first, last, prob),
    )


@given(script=scripts(), num_cells=st.integers(1, 4))
def test_mentions_are_parts_of_the_text_and_apart_within_a_person(script: Script, num_cells: int) -> None:
    people, rows = read_script(script, ScriptedMemory(num_cells))
    assert [person.id for person in people] == list(range(1, len(people) + 1))
    firsts = [(person.mentions[0].start, person.mentions[0].end) for person in people]
    assert firsts == sorted(firsts)
    everyone = [mention for person in people for mention in person.mentions]
    for mention in everyone:
        assert script.text[mention.start : mention.end] == mention.text
        assert mention.text.strip() == mention.text != ""
        assert 0 < mention.probability <= 1
    for one, other in combinations(everyone, 2):
        earlier, later = sorted((one, other), key=lambda mention: mention.start)
        assert not earlier.start < later.start < earlier.end < later.end
    for person in people:
        for one, other in pairwise(person.mentions):
            assert one.end <= other.start
    assert len(rows.mention_prob) == len(script.starts)
    assert np.count_nonzero(rows.mention_prob) == len(everyone)
    np.testing.assert_allclose((rows.coref_prob + rows.overwrite_prob).sum(axis=1), rows.mention_prob, atol=1e-5)


@given(script=scripts(), data=st.data())
def test_any_portions_give_the_same_people_and_log(script: Script, data: st.DataObject) -> None:
    count = len(script.starts)
    cuts = sorted(data.draw(st.lists(st.integers(0, count), max_size=6)))
    reader = Resolver(ScriptedMemory(), threshold=0.5, max_width=WIDTH, weights=initial_weights())
    readings, fed = [], 0
    for begin, end in pairwise([0, *cuts, count]):
        least = max(fed, int(script.ends[end - 1]) if end else 0)
        # The text may be fed exactly as far as the tokens need it, or further.
        reach = data.draw(st.integers(least, len(script.text)))
        readings.append(feed(reader, script, begin, end, script.text[fed:reach]))
        fed = reach
    readings += [feed(reader, script, count, count, script.text[fed:]), reader.finish()]
    events: list[Event] = [event for reading in readings for event in reading.events]
    people, rows = read_script(script, max_width=WIDTH)
    assert collect(events) == people
    for parts, whole in zip(zip(*(reading.rows for reading in readings), strict=True), rows, strict=True):
        np.testing.assert_array_equal(np.concatenate(parts), whole)
