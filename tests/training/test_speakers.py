from __future__ import annotations

import sys

import pytest

from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.corpora.litbank_quotations import GoldQuotation, QuotedDocument
from petra.log.mentions import LoggedMention, LogMentions
from petra.speakers.scorer import initial_weights, shares
from petra.training.choices import Choice, tables
from petra.training.speakers import (
    SpeechInstance,
    fit_speakers,
    fit_speech,
    learn_from,
    litbank_instances,
    masked_instances,
)

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TEXT = "Ada met Tom.\n\n“Come,” said Ada.\n\n“Why?” said Tom. “I am tired.”\n\n“Because.”"
NAMES = (("Ada", 0, 1), ("Tom", 8, 2), ("Ada", 27, 1), ("Tom", 46, 2), ("I", 52, 2))
MENTIONS = LogMentions.of(
    LoggedMention(start, start + len(name), "pronoun" if name == "I" else "name", 0, person, 1.0)
    for name, start, person in NAMES
)
DOCUMENT = QuotedDocument(
    document=AnnotatedDocument(
        id="story",
        text=TEXT,
        mentions=tuple(GoldMention(start, start + len(name), "name", str(person)) for name, start, person in NAMES),
    ),
    quotations=(GoldQuotation(14, 21, "1"), GoldQuotation(34, 40, "2"), GoldQuotation(66, 76, "1")),
)


def test_annotated_quotations_become_instances() -> None:
    speakers, speech = litbank_instances(DOCUMENT, MENTIONS)
    assert [sum(instance.right) for instance in speakers] == [1, 1, 1]
    assert [instance.is_speech for instance in speech] == [True, True, True]
    assert speakers[0].rows[speakers[0].right.index(True)]["named"] == 1


def test_a_masked_quotation_does_not_show_its_attribution() -> None:
    instances = list(masked_instances(TEXT, MENTIONS, initial_weights()))
    assert len(instances) == 2  # "said Ada", "said Tom"
    features = {name for instance in instances for row in instance.rows for name in row}
    assert features.isdisjoint({"named", "called", "he_said", "says_i", "subject_tail"})


def test_what_tells_the_speaker_gets_weight() -> None:
    right_is_named = Choice([{"subject_earlier": 1.0}, {"mentioned_earlier": 1.0}], [True, False])
    weights = fit_speakers([right_is_named] * 4)
    assert weights["subject_earlier"] > 0 > weights["mentioned_earlier"]
    assert shares(right_is_named.rows, weights)[0] > 0.9
    speech = fit_speech([SpeechInstance({"length": 1.0}, True), SpeechInstance({"unended": 1.0}, False)])
    assert speech["length"] > 0 > speech["unended"]


def test_weights_are_written_as_the_package_reads_them() -> None:
    weights = learn_from([(DOCUMENT, MENTIONS)], [(TEXT, MENTIONS)])
    values = tomllib.loads(tables(weights._asdict(), "learned"))
    assert values["speaker"]["named"] == pytest.approx(weights.speaker["named"], abs=0.01)
    assert set(values) == {"speaker", "speech"}
