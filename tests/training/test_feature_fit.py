from __future__ import annotations

from pathlib import Path

import pytest
from marked_texts import marked
from tiny import tiny_span_model

from petra.errors import ConfigError
from petra.trained import load_trained
from petra.training.feature_fit import fit_features

LETTER = marked("Dear Ann,\nI write to you.", ("Ann", "name", "ann"), ("I", "pronoun", "me"), ("you", "pronoun", "ann"))


def test_the_weights_of_new_features_are_learned_and_the_others_stay(tiny_encoder: Path, tmp_path: Path) -> None:
    model = load_trained(tiny_span_model(tmp_path / "model", tiny_encoder))
    fitted = fit_features(model, ["greeted_narrator", "greeted_addressee"], [LETTER])
    assert fitted.weights["linking.greeted_narrator"] < 0 < fitted.weights["linking.greeted_addressee"]
    assert all((fitted.weights[name] == value).all() for name, value in model.weights.items() if "greeted" not in name)


def test_nothing_is_learned_from_texts_without_the_feature(tiny_encoder: Path, tmp_path: Path) -> None:
    model = load_trained(tiny_span_model(tmp_path / "model", tiny_encoder))
    with pytest.raises(ConfigError, match="nothing can be learned"):
        fit_features(model, ["alias"], [LETTER])
    with pytest.raises(ConfigError, match="no feature stranger"):
        fit_features(model, ["stranger"], [LETTER])
