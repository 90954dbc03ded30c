from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from strategies import gates

from petra.errors import LogError
from petra.log.links import Links


def literal_link(coref: NDArray[np.float32], overwrite: NDArray[np.float32], first: int, second: int) -> float:
    """P_CL as the paper writes it."""
    return sum(
        (float(overwrite[first, cell]) + float(coref[first, cell]))
        * math.prod(1 - float(overwrite[between, cell]) for between in range(first + 1, second + 1))
        * float(coref[second, cell])
        for cell in range(coref.shape[1])
    )


def test_a_link_by_hand() -> None:
    # Cell 0: written with 0.8, kept with (1 - 0.5) * (1 - 0), referred to with 0.5: 0.8 * 0.5 * 0.5 = 0.2.
    # Cell 1: (0.0 + 0.1), kept with 1 * (1 - 0.25), referred to with 0.4: 0.03.
    overwrite = np.array([[0.8, 0.0], [0.5, 0.0], [0.0, 0.25]], dtype=np.float32)
    coref = np.array([[0.0, 0.1], [0.0, 0.0], [0.5, 0.4]], dtype=np.float32)
    assert Links(coref, overwrite).between(0, 2) == pytest.approx(0.23)


def test_a_sure_overwrite_cuts_the_link_and_leaves_the_others_whole() -> None:
    overwrite = np.array([[1.0], [0.0], [1.0], [0.0], [0.0]], dtype=np.float32)
    coref = np.array([[0.0], [1.0], [0.0], [1.0], [1.0]], dtype=np.float32)
    links = Links(coref, overwrite)
    assert links.between(0, 1) == 1  # the writing of t1 itself cuts nothing
    assert links.between(1, 3) == 0
    assert links.between(2, 4) == 1
    assert links.between([0, 1, 2], 4).tolist() == [0, 0, 1]


def test_a_span_takes_its_best_pair() -> None:
    overwrite = np.array([[0.5], [0.0], [0.0], [0.0]], dtype=np.float32)
    coref = np.array([[0.0], [0.25], [0.5], [0.75]], dtype=np.float32)
    # Pairs: 0.5 * 0.5, 0.5 * 0.75, 0.25 * 0.5, 0.25 * 0.75.
    assert Links(coref, overwrite).between_spans(range(2), range(2, 4)) == 0.375


@given(data=st.data(), num_tokens=st.integers(1, 12), num_cells=st.integers(1, 4))
def test_running_sums_give_the_literal_product(data: st.DataObject, num_tokens: int, num_cells: int) -> None:
    coref, overwrite = data.draw(gates(num_tokens, num_cells))
    links = Links(coref, overwrite)
    first, second = np.triu_indices(num_tokens)
    # Float32 gates may add up to a hair more than 1.
    expected = [min(1.0, literal_link(coref, overwrite, *pair)) for pair in zip(first, second, strict=True)]
    found = links.between(first, second)
    assert_allclose(found, expected, rtol=1e-12, atol=1e-300)
    assert (found == links.between(second, first)).all()
    assert ((found >= 0) & (found <= 1)).all()


def test_a_million_tokens_of_tiny_overwrites() -> None:
    # (1 - 1e-6) ** (10 ** 6 - 2) times (1 - 0), close to 1 / e; a plain float32 product would drift.
    num_tokens = 10**6
    overwrite = np.full((num_tokens, 1), 1e-6, dtype=np.float32)
    overwrite[0], overwrite[-1] = 1, 0
    coref = np.zeros_like(overwrite)
    coref[-1] = 1
    tiny = float(np.float32(1e-6))
    expected = math.exp((num_tokens - 2) * math.log1p(-tiny))
    assert Links(coref, overwrite).between(0, num_tokens - 1) == pytest.approx(expected, rel=1e-9)


def test_near_tokens_keep_their_precision_after_a_million_strong_overwrites() -> None:
    rng = np.random.default_rng(3)
    overwrite = rng.random((10**6, 2), dtype=np.float32)
    coref = rng.random((10**6, 2), dtype=np.float32) / 2
    overwrite /= 2
    links = Links(coref, overwrite)
    for first, second in [(10**6 - 2, 10**6 - 1), (10**6 - 9, 10**6 - 1), (123_456, 123_459)]:
        assert links.between(first, second) == pytest.approx(literal_link(coref, overwrite, first, second), rel=1e-8)


def test_tokens_outside_the_log_are_refused() -> None:
    links = Links(np.zeros((3, 1), dtype=np.float32), np.zeros((3, 1), dtype=np.float32))
    with pytest.raises(LogError, match="the log holds 3"):
        links.between(0, 3)
    with pytest.raises(LogError, match="Tokens -1 to 2"):
        links.between([0, -1], 2)
    assert links.between([], []).shape == (0,)
