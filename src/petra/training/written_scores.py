"""What a model gets right in the written texts that are held out, every decision its own (docs/supervision.md).

python -m petra.training.written_scores base
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from petra.corpora.bracketed import TaggedDocument
from petra.english.gender import pronoun_set
from petra.english.vocabulary import plain
from petra.evaluation.plain.judging import MentionJudgement, judge
from petra.tracker import Tracker, load
from petra.training.data.written_texts import written_documents

_NUMBER = re.compile(r"-\d+[a-z]?$")
_FIRST_AND_SECOND = frozenset(["i", "me", "my", "mine", "myself", "you", "your", "yours", "yourself"])


def written_scores(tracker: Tracker) -> dict[str, Any]:
    """The share of mentions that are right, in percent, by kind, by pronoun and, of pronouns, by file."""
    documents = written_documents("held_out")
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for document, tracking in zip(documents, tracker.track_many([it.text for it in documents]), strict=True):
        for judgement in judge(TaggedDocument(document=document, tags=()), tracking.people):
            for group in _groups(judgement):
                counts[group][0] += judgement.error is None
                counts[group][1] += 1
    scores = {name: {"percent": 100 * right / whole, "mentions": whole} for name, (right, whole) in counts.items()}
    return {
        "schema": "petra.evaluation/1",
        "model": tracker.name,
        "texts": len(documents),
        **dict(sorted(scores.items())),
    }


def _groups(judgement: MentionJudgement) -> Iterator[str]:
    """What a mention counts for."""
    yield judgement.mention.kind
    if judgement.mention.kind == "pronoun":
        word, group = plain(judgement.words), pronoun_set(judgement.words)
        yield f"file {_NUMBER.sub('', judgement.document)}"
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
