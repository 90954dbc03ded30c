from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from petra.runtime import products


@pytest.mark.parametrize("library", ["oneDNN", "PyTorch's own"])
@pytest.mark.parametrize("rows", [0, 1, 2, 7, 40])
def test_the_product_of_rows_with_a_matrix(library: str, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if library == "oneDNN":
        if not torch.backends.mkldnn.is_available():
            pytest.skip("this build of PyTorch has no oneDNN")
        assert products._linear is not None, "PyTorch has oneDNN, but not the operation that products are computed with"
    else:
        monkeypatch.setattr(products, "_linear", None)
    generator = torch.Generator().manual_seed(0)
    inputs = torch.randn(rows, 30, generator=generator)
    weight, bias = torch.randn(30, 12, generator=generator), torch.randn(12, generator=generator)
    expected = torch.einsum("td,dh->th", inputs.double(), weight.double())
    assert_close(products.product(inputs, weight).double(), expected, atol=1e-4, rtol=0)
    assert_close(products.product(inputs, weight, bias).double(), expected + bias, atol=1e-4, rtol=0)


def test_a_row_does_not_depend_on_the_rows_beside_it() -> None:
    inputs = torch.randn(64, 30, generator=torch.Generator().manual_seed(0))
    weight = torch.randn(30, 12, generator=torch.Generator().manual_seed(1))
    whole = products.product(inputs, weight)
    assert_close(torch.cat([products.product(part, weight) for part in inputs.split(5)]), whole, atol=1e-5, rtol=0)
