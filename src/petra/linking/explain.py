"""Explanations: the candidates of a mention, and what each part of the score adds for each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from petra.domain import Mention
from petra.linking.features import FEATURES, FeatureRow
from petra.linking.linker import Link
from petra.linking.scorer import FeatureWeights, contributions

SCHEMA = "petra.explanation/1"


@dataclass(frozen=True, kw_only=True, slots=True)
class ExplainedCandidate:
    """A candidate of a mention, and what each part of the score adds."""

    person_id: int | None  # None for a new person
    name: str  # of the person in the whole text; "a new person"
    probability: float  # the share of the softmax
    memory: float  # the memory's score; 0 for a new person
    features: Mapping[str, float]  # what each feature adds, by its name

    @property
    def score(self) -> float:
        return self.memory + sum(self.features.values())


@dataclass(frozen=True, kw_only=True, slots=True)
class Explanation:
    """Why a mention is linked to its person."""

    mention: Mention
    person_id: int
    mention_probability: float  # that there is a mention at all
    candidates: tuple[ExplainedCandidate, ...]  # by probability, highest first
    moved_to: str | None = None  # the name of the person that the second pass gave the mention to, if it did

    @property
    def chosen(self) -> ExplainedCandidate:
        return self.candidates[0]

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain values of the schema ``petra.explanation/1``."""
        return {
            "schema": SCHEMA,
            "mention": asdict(self.mention),
            "mention_probability": self.mention_probability,
            "person": self.person_id,
            "moved_to": self.moved_to,
            "candidates": [
                {
                    "person": each.person_id,
                    "name": each.name,
                    "probability": each.probability,
                    "score": each.score,
                    "memory": each.memory,
                    "features": dict(each.features),
                }
                for each in self.candidates
            ],
        }

    def in_words(self) -> str:
        """The decision as a few lines of text: the person, the runner-up, and where their scores differ."""
        mention, chosen = self.mention, self.candidates[0]
        who = "a new person" if chosen.person_id is None else chosen.name
        lines = [f"“{mention.text}” at {mention.start} is {who}, with a probability of {chosen.probability:.0%}."]
        if len(self.candidates) > 1:
            other = self.candidates[1]
            lines.append(f"Next comes {other.name} with {other.probability:.0%}.")
            lines += [
                f"  {_signed(ours - theirs):>6}  {description(part)}"
                for part, ours, theirs in _differences(chosen, other)
            ]
        if self.moved_to is not None:
            lines.append(f"The second pass, which knows the whole text, took it for {self.moved_to}.")
        return "\n".join(lines)


def description(part: str) -> str:
    """A part of the score in words: the first line of the feature's documentation."""
    if part == "memory":
        return "memory: similarity of the mention to what the memory holds of the person."
    return f"{part}: {(FEATURES[part].__doc__ or '').splitlines()[0]}"


def explained(
    mention: Mention,
    link: Link,
    weights: FeatureWeights,
    *,
    mention_probability: float,
    person_id: int,
    known: Mapping[int, tuple[int, str]],
    moved_to: str | None = None,
) -> Explanation:
    """The explanation of a link; ``known`` has the id and name of each person by the linker's number."""
    candidates = [
        ExplainedCandidate(
            person_id=known[person][0],
            name=known[person][1],
            probability=float(share),
            memory=float(memory),
            features=_in_order(row, weights),
        )
        for person, share, memory, row in zip(
            link.candidates, link.shares[:-1], link.memory_scores, link.features[:-1], strict=True
        )
    ]
    candidates.append(
        ExplainedCandidate(
            person_id=None,
            name="a new person",
            probability=float(link.shares[-1]),
            memory=0.0,
            features=_in_order(link.features[-1], weights),
        )
    )
    return Explanation(
        mention=mention,
        person_id=person_id,
        mention_probability=mention_probability,
        candidates=tuple(sorted(candidates, key=lambda candidate: -candidate.probability)),
        moved_to=moved_to,
    )


def _differences(one: ExplainedCandidate, other: ExplainedCandidate) -> list[tuple[str, float, float]]:
    """The parts in which two scores differ, the largest difference first."""
    parts = [("memory", one.memory, other.memory)]
    for name in dict.fromkeys([*one.features, *other.features]):
        parts.append((name, one.features.get(name, 0.0), other.features.get(name, 0.0)))
    return sorted((part for part in parts if part[1] != part[2]), key=lambda part: -abs(part[1] - part[2]))


def _signed(value: float) -> str:
    return f"{value:+.1f}"


def _in_order(row: FeatureRow, weights: FeatureWeights) -> dict[str, float]:
    """What each feature adds, in the order of docs/linking.md."""
    return contributions({name: row[name] for name in FEATURES if name in row}, weights)
