from __future__ import annotations

import pytest

from petra.runtime.blas import blas_threads, one_blas_thread
from petra.runtime.threads import one_thread


def test_the_number_is_one_inside_and_the_old_one_afterwards() -> None:
    before = blas_threads()
    if before is None:
        pytest.skip("NumPy was built without OpenBLAS")
    with one_blas_thread():
        assert blas_threads() == 1
        with one_thread():
            assert blas_threads() == 1
        assert blas_threads() == 1
    assert blas_threads() == before
    with pytest.raises(ZeroDivisionError), one_thread():
        raise ZeroDivisionError
    assert blas_threads() == before
