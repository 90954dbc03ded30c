"""How often one sentence has names that stand near each other: ``python -m petra.training.names_together``.

The two rates of ``petra.consolidation.joining.named_together``, counted in the annotation of LitBank's
training documents: two names of one person, and the names of two people.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from petra.consolidation.cast import names_nearby
from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.litbank import read_litbank
from petra.corpora.places import data_folder
from petra.domain import Event, Mention
from petra.english.names import parse_name

_K = TypeVar("_K", bound=Hashable)

_LEAST_USES = 2  # of each of two names that are compared, or of the names of each of two people


class TogetherRates(NamedTuple):
    """Of names near each other, the share that stands in one sentence."""

    of_one: float  # both of one person
    of_two: float


def together_rates(documents: Iterable[AnnotatedDocument]) -> TogetherRates:
    """The rates in the names that are annotated."""
    of_one, of_two = Counter[bool](), Counter[bool]()
    for document in documents:
        mentions = sorted((it for it in document.mentions if it.kind == "name"), key=lambda it: it.start)
        texts = [document.text[it.start : it.end] for it in mentions]
        events = [
            Event(number, Mention(it.start, it.end, text, "name", 1.0), True)
            for number, (it, text) in enumerate(zip(mentions, texts, strict=True))
        ]
        entities = [it.entity for it in mentions]
        names = [(it.entity, parse_name(text)) for it, text in zip(mentions, texts, strict=True)]
        of_one.update(
            in_one_sentence
            for (entity, _), (other, _), in_one_sentence in _nearby(document.text, events, names)
            if entity == other
        )
        of_two.update(in_one_sentence for *_, in_one_sentence in _nearby(document.text, events, entities))
    return TogetherRates(*(round(counts[True] / max(1, counts.total()), 3) for counts in (of_one, of_two)))


def _nearby(text: str, events: Sequence[Event], keys: Sequence[_K]) -> Iterator[tuple[_K, _K, bool]]:
    """The keys of names near each other, of those used often enough."""
    uses = Counter(keys)
    for one, other, in_one_sentence in names_nearby(text, events, enumerate(keys)):
        if min(uses[one], uses[other]) >= _LEAST_USES:
            yield one, other, in_one_sentence


def main(arguments: Sequence[str] | None = None) -> None:
    """Count and print the rates."""
    parser = ArgumentParser(description="How often one sentence has names that stand near each other.")
    parser.add_argument("--data", type=Path, help="folder of the corpora (default: $PETRA_DATA)")
    rates = together_rates(read_litbank(data_folder(parser.parse_args(arguments).data), "training"))
    print(json.dumps(rates._asdict()))


if __name__ == "__main__":
    main()
