"""Annotated texts as a model reads them: every mention comes after the model's own decisions, mistakes among them.

With teacher forcing all decisions before a mention are right, so that a model never learns
to go on after a mistake. Here the model links the annotated mentions one by one, as reading
does. Whom a mention is of is then told by the people that the model has made: a person
stands for whoever most of its names and nominals are of.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from functools import partial
from itertools import islice
from typing import NamedTuple

import torch
from torch import Tensor

from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.linking.context import Context
from petra.linking.linker import Linker
from petra.linking.scorer import FeatureWeights
from petra.log.rows import Floats
from petra.memory.gru import states_of_texts
from petra.memory.inference.person_memory import PersonMemory
from petra.memory.network import Network
from petra.text.document import Document
from petra.training.adapted.model import AdaptedModel
from petra.training.adapted.passages import (
    FEATURE_NAMES,
    AnnotatedPassage,
    ByHead,
    OwnDecision,
    by_head,
    decided_passage,
)
from petra.training.parallel import in_parallel

_AT_ONCE = 64  # texts


class _Encoded(NamedTuple):
    """A text with its mentions, of which K are at different heads."""

    annotated: AnnotatedDocument
    document: Document
    kept: ByHead
    hidden: Floats  # h_t of the heads  (K, H)
    genders: Sequence[float | None]  # of names, the log-odds of feminine


def own_passages(model: AdaptedModel, documents: Sequence[AnnotatedDocument]) -> list[AnnotatedPassage]:
    """The documents with the decisions that the model makes as it stands, with the annotated mentions given."""
    model.encoder.set_training(False)
    network = deepcopy(model.network).cpu().requires_grad_(False)
    weights = dict(zip(FEATURE_NAMES, model.linking.tolist(), strict=True))
    return in_parallel(partial(_own_passage, network, weights), list(_encoded(model, documents)))


@torch.no_grad()
def _encoded(model: AdaptedModel, documents: Sequence[AnnotatedDocument]) -> Iterator[_Encoded]:
    tokenized = [model.encoder.tokenizer.tokenize(each.text) for each in documents]
    encoded = model.encoder.encode_many(tokenized)
    for first in range(0, len(documents), _AT_ONCE):
        features = [each.to(model.device, torch.float32) for each in islice(encoded, _AT_ONCE)]
        lengths = [len(each) for each in features]
        states = states_of_texts(torch.cat(features), lengths, model.network.recurrent_weights).cpu()  # (N, H)
        for place, (own_features, own_states) in enumerate(zip(features, states.split(lengths), strict=True)):
            annotated, document = documents[first + place], tokenized[first + place]
            kept = by_head(document, annotated)
            genders = _name_genders(model, document, kept, own_features)
            yield _Encoded(annotated, document, kept, own_states[kept.heads].numpy(), genders)


def _own_passage(network: Network, weights: FeatureWeights, text: _Encoded) -> AnnotatedPassage:
    linker = Linker(PersonMemory(network), weights)
    decided = decisions(linker, text.annotated.text, text.kept, text.hidden, text.genders)
    return decided_passage(text.document, text.annotated, text.kept, list(decided))


def decisions(
    linker: Linker, text: str, kept: ByHead, hidden: Floats, genders: Sequence[float | None]
) -> Iterator[OwnDecision]:
    """The decision on each mention of a text, given h_t of their heads (K, H) and the genders of names."""
    context, standing = Context(), _Standing()
    context.feed(text)
    context.finish()
    for mention, head, state, gender in zip(kept.mentions, kept.heads, hidden, genders, strict=True):
        link = linker.link(context.of(mention, gender), state, head)
        context.commit(mention, link.person)
        right, is_learned = standing.right(mention, link.candidates)
        standing.add(mention, link.person)
        yield OwnDecision(link.person, link.candidates, link.features, right, is_learned)


def _name_genders(model: AdaptedModel, document: Document, kept: ByHead, features: Tensor) -> Sequence[float | None]:
    """The log-odds of feminine that the span head gives each name, from features (t, D)."""
    if not model.config.spans.name_gender:
        return [None] * len(kept.mentions)
    tokens = [document.tokens_in(mention.start, mention.end) for mention in kept.mentions]
    first, last = (torch.tensor([each[end] for each in tokens], device=model.device) for end in (0, -1))
    width = (last - first).clamp(max=model.config.spans.max_width - 1)
    scores = model.spans.feminine_scores_of(features[first], features[last], width).tolist()
    return [score if mention.kind == "name" else None for mention, score in zip(kept.mentions, scores, strict=True)]


class _Standing:
    """Whom the people that a model has made stand for."""

    def __init__(self) -> None:
        self._called: defaultdict[int, Counter[str]] = defaultdict(Counter)  # person -> entities of names and nominals
        self._meant: defaultdict[int, Counter[str]] = defaultdict(Counter)  # person -> entities of all mentions
        self._seen: set[str] = set()

    def right(self, mention: GoldMention, candidates: Iterable[int]) -> tuple[int | None, bool]:
        """The candidate that a mention is of, None for a new person, and whether that can be told."""
        own = [person for person in self._meant if self._entity(person) == mention.entity]
        among = [person for person in own if person in candidates]
        if among:
            return max(among, key=lambda person: self._meant[person][mention.entity]), True
        # Where the model has lost somebody, a name may begin anew; nothing right is left for a pronoun.
        return None, not own and (mention.kind != "pronoun" or mention.entity not in self._seen)

    def add(self, mention: GoldMention, person: int) -> None:
        """Note what the model decided."""
        self._meant[person][mention.entity] += 1
        if mention.kind != "pronoun":
            self._called[person][mention.entity] += 1
        self._seen.add(mention.entity)

    def _entity(self, person: int) -> str:
        return (self._called.get(person) or self._meant[person]).most_common(1)[0][0]
