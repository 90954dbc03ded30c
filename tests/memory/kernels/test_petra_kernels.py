"""The fused kernels equal the loop over tokens: gates and gradients, all variants, models with fewer cells."""

from __future__ import annotations

import petra_kernels
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_differences import Differences, interpreted, too_far

from petra.memory.kernels.layout import Plan, layout_of
from petra.memory.scan import KERNEL_CELLS


@pytest.fixture(scope="module")
def found() -> Differences:
    """Case by case, how far the kernels are from the loop."""
    return interpreted(petra_kernels)


@pytest.mark.parametrize("how", ["training", "reading"])
@pytest.mark.parametrize("case", petra_kernels.CASES)
def test_the_kernels_equal_the_loop(case: str, how: str, found: Differences) -> None:
    assert not too_far(case, found[case][how])


def test_a_program_holds_whole_texts() -> None:
    # 64 rows hold three texts of 20 cells, so 32 texts need eleven programs; 300 is filled up to 5 x 64.
    layout = layout_of(Plan(rows=64, step=64), batch=32, num_cells=20, size=300, layer=300)
    assert layout == (32, 11, 320, 320)


def test_a_size_that_fills_its_steps_gets_another() -> None:
    # The inputs have a column for usage after the H of a cell, and the first layer one for a bias.
    layout = layout_of(Plan(step=64), batch=1, num_cells=1, size=64, layer=63)
    assert (layout.width, layout.depth) == (128, 64)


@given(batch=st.integers(1, 100), num_cells=st.integers(1, KERNEL_CELLS), capacity=st.integers(1, KERNEL_CELLS))
def test_the_programs_hold_every_text(batch: int, num_cells: int, capacity: int) -> None:
    layout = layout_of(Plan(), batch, num_cells, size=300, layer=300)
    own = min(capacity, num_cells)  # a model may have fewer cells, and a program then holds more of its texts
    assert layout.programs * min(Plan().rows // own, layout.texts) >= batch
