from __future__ import annotations

import re

import numpy as np
import pytest

from petra.config import TrainingConfig
from petra.corpora.gap import GapInstance, Span
from petra.errors import DataError
from petra.text.document import Document
from petra.training.examples import Example, make_example, make_examples

CONFIG = TrainingConfig()  # weights 1, 5 and 50


def document_of(text: str, token: str = r"\w+|[^\w\s]") -> Document:
    found = list(re.finditer(token, text))
    return Document(
        text=text,
        token_ids=np.arange(len(found)),
        starts=np.array([each.start() for each in found], dtype=np.int64),
        ends=np.array([each.end() for each in found], dtype=np.int64),
        words=np.arange(len(found)),
    )


def instance_of(
    text: str, a: str, b: str, pronoun: str, *, a_coref: bool = False, b_coref: bool = False
) -> GapInstance:
    a_span, b_span, pronoun_span = (Span(text.index(it), text.index(it) + len(it)) for it in (a, b, pronoun))
    return GapInstance(
        id="sample",
        text=text,
        pronoun=pronoun_span,
        a=a_span,
        b=b_span,
        a_coref=a_coref,
        b_coref=b_coref,
        gender="feminine",
        url="https://example.org/sample",
    )


def pairs_of(example: Example) -> list[tuple[int, int, int, float]]:
    return [(pair.first, pair.second, pair.label, pair.weight) for pair in example.pairs]


def test_names_before_the_pronoun() -> None:
    # Tokens: Ada 0, Vale 1, met 2, Ruth 3, full stop 4, She 5, waved 6.
    text = "Ada Vale met Ruth. She waved"
    instance = instance_of(text, "Ada Vale", "Ruth", "She", a_coref=True)
    example = make_example(instance, document_of(text), CONFIG)
    assert (example.id, example.length, example.labelled) == ("sample", 7, {0, 1, 3, 5})
    assert pairs_of(example) == [
        (0, 1, 1, 1.0),  # Ada - Vale, a self link
        (0, 5, 1, 5.0),  # both words of A with the pronoun, which refers to A
        (1, 5, 1, 5.0),
        (3, 5, 0, 50.0),  # B with the pronoun
        (0, 3, 0, 50.0),  # A with B
        (1, 3, 0, 50.0),
    ]
    assert example.links == (((0, 5), (1, 5)), ((3, 5),))


def test_a_pronoun_before_the_names() -> None:
    # Tokens: When 0, she 1, waved 2, comma 3, Ada 4, met 5, Ruth 6, Pym 7, Lee 8.
    text = "When she waved, Ada met Ruth Pym Lee"
    instance = instance_of(text, "Ada", "Ruth Pym Lee", "she", b_coref=True)
    example = make_example(instance, document_of(text), CONFIG)
    assert pairs_of(example) == [
        (6, 7, 1, 1.0),  # the head of the name with each later word
        (6, 8, 1, 1.0),
        (1, 4, 0, 50.0),
        (1, 6, 1, 5.0),
        (1, 7, 1, 5.0),
        (1, 8, 1, 5.0),
        (4, 6, 0, 50.0),
        (4, 7, 0, 50.0),
        (4, 8, 0, 50.0),
    ]
    assert example.links == (((1, 4),), ((1, 6), (1, 7), (1, 8)))


def test_a_pronoun_of_neither_has_negative_pairs_only() -> None:
    text = "Ada met Ruth and her dog"
    example = make_example(instance_of(text, "Ada", "Ruth", "her"), document_of(text), CONFIG)
    assert pairs_of(example) == [(0, 4, 0, 50.0), (2, 4, 0, 50.0), (0, 2, 0, 50.0)]


def test_the_weights_are_the_recipe_s() -> None:
    text = "Ada Vale met Ruth. She waved"
    instance = instance_of(text, "Ada Vale", "Ruth", "She", a_coref=True)
    config = TrainingConfig(self_link_weight=2.0, positive_weight=3.0, negative_weight=4.0)
    weights = [pair.weight for pair in make_example(instance, document_of(text), config).pairs]
    assert weights == [2.0, 3.0, 3.0, 4.0, 4.0, 4.0]


def test_spans_that_share_a_token() -> None:
    # The coarse tokenizer makes one token of "Ada/Ruth": it cannot be two people, and is no pair with itself.
    text = "Ada/Ruth met her"
    example = make_example(instance_of(text, "Ada", "Ruth", "her", a_coref=True), document_of(text, r"\S+"), CONFIG)
    assert pairs_of(example) == [(0, 2, 1, 5.0), (0, 2, 0, 50.0)]
    assert example.links == (((0, 2),), ((0, 2),))


def test_a_span_inside_a_token_means_the_token() -> None:
    text = "Vale-Pym met Ruth and her dog"
    example = make_example(instance_of(text, "Pym", "Ruth", "her"), document_of(text, r"\S+"), CONFIG)
    assert example.labelled == {0, 2, 4}


def test_a_span_without_a_token_is_told() -> None:
    text = "Ada met \u200b and her dog"
    instance = instance_of(text, "Ada", "\u200b", "her")
    with pytest.raises(DataError, match=r"sample: the tokenizer finds no token in '\\u200b', characters 8-9"):
        make_example(instance, document_of(text, r"\w+"), CONFIG)


def test_examples_keep_the_order_of_the_instances() -> None:
    texts = ["Ada met Ruth and her dog", "Her dog met Ada and Ruth Pym"]
    instances = [instance_of(texts[0], "Ada", "Ruth", "her"), instance_of(texts[1], "Ada", "Ruth Pym", "Her")]
    examples = make_examples(instances, [document_of(text) for text in texts], CONFIG)
    assert [example.length for example in examples] == [6, 7]


def test_pairs_that_the_loss_over_all_pairs_tells_apart() -> None:
    # Tokens: When 0, she 1, waved 2, comma 3, Ada 4, met 5, Ruth 6, Pym 7, Lee 8.
    # Every two words of a name are of one person; A with B is a pair like any other of the text.
    text = "When she waved, Ada met Ruth Pym Lee"
    instance = instance_of(text, "Ada", "Ruth Pym Lee", "she", b_coref=True)
    config = TrainingConfig(self_link_weight=0.1)
    example = make_example(instance, document_of(text), config, all_pairs=True)
    assert sorted(pairs_of(example)) == [
        (1, 4, 0, 50.0),
        (1, 6, 1, 5.0),
        (1, 7, 1, 5.0),
        (1, 8, 1, 5.0),
        (6, 7, 1, 0.1),
        (6, 8, 1, 0.1),
        (7, 8, 1, 0.1),
    ]
    other = make_example(instance, document_of(text), config)
    assert (example.links, example.labelled) == (other.links, other.labelled)


def test_two_tokens_are_told_apart_once() -> None:
    # One token for "Ada/Ruth": the pronoun is of one of the two, so it is of this token.
    text = "Ada/Ruth met her"
    instance = instance_of(text, "Ada", "Ruth", "her", a_coref=True)
    example = make_example(instance, document_of(text, r"\S+"), CONFIG, all_pairs=True)
    assert pairs_of(example) == [(0, 2, 1, 5.0)]
    # The name "Ada Vale" and the pronoun "Vale her" share a token: the link of the pronoun stands.
    text = "Ada Vale her dog met Ruth"
    instance = instance_of(text, "Ada Vale", "Ruth", "Vale her", a_coref=True)
    pairs = pairs_of(make_example(instance, document_of(text), CONFIG, all_pairs=True))
    assert (0, 1, 1, 5.0) in pairs
    assert len({pair[:2] for pair in pairs}) == len(pairs)
