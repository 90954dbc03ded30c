"""Learns which gender given names tell, and which words are given names.

``python -m petra.training.name_gender --out FILE`` writes the weights of ``petra.english.name_gender``.

The names come from Faker's lists for many languages, from the names corpus, and from GAP's
development part, where both names of a text are of the pronoun's gender. Each
list that has a name counts once, up to six of them.
"""

from __future__ import annotations

import pkgutil
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from safetensors.numpy import save

from petra.corpora.gap import Split, read_gap
from petra.corpora.names import read_names
from petra.corpora.places import data_folder
from petra.english.name_gender import BUCKETS, folded, runs
from petra.runtime.files import write_atomically

_MOST = 6  # lists that a name counts for
_PENALTY = (
    0.5  # per half square of a weight; among 0.1, 0.3, 0.5, 1 and 3 the least loss on the names of GAP validation
)
_STEPS = 80  # of the optimizer, at most


class LabelledName(NamedTuple):
    """A name, and the answer of a list or text to one of the questions: of a woman? a given name?"""

    name: str
    answer: bool


def gendered_names(data: Path) -> list[LabelledName]:
    """Given names with whether they are of women, one for each list or text that has them."""
    names = read_names(data)
    listed = [(True, names.female), (False, names.male)]
    corpus = [LabelledName(first, answer) for answer, names in listed for first in _folded(names, first=True)]
    faker = [
        LabelledName(name, "female" in attribute)
        for attribute, names in _faker_lists()
        if attribute.startswith("first") and "male" in attribute
        for name in names
    ]
    return [*corpus, *faker, *gap_names(data, "development")]


def given_and_last_names(data: Path) -> list[LabelledName]:
    """Names with whether they are given names, one for each list that has them."""
    names = read_names(data)
    corpus = [LabelledName(name, True) for name in _folded(names.female | names.male, first=True)]
    faker = [LabelledName(name, attribute.startswith("first")) for attribute, names in _faker_lists() for name in names]
    return [*corpus, *faker]


def gap_names(data: Path, split: Split) -> list[LabelledName]:
    """The first words of GAP's names of several words, with the gender of the pronoun beside them."""
    found = []
    for instance in read_gap(data, split):
        for span in (instance.a, instance.b):
            first, _, rest = instance.text[span.start : span.end].partition(" ")
            if rest and first[0].isupper() and "." not in first and instance.gender is not None:
                found.append(LabelledName(folded(first), instance.gender == "feminine"))
    return found


def _faker_lists() -> Iterator[tuple[str, set[str]]]:
    """The lists of given names and surnames of Faker's languages, as far as they are in Latin letters."""
    import faker.providers.person as languages

    for module in pkgutil.iter_modules(languages.__path__):
        provider = import_module(f"{languages.__name__}.{module.name}").Provider
        for attribute in sorted(dir(provider)):
            names = getattr(provider, attribute)
            if attribute.startswith(("first_name", "last_name")) and isinstance(names, Iterable):
                yield attribute, _folded(names, first=attribute.startswith("first"))


def _folded(names: Iterable[object], *, first: bool) -> set[str]:
    """The first or the last words of names, folded, without those in other letters."""
    words = {name.split()[0 if first else -1].split("-")[0] for name in names if isinstance(name, str) and name.strip()}
    return {name for name in map(folded, words) if len(name) > 1 and name.isascii() and name.isalpha()}


def learn(names: Sequence[LabelledName]) -> tuple[NDArray[np.float32], float]:
    """The weights of the table and the bias that answer best."""
    counts = Counter(names)
    distinct = sorted({each.name for each in names})
    times = torch.tensor(
        [[counts[LabelledName(name, answer)] for answer in (False, True)] for name in distinct],
        dtype=torch.float32,
    )
    places = [runs(name) for name in distinct]
    flat = torch.tensor([place for each in places for place in each])
    offsets = torch.tensor(np.cumsum([0, *map(len, places)])[:-1])
    share, weight = times[:, 1] / times.sum(1), times.sum(1).clamp(max=_MOST)
    table = torch.zeros(BUCKETS, 1, requires_grad=True)
    bias = torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.LBFGS([table, bias], max_iter=_STEPS, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        scores = F.embedding_bag(flat, table, offsets, mode="sum")[:, 0] + bias
        losses = F.binary_cross_entropy_with_logits(scores, share, reduction="none")
        loss = ((losses * weight).sum() + _PENALTY / 2 * table.square().sum()) / weight.sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    return table.detach()[:, 0].numpy(), float(bias.detach()[0])


def score(weights: NDArray[np.float32], bias: float, names: Sequence[LabelledName]) -> Mapping[str, float]:
    """The share of names whose answer comes out right, and the mean loss."""
    odds = np.array([bias + weights[runs(each.name)].sum() for each in names])
    sign = np.array([1 if each.answer else -1 for each in names])
    return {"right": float((odds * sign > 0).mean()), "loss": float(np.log1p(np.exp(-odds * sign)).mean())}


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn the weights, write them to a file and print what they score on the names of GAP validation."""
    parser = ArgumentParser(description="Learn which gender given names tell, and which words are given names.")
    parser.add_argument("--data", type=Path, help="folder of the corpora (default: $PETRA_DATA)")
    parser.add_argument("--out", type=Path, required=True, help="file of the weights, *.safetensors")
    given = parser.parse_args(arguments)
    data = data_folder(given.data)
    names, held_out = gendered_names(data), gap_names(data, "validation")
    gender, given_name = learn(names), learn(given_and_last_names(data))
    content = {
        "weights": np.stack([gender[0], given_name[0]], axis=1).astype(np.float16),
        "bias": np.array([gender[1], given_name[1]], np.float16),
    }
    write_atomically(given.out, save(content))
    print(f"{len({each.name for each in names})} names learned from; {len(held_out)} of GAP validation to score")
    print(f"all: {score(*gender, held_out)}")
    seen = {each.name for each in held_out}
    unseen = learn([each for each in names if each.name not in seen])
    print(f"without these names among those learned from: {score(*unseen, held_out)}")


if __name__ == "__main__":
    main()
