from __future__ import annotations

import subprocess
import sys

import pytest

import petra


def test_every_public_name_is_there() -> None:
    for name in petra.__all__:
        assert getattr(petra, name) is not None
        assert name in dir(petra)


def test_an_unknown_name_is_told() -> None:
    with pytest.raises(AttributeError, match="module 'petra' has no attribute 'nothing'"):
        _ = petra.nothing


def test_importing_petra_imports_nothing_heavy() -> None:
    code = (
        "import sys, petra\n"
        "petra.PetraError, petra.__version__\n"
        "print(sorted({'torch', 'transformers', 'numpy', 'tokenizers'} & set(sys.modules)))"
    )
    outcome = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert outcome.stdout.strip() == "[]"
