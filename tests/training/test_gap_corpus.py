"""The real corpus before the real tokenizer: nothing in it that training could not use."""

from __future__ import annotations

from pathlib import Path

import pytest
from absent import need_encoder

from petra.config import TrainingConfig
from petra.corpora.gap import Split, read_gap
from petra.corpora.people_counts import read_people_counts
from petra.encoder.catalogue import entry
from petra.encoder.fetch import folder_of
from petra.text.tokenize import Tokenizer
from petra.training.examples import make_example

SIZES: dict[Split, int] = {"development": 2000, "validation": 454, "test": 2000}


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    need_encoder("mpnet-base")
    return Tokenizer.from_folder(folder_of(entry("mpnet-base")))


@pytest.mark.parametrize("split", SIZES)
def test_every_span_has_tokens_of_its_own(data: Path, tokenizer: Tokenizer, split: Split) -> None:
    instances = read_gap(data, split)
    assert len(instances) == SIZES[split]
    for instance in instances:
        document = tokenizer.tokenize(instance.text)
        example = make_example(instance, document, TrainingConfig())  # refuses a span without a token
        spans = [document.tokens_in(*span) for span in (instance.a, instance.b, instance.pronoun)]
        assert len(example.labelled) == sum(map(len, spans)), f"{instance.id}: spans share a token"
        for span, tokens in zip((instance.a, instance.b, instance.pronoun), spans, strict=True):
            assert document.starts[tokens[0]] <= span.start, instance.id
            assert document.ends[tokens[-1]] >= span.end, instance.id


def test_the_counted_texts_are_validation_texts(data: Path) -> None:
    texts = {instance.id: instance.text for instance in read_gap(data, "validation")}
    counted = read_people_counts(data)
    assert (len(counted), sum(row.count for row in counted)) == (100, 384)
    assert [row.id for row in counted if texts.get(row.id) != row.text] == []
