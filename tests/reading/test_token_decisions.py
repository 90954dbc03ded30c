from __future__ import annotations

import numpy as np

from petra.reading.by_token.decisions import Decision, decide


def test_the_strongest_gate_of_each_token() -> None:
    coref = np.array([[0.0, 0.125], [0.5, 0.0], [0.25, 0.25]], dtype=np.float32)
    overwrite = np.array([[0.75, 0.0], [0.25, 0.25], [0.0, 0.25]], dtype=np.float32)
    assert decide(coref, overwrite, 0.5) == {
        0: Decision(cell=0, is_new=True, strength=0.75, probability=0.75, overwritten=(0,)),
        1: Decision(cell=0, is_new=False, strength=0.5, probability=0.75, overwritten=()),
    }
    # At a lower threshold more cells count as written; of equals a reference, then the lower cell.
    low = decide(coref, overwrite, 0.25)
    assert low[1].overwritten == (0, 1)
    assert low[2] == Decision(cell=0, is_new=False, strength=0.25, probability=0.25, overwritten=(1,))


def test_a_gate_reaches_a_threshold_of_its_own_value() -> None:
    # 0.7 in float32 is a little less than 0.7.
    assert list(decide(np.array([[0.7]], np.float32), np.array([[0.0]], np.float32), 0.7)) == [0]


def test_no_tokens_no_decisions() -> None:
    assert decide(np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32), 0.5) == {}
