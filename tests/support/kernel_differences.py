"""How far kernels are from the loops that they stand for, measured by Triton's interpreter in a process of its own.

The interpreter has to be chosen before Triton is first imported, which only a process
of its own can be sure of. Such a process runs a script that writes what it found as JSON.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any
from unittest import mock

import pytest
import torch
from torch import Tensor

from petra.memory.kernels.layout import Plan

Differences = dict[str, dict[str, dict[str, float]]]  # by case, by training and reading, by what is compared

ROWS = 16  # three texts of five cells and a row left over, so that a fourth text needs a second program


def interpreted(script: ModuleType) -> Differences:
    """What a script finds under the interpreter."""
    pytest.importorskip("triton", reason="Triton is not installed; the kernels are written in it")
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script.__file__)],
        env={**os.environ, "TRITON_INTERPRET": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    results: Differences = json.loads(done.stdout)
    return results


def too_far(case: str, differences: dict[str, float]) -> dict[str, float]:
    """Those that rounding does not account for."""
    # Half precision has 11 bits, bfloat16 8; a gradient passes a dozen products on its way.
    tolerance = {"half precision": 5e-3, "bfloat16": 4e-2}.get(case, 1e-5)
    return {name: difference for name, difference in differences.items() if not difference < tolerance}


@contextmanager
def bfloat16_products() -> Iterator[None]:
    """Let the interpreter compute with bfloat16: it keeps such numbers as bits, and multiplies and counts those."""
    import triton.language as tl
    from triton.runtime.interpreter import InterpreterBuilder

    multiply, cast = InterpreterBuilder.create_dot, InterpreterBuilder.cast_impl

    def widened(self: Any, left: Any, right: Any, *rest: Any) -> Any:
        wide = (cast(self, it, tl.float32) if it.dtype.scalar == tl.bfloat16 else it for it in (left, right))
        return multiply(self, *wide, *rest)

    def by_float32(self: Any, source: Any, kind: Any) -> Any:
        if tl.bfloat16 in (source.dtype.scalar, kind.scalar):
            source = cast(self, source, tl.float32)
        return cast(self, source, kind)

    with (
        mock.patch.object(InterpreterBuilder, "create_dot", widened),
        mock.patch.object(InterpreterBuilder, "cast_impl", by_float32),
    ):
        yield


@contextmanager
def by_kernels(chooser: ModuleType, kernels: ModuleType, changes: Mapping[str, Any]) -> Iterator[None]:
    """Let the kernels read, by a plan of small sizes with some changes."""
    plan = Plan(**{"rows": ROWS, "block": 16, "step": 16, "dtype": torch.float32, **changes})
    with (
        bfloat16_products(),
        mock.patch.object(chooser, "by_kernel", return_value=True),
        mock.patch.object(kernels, "train_fused", functools.partial(kernels.train_fused, plan=plan)),
        mock.patch.object(kernels, "read_fused", functools.partial(kernels.read_fused, plan=plan)),
    ):
        yield


def differences(ours: dict[str, Tensor], theirs: dict[str, Tensor]) -> dict[str, float]:
    """The largest difference of each, as a part of its largest value or, if that is smaller, of one in a million."""
    return {
        name: float((ours[name] - value).abs().max() / value.abs().max().clamp_min(1e-6))
        for name, value in theirs.items()
    }


def compared(
    ours: tuple[dict[str, Tensor], dict[str, Tensor]], theirs: tuple[dict[str, Tensor], dict[str, Tensor]]
) -> dict[str, dict[str, float]]:
    """The differences of training and of reading."""
    return dict(zip(("training", "reading"), map(differences, ours, theirs), strict=True))
