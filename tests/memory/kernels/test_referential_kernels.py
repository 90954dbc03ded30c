"""The Referential Reader's kernels equal its loop over tokens: gates and gradients, models with fewer cells."""

from __future__ import annotations

import pytest
import referential_kernels
from hypothesis import given
from hypothesis import strategies as st
from kernel_differences import Differences, interpreted, too_far

from petra.memory.kernels.layout import Plan
from petra.memory.kernels.referential.layout import reader_layout
from petra.memory.scan import KERNEL_CELLS


@pytest.fixture(scope="module")
def found() -> Differences:
    """Case by case, how far the kernels are from the loop."""
    return interpreted(referential_kernels)


@pytest.mark.parametrize("how", ["training", "reading"])
@pytest.mark.parametrize("case", referential_kernels.CASES)
def test_the_kernels_equal_the_loop(case: str, how: str, found: Differences) -> None:
    assert not too_far(case, found[case][how])


def test_a_program_has_slots_for_its_texts() -> None:
    # 64 rows hold three texts of 20 cells, so 32 texts need eleven programs; a product has 16 rows or more.
    assert reader_layout(Plan(rows=64, step=64), batch=32, num_cells=20, size=300) == (16, 11, 320)
    assert reader_layout(Plan(rows=64, step=64), batch=32, num_cells=2, size=300) == (32, 1, 320)


@given(batch=st.integers(1, 100), num_cells=st.integers(1, KERNEL_CELLS), capacity=st.integers(1, KERNEL_CELLS))
def test_the_programs_hold_every_text(batch: int, num_cells: int, capacity: int) -> None:
    layout = reader_layout(Plan(), batch, num_cells, size=300)
    own = min(capacity, num_cells)  # a model may have fewer cells, and a program then holds more of its texts
    assert layout.programs * min(Plan().rows // own, layout.texts) >= batch
