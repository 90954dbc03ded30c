from __future__ import annotations

import pytest
from written_logs import written_log

from petra.people.finding import find_people
from petra.report.values.summaries import Summary, counted, summarise


def test_the_facts_of_a_person() -> None:
    log = written_log(
        "A word.\r\nJane Eyre left.\r\n\r\nShe slept.\rMiss Eyre woke; Jane left.",
        *[("Jane", 0, "new"), ("She", 0, "same"), ("Eyre", 0, "same"), ("Jane", 0, "same")],
    )
    assert summarise(find_people(log), log.text) == [
        Summary(
            id=1,
            name="Jane Eyre",
            mentions=4,
            kinds="3 names, 1 pronoun",
            other_names=("Miss Eyre", "Jane"),
            first_line=2,
            last_line=5,
            corrected=False,
        )
    ]


@pytest.mark.parametrize(("number", "words"), [(0, "0 names"), (1, "1 name"), (2, "2 names"), (1234, "1,234 names")])
def test_counting_in_words(number: int, words: str) -> None:
    assert counted(number, "name") == words
