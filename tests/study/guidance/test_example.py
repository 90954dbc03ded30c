from __future__ import annotations

from petra.people.finding import find_people
from petra.study.guidance.example import EXAMPLE_REMARKS, example_logs


def test_the_example_shows_what_is_said_of_it() -> None:
    good, bad = example_logs()
    # Cells by the words that a decision counts on, from a probability of 1/2.
    found = []
    for log in (good, bad):
        cells: list[list[str]] = [[] for _ in range(log.num_cells)]
        for token, cell in zip(*((log.overwrite_prob + log.coref_prob) >= log.threshold).nonzero(), strict=True):
            cells[cell].append(log.text[log.starts[token] : log.ends[token]])
        found.append(cells)
    clara = ["Clara", "Whitfield", "her", "she", "she"]
    assert found[0] == [clara, ["brother", "Edgar", "He", "him"], []]
    assert found[1] == [["Clara", "Whitfield", "her", "Edgar", "she", "she"], [], ["He"]]
    assert len(find_people(good)) == 2
    assert len(EXAMPLE_REMARKS) == 3
