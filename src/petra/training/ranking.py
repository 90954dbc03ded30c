"""Learns the weights by which candidates are ranked: ``python -m petra.training.ranking --out FILE``.

The texts are LitBank's training documents (fold 0), read by a model. At
each mention that is annotated the right candidate is the person matched with its entity, one
to one; where that one is no candidate, whoever has most mentions of the entity.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

from petra.consolidation.consolidate import join
from petra.consolidation.ranking import RANK_FEATURES, RANKED_KINDS, RankedKind, Ranking, RankWeights
from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.litbank import read_litbank
from petra.corpora.places import data_folder
from petra.domain import Event
from petra.linking.record import LinkRecord
from petra.runtime.files import write_atomically
from petra.tracker import load
from petra.training.choices import Choice, fit_choices, tables

_PENALTY = 0.0002  # of the mean loss, per square of a weight; ten times as much or as little changes nothing


def learn_from(read: Iterable[tuple[AnnotatedDocument, Sequence[Event], Sequence[LinkRecord]]]) -> RankWeights:
    """The weights learned from documents, given the mentions found in each and the decision on each."""
    choices: dict[RankedKind, list[Choice]] = {kind: [] for kind in RANKED_KINDS}
    for document, events, records in read:
        for kind, choice in rank_choices(document, events, records):
            choices[kind].append(choice)
    initial = dict.fromkeys(RANK_FEATURES, 0.0)
    return {kind: fit_choices(its, initial, _PENALTY) for kind, its in choices.items() if its}


def rank_choices(
    document: AnnotatedDocument, events: Sequence[Event], records: Sequence[LinkRecord]
) -> Iterator[tuple[RankedKind, Choice]]:
    """The mentions of a document whose candidates are right and wrong ones."""
    decided = join(document.text, events, records)
    gold = {(mention.start, mention.end): mention.entity for mention in document.mentions}
    entities = [gold.get((event.mention.start, event.mention.end)) for event in events]
    counts = Counter(
        (entity, person) for entity, person in zip(entities, decided.people, strict=True) if entity is not None
    )
    matched = _one_to_one(counts)
    of_person: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for (entity, person), count in counts.items():
        of_person[person][entity] += count
    mainly = {person: its.most_common(1)[0][0] for person, its in of_person.items() if its.total() > 1}
    for number, kind, pairs in Ranking(document.text, events, decided).candidates(decided.people):
        meant = entities[number]
        if meant is None:
            continue
        right = [matched.get(meant) == it.person for it in pairs]
        if not any(right):
            right = [mainly.get(it.person) == meant for it in pairs]
        if any(right) and not all(right):
            rows = [{name: feature(it) for name, feature in RANK_FEATURES.items()} for it in pairs]
            yield kind, Choice(rows, right)


def _one_to_one(counts: Counter[tuple[str, int]]) -> dict[str, int]:
    """The person of each entity, at most one for each, that covers most of the mentions."""
    entities = sorted({entity for entity, _ in counts})
    people = sorted({person for _, person in counts})
    covered = np.zeros((len(entities), len(people)))
    for (entity, person), count in counts.items():
        covered[entities.index(entity), people.index(person)] = count
    chosen = zip(*linear_sum_assignment(covered, maximize=True), strict=True)
    return {entities[row]: people[column] for row, column in chosen if covered[row, column]}


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn the weights and write them to a file."""
    parser = ArgumentParser(description="Learn the weights by which candidates are ranked.")
    parser.add_argument("--model", help="whose decisions are read (default: the one shipped)")
    parser.add_argument("--data", type=Path, help="folder of the corpora (default: $PETRA_DATA)")
    parser.add_argument("--out", type=Path, required=True, help="file of the weights")
    given = parser.parse_args(arguments)
    documents = read_litbank(data_folder(given.data), "training")
    tracker = load(given.model)
    weights = learn_from((document, *tracker.decisions(document.text)) for document in documents)
    comment = (
        "Weights by which candidates are ranked, learned from LitBank's training documents:\n"
        f"python -m petra.training.ranking --model {tracker.name} --out FILE"
    )
    write_atomically(given.out, tables({str(kind): its for kind, its in weights.items()}, comment).encode("utf-8"))


if __name__ == "__main__":
    main()
