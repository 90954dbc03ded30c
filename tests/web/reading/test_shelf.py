from __future__ import annotations

from pathlib import Path

import pytest

from petra.errors import ConfigError, ModelError
from petra.runtime.progress import silent
from petra.trained import DEFAULT, shipped_models
from petra.web.reading.models import Shelf


def test_the_models_that_come_with_petra_are_offered_the_default_first() -> None:
    shelf = Shelf()
    assert shelf.default == DEFAULT
    assert {model.name for model in shelf.offered} == set(shipped_models())


def test_a_model_is_loaded_once_and_by_its_name(tiny_model: Path) -> None:
    shelf = Shelf([str(tiny_model)], device="cpu")
    assert (shelf.default, shelf.choose(None), shelf.choose("tiny")) == ("tiny", "tiny", "tiny")
    assert shelf.tracker("tiny", silent) is shelf.tracker("tiny", silent)


def test_places_on_this_machine_are_not_told(tiny_model: Path) -> None:
    (offered,) = Shelf([str(tiny_model)]).offered
    assert offered.encoder == "tiny-bert"
    with pytest.raises(ConfigError) as error:
        Shelf([str(tiny_model)]).choose(str(tiny_model))
    assert "It offers: tiny." in str(error.value)


def test_two_models_of_one_name(tiny_model: Path, tiny_encoder: Path, tmp_path: Path) -> None:
    from tiny import tiny_model as make

    with pytest.raises(ConfigError, match="Two models are named 'tiny'"):
        Shelf([str(tiny_model), str(make(tmp_path / "again", tiny_encoder))])


def test_an_unknown_model() -> None:
    with pytest.raises(ModelError, match="No model named 'nobody'"):
        Shelf(["nobody"])
