from __future__ import annotations

import pytest
from supervision_samples import scene

from petra.training.data.instances.roles import GrammaticalRole, pronoun, role_of


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Ada sailed home.", "subject"),
        ("In 1901, Ada also won.", "subject"),
        ("They left when Ada was ill.", "subject"),
        ("They said Ada was ill.", "subject"),
        ("They sailed with Ada.", "object"),
        ("They told Ada to sail.", "object"),
        ("They left before Ada.", "object"),
        ("Ada's boat sank.", "possessive"),
        ("They sailed in fear of Ada's boat.", None),
        ("They sailed with Ada's boat.", "possessive"),
        ("The sailor Ada won.", None),
        ("They sailed with Ada and a dog.", None),
        ("They told Ada, who left.", None),
        ("Ada, the sailor, won.", None),
        ("Ada of Kew won.", None),
        ("They sailed with the Ada.", None),
    ],
)
def test_the_neighbours_tell_the_role(text: str, role: GrammaticalRole | None) -> None:
    passage, [naming] = scene(text)
    assert role_of(passage, naming.words) == role


def test_the_pronoun_fits_gender_role_and_place() -> None:
    assert pronoun("feminine", "subject", capital=True) == "She"
    assert pronoun("feminine", "object", capital=False) == "her"
    assert pronoun("masculine", "object", capital=False) == "him"
    assert pronoun("masculine", "possessive", capital=True) == "His"
