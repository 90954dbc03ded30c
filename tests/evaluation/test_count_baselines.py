from __future__ import annotations

import pytest

from petra.corpora.people_counts import PeopleCount
from petra.evaluation.count_baselines import count_baselines, count_names

NAMES = frozenset(("Ada", "Ruth", "Robert", "Tom"))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", 0),
        ("It rained on Tuesday.", 0),
        ("Ada met Ruth Vale. Ruth smiled.", 2),  # Ruth is Ruth Vale
        ("Robert Fripp played. Later Mr. Fripp left with Tom.", 2),
        ("Ada went to London and saw Kew Gardens.", 1),  # neither place opens with a first name
        ("J. Hale was late.", 0),  # an initial is no first name of the list
        ("Robert de Vale and Ada", 2),
        ("Ruth Gardens is a park.", 0),
    ],
)
def test_each_name_counts_once(text: str, names: int) -> None:
    assert count_names(text, NAMES) == names


def test_the_best_constant_is_the_one_with_the_least_error() -> None:
    texts = [PeopleCount(id=str(at), text="Ada met Tom.", count=count) for at, count in enumerate((1, 3, 3, 7))]
    found = count_baselines(texts, NAMES)
    assert (found.documents, found.best_constant, found.error_best_constant) == (4, 3, 6)  # 2 + 0 + 0 + 4
    assert found.error_names == 1 + 1 + 1 + 5  # two names each
    # Even places 1 and 3 choose 1, the lowest of equals, for 3 and 7: 2 + 6. Odd places choose 3 for 1 and 3: 2 + 0.
    assert found.error_constant_two_fold == 8 + 2
    assert count_baselines(texts, None).error_names is None
