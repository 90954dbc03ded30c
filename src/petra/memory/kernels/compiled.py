"""Steps of a loop over tokens, compiled into few kernels where that pays."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch


@functools.cache
def compiled(step: Callable[..., Any], on_gpu: bool) -> Callable[..., Any]:
    """The step as it is on a CPU; on a GPU with its elementwise part fused into a few kernels."""
    return torch.compile(step, fullgraph=True, dynamic=False) if on_gpu else step
