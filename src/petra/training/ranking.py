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
from petra.consolidation.ranking import RANKED_KINDS, RankedKind, Ranking, RankWeights, initial_weights
from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.litbank import read_litbank
from petra.corpora.places import data_folder
from petra.domain import Event
from petra.linking.record import LinkRecord
from petra.runtime.files import write_atomically
from petra.tracker import load
from petra.training.choices import Choice, fit_choices, tables

_NONE: RankWeights = {}
_ROUNDS = 2
# Of the mean loss, per square of a move; chosen on LitBank's validation documents, with PDNC's novels in view.
_PENALTY = 0.01


def learn_from(read: Iterable[tuple[AnnotatedDocument, Sequence[Event], Sequence[LinkRecord]]]) -> RankWeights:
    """The weights learned from documents, given the mentions found in each and the decision on each.

    In the first round the people of other mentions are those that linking decided on; in the
    next ones those that the weights of the round before decide on, as when they are used.
    """
    documents = list(read)
    weights: RankWeights = {}
    for _ in range(_ROUNDS):
        choices: dict[RankedKind, list[Choice]] = {kind: [] for kind in RANKED_KINDS}
        for document, events, records in documents:
            for kind, choice in rank_choices(document, events, records, weights):
                choices[kind].append(choice)
        weights = {kind: fit_choices(its, initial_weights()[kind], _PENALTY) for kind, its in choices.items() if its}
    return weights


def rank_choices(
    document: AnnotatedDocument,
    events: Sequence[Event],
    records: Sequence[LinkRecord],
    weights: RankWeights = _NONE,
) -> Iterator[tuple[RankedKind, Choice]]:
    """The mentions of a document whose candidates are right and wrong ones; ``weights`` decide on the others."""
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
    ranking = Ranking(document.text, events, decided)
    for mentions, kind, people, rows in ranking.choices(ranking.run(weights)):
        meant = {entities[mention] for mention in mentions} - {None}
        right = [any(matched.get(entity) == person for entity in meant if entity) for person in people]
        if not any(right):
            right = [mainly.get(person) in meant for person in people]
        if any(right) and not all(right):
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
