"""What a model gets right in the written texts that are held out, every decision its own (docs/supervision.md).

python -m petra.training.written_scores base
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.bracketed import TaggedDocument
from petra.english.gender import pronoun_set
from petra.english.vocabulary import plain
from petra.evaluation.plain.judging import MentionJudgement, judge
from petra.tracker import Tracker, load
from petra.training.data.rows import MOST_WORDS, unrelated_rows
from petra.training.data.written_texts import written_documents

_NUMBER = re.compile(r"-\d+[a-z]?$")
_ROWS = 1  # seed of the rows
_FIRST_AND_SECOND = frozenset(["i", "me", "my", "mine", "myself", "you", "your", "yours", "yourself"])


def written_scores(tracker: Tracker) -> dict[str, Any]:
    """The share of mentions that are right, in percent, by kind, by pronoun and, of pronouns, by file.

    Short texts are scored a second time in rows of unrelated ones, under names that begin with "rows".
    """
    documents = written_documents("held_out")
    short = [document for document in documents if len(document.text.split()) <= MOST_WORDS]
    rows = list(unrelated_rows(short, np.random.default_rng(_ROWS)))
    return {
        "schema": "petra.evaluation/1",
        "model": tracker.name,
        "texts": len(documents),
        "texts_in_rows": len(short),
        **_scores(tracker, documents, _file),
        **{f"rows, {name}": score for name, score in _scores(tracker, rows, lambda _: None).items()},
    }


def _scores(
    tracker: Tracker, documents: Sequence[AnnotatedDocument], file_of: Callable[[str], str | None]
) -> dict[str, dict[str, float]]:
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for document, tracking in zip(documents, tracker.track_many([it.text for it in documents]), strict=True):
        for judgement in judge(TaggedDocument(document=document, tags=()), tracking.people):
            for group in _groups(judgement, file_of(document.id)):
                counts[group][0] += judgement.error is None
                counts[group][1] += 1
    scores = {name: {"percent": 100 * right / whole, "mentions": whole} for name, (right, whole) in counts.items()}
    return dict(sorted(scores.items()))


def _file(document: str) -> str:
    """The file of a document, by its id."""
    return _NUMBER.sub("", document)


def _groups(judgement: MentionJudgement, file: str | None) -> Iterator[str]:
    """What a mention counts for."""
    yield judgement.mention.kind
    if judgement.mention.kind == "pronoun":
        word, group = plain(judgement.words), pronoun_set(judgement.words)
        if file is not None:
            yield f"file {file}"
        if word in _FIRST_AND_SECOND:
            yield "I, you"
        elif group in ("he", "she"):
            yield "he, she"
        elif group is not None:
            yield "they" if group == "they" else "neopronouns"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m petra.training.written_scores", description=__doc__)
    parser.add_argument("model", help="a model by name or folder")
    print(json.dumps(written_scores(load(parser.parse_args().model, device="cpu")), indent=2))


if __name__ == "__main__":
    main()
