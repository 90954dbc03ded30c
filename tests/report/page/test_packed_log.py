from __future__ import annotations

import base64
import dataclasses

import numpy as np
from hypothesis import given
from strategies import logs
from written_logs import written_log

from petra.log.memory_log import MemoryLog
from petra.people.finding import find_people
from petra.people.occupancy import find_occupancy
from petra.report.page.packed_log import pack_log
from petra.report.page.shown import show_text


def unpacked(log: MemoryLog) -> list[tuple[int, int, int, bool, dict[int, int]]]:
    """Of each token: start, end, tokens left out before it, whether it joins, and its gates by number."""
    occupancy = find_occupancy(log, find_people(log))
    digits = iter(base64.b64decode(pack_log(log, occupancy, show_text(log.text))))
    found = []
    place = 0

    def number() -> int:
        value, scale = 0, 1
        for digit in digits:
            value += digit % 128 * scale
            scale *= 128
            if digit < 128:
                return value
        raise StopIteration

    while True:
        try:
            start = place + number()
        except StopIteration:
            return found
        place = start + number()
        before = number()
        gates = {number(): number() for _ in range(number())}
        found.append((start, place, before // 2, bool(before % 2), gates))


def test_tokens_around_people_with_their_gates() -> None:
    log = written_log(
        "🐕 Jane met Tom. It rained on the hill and on the roofs. She left.",
        ("Jane", 0, "new", 0.75),
        ("", 1, "same", 0.5),
        ("She", 0, "same", 0.004),  # less than half a hundredth is nothing
    )
    # The dog takes two units. Jane's overwrite of cell 0 was decided by (2), the c of cell 1 was not (4 + 1).
    # Two tokens on either side of Jane, none around She.
    assert unpacked(log) == [
        (0, 2, 0, False, {}),
        (3, 7, 0, False, {2: 75, 5: 50}),
        (8, 11, 0, False, {}),
        (12, 15, 0, False, {}),
    ]


def test_what_is_left_out_is_counted() -> None:
    log = written_log("Jane a b c d e f g h Tom", ("Jane", 0, "new"), ("Tom", 1, "new"))
    assert [(start, left_out) for start, _, left_out, _, _ in unpacked(log)] == [
        *[(0, 0), (5, 0), (7, 0)],
        *[(17, 4), (19, 0), (21, 0)],
    ]


def test_pieces_of_a_word_join() -> None:
    log = written_log("Lind qvist", ("Lind", 0, "new"), ("qvist", 0, "same"))
    log = dataclasses.replace(log, words=np.array([0, 0]))
    assert [joins for _, _, _, joins, _ in unpacked(log)] == [False, True]


def test_nothing() -> None:
    assert unpacked(written_log("")) == []
    assert unpacked(written_log("It rained.")) == []


@given(logs())
def test_any_log_can_be_packed(log: MemoryLog) -> None:
    length = int(show_text(log.text).units[-1])
    tokens = unpacked(log)
    assert all(0 <= start <= end <= length for start, end, _, _, _ in tokens)
    assert all(
        0 <= row < 4 * log.num_cells and 0 < value <= 100 for *_, gates in tokens for row, value in gates.items()
    )
    strongest = np.maximum(log.coref_prob, log.overwrite_prob)
    if (strongest >= 0.1).any():
        assert max(value for *_, gates in tokens for value in gates.values()) == round(100 * float(strongest.max()))
