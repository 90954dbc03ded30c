"""Products of many rows with one matrix on a CPU, without gradients.

PyTorch computes those of float32 with MKL, which on processors of other makers than
Intel reaches less than half the speed of oneDNN; PyTorch has both.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor


def _linear_of_onednn() -> Callable[..., Tensor] | None:
    if not torch.backends.mkldnn.is_available():
        return None
    # Not part of PyTorch's documented interface: it may be missing in another version.
    return getattr(torch.ops.mkldnn, "_linear_pointwise", None)


_linear = _linear_of_onednn()


def product(rows: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """rows (T, D) times weight (D, H), plus bias (H,) if there is one: (T, H)."""
    if _linear is not None and len(rows) and rows.dtype == torch.float32 and rows.device.type == "cpu":
        return _linear(rows, weight.t(), bias, "none", [], "")
    found = rows @ weight
    return found if bias is None else found + bias
