"""Timing of several pieces of work in one run, and the text that is read for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from petra.text.tokenize import Tokenizer

_MOST = 8_000  # tokens of a given text that are read

# A made-up text with the usual number of people in it; read again and again to fill the tokens wanted.
PARAGRAPH = """\
The ferry was late, and by the time it came round the point most of the people on the quay had gone home. Marta Lind
stayed. She had promised her brother to wait, whatever the weather, and the rain had at last moved off towards the
hills. When the ramp came down the first to walk off was an old man with two dogs; then came a girl, three men in
yellow coats, and nobody she knew. Then Jonas appeared behind them with a crate in his arms. "You waited," he said. He
looked thinner than in spring. Dr. Okafor, who had travelled with him from the mainland, carried the rest of the glass
and would not let anybody help her. The road to the station had been washed out in two places, so they took the long
way over the dunes. On the way Jonas told his sister about the winter, the broken pump and the letters that had never
come.

"""


def race(
    contenders: Mapping[str, Callable[[], object]], rounds: int, on_round: Callable[[int], None]
) -> dict[str, float]:
    """The seconds of each contender's best round.

    They are timed in turn, round by round: other programs only ever slow things down, and not all contenders alike.
    """
    best = dict.fromkeys(contenders, float("inf"))
    for done in range(1, rounds + 1):
        for name, work in contenders.items():
            began = time.perf_counter()
            work()
            best[name] = min(best[name], time.perf_counter() - began)
        on_round(done)
    return best


def beginning(text: str, tokenizer: Tokenizer) -> str:
    """The text, or of a long one as much as is read for timing."""
    document = tokenizer.tokenize(text)
    return text if len(document) <= _MOST else text[: int(document.ends[_MOST - 1])]
