"""Scores on the plain texts: the percentage of mentions that are right, by kind, by tag and by register."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from petra.corpora.bracketed import TaggedDocument, read_bracketed
from petra.domain import Mention
from petra.evaluation.coreference import CoreferenceScore
from petra.evaluation.finder import PeopleFinder, people_of
from petra.evaluation.litbank import score_people
from petra.evaluation.plain.judging import MentionJudgement, judge, spurious
from petra.runtime.progress import Report, silent

FOLDER = Path(__file__).parent
# What makes a short text hard; each has one or several. docs/plain.md says what they mean.
TAGS = (
    "gender",
    "syntax",
    "meaning",
    "nominal",
    "they",
    "neopronoun",
    "dialogue",
    "plural",
    "name-form",
    "apposition",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Share:
    """How many of some mentions are right."""

    right: int
    mentions: int

    @property
    def percent(self) -> float:
        """The right ones in percent; of none, 0."""
        return 100 * self.right / self.mentions if self.mentions else 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class PlainScore:
    """What is right in some texts."""

    pronouns: Share
    nominals: Share
    names: Share
    texts: int

    @property
    def names_and_nominals(self) -> Share:
        """Both together."""
        return Share(
            right=self.names.right + self.nominals.right, mentions=self.names.mentions + self.nominals.mentions
        )


class Spurious(NamedTuple):
    """A predicted mention that is none of the annotation."""

    document: str  # its ID
    mention: Mention


@dataclass(frozen=True, kw_only=True, slots=True)
class PlainRun:
    """A model's scores on the plain texts."""

    model: str
    short: PlainScore  # the 120 short texts together
    long: PlainScore  # the ten longer ones together
    by_tag: Mapping[str, PlainScore]  # of the short texts
    by_register: Mapping[str, PlainScore]  # of the longer ones
    coreference: CoreferenceScore  # of the longer ones
    wrong: tuple[MentionJudgement, ...]  # every mention that is not right
    spurious: tuple[Spurious, ...]  # every predicted mention that is none


def short_texts() -> tuple[TaggedDocument, ...]:
    """One to three sentences each, with the tags of what makes them hard."""
    return read_bracketed(FOLDER / "sentences.txt")


def long_texts() -> tuple[TaggedDocument, ...]:
    """One text of each register, which is its ID."""
    return tuple(text for path in sorted((FOLDER / "texts").glob("*.txt")) for text in read_bracketed(path))


def evaluate_plain(
    finder: PeopleFinder, *, cells: int | None = None, threshold: float | None = None, report: Report = silent
) -> PlainRun:
    """Score the people that a model finds in the plain texts."""
    short, long = short_texts(), long_texts()
    texts = [tagged.document.text for tagged in (*short, *long)]
    found = list(people_of(finder, texts, cells=cells, threshold=threshold, report=report))
    judged = [judge(text, people) for text, people in zip((*short, *long), found, strict=True)]
    of_short, of_long = judged[: len(short)], judged[len(short) :]
    return PlainRun(
        model=finder.name,
        short=score_judgements(of_short),
        long=score_judgements(of_long),
        by_tag={
            tag: score_judgements(it for it, text in zip(of_short, short, strict=True) if tag in text.tags)
            for tag in TAGS
        },
        by_register={text.document.id: score_judgements([it]) for it, text in zip(of_long, long, strict=True)},
        coreference=score_people([text.document for text in long], found[len(short) :]),
        wrong=tuple(it for text in judged for it in text if it.error is not None),
        spurious=tuple(
            Spurious(text.document.id, mention)
            for text, people in zip((*short, *long), found, strict=True)
            for mention in spurious(text.document, people)
        ),
    )


def score_judgements(texts: Iterable[Iterable[MentionJudgement]]) -> PlainScore:
    """The score of texts, each given as the judgements of its mentions."""
    judged = [list(text) for text in texts]

    def share(kind: str) -> Share:
        errors = [it.error for text in judged for it in text if it.mention.kind == kind]
        return Share(right=errors.count(None), mentions=len(errors))

    return PlainScore(pronouns=share("pronoun"), nominals=share("nominal"), names=share("name"), texts=len(judged))
