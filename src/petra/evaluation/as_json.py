"""Evaluations as dictionaries of the schema ``petra.evaluation/1``. Rates are in percent."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from petra.corpora.gap import Split
from petra.evaluation.annotations import AnnotationsRun
from petra.evaluation.books import BooksRun, NovelScore
from petra.evaluation.coreference import CoreferenceScore
from petra.evaluation.corpus_count import CorpusCountRun
from petra.evaluation.gap_score import GapScore
from petra.evaluation.gum import GumRun
from petra.evaluation.litbank import LitBankRun
from petra.evaluation.plain.scoring import PlainRun, PlainScore
from petra.evaluation.quotes import QuotesRun
from petra.evaluation.runs import CountRun, GapRun
from petra.evaluation.winobias import WinoBiasRun

SCHEMA = "petra.evaluation/1"


def gap_run_as_json(run: GapRun) -> dict[str, Any]:
    """What ``petra evaluate gap`` found."""
    return {
        "schema": SCHEMA,
        "model": run.model,
        "split": run.split,
        "read_by": run.read_by,
        "threshold": run.threshold,
        **_measures(run.score),
        "at_most_one_f1": run.score_at_most_one.overall.f1,
    }


def gap_predictions_as_json(score: GapScore, *, source: str, split: Split) -> dict[str, Any]:
    """What ``petra evaluate predictions`` found; a file of labels has no model and no threshold."""
    return {"schema": SCHEMA, "source": source, "split": split, **_measures(score)}


def count_run_as_json(run: CountRun) -> dict[str, Any]:
    """What ``petra evaluate count`` found."""
    return {
        "schema": SCHEMA,
        "model": run.model,
        "error_best": run.score.error_best,
        "threshold_best": run.score.threshold_best,
        "error_two_fold": run.score.error_two_fold,
        "documents": run.score.documents,
        "baselines": asdict(run.baselines),
    }


def litbank_run_as_json(run: LitBankRun) -> dict[str, Any]:
    """What ``petra evaluate litbank`` found: F1 of every score, then precision and recall."""
    return {"schema": SCHEMA, "model": run.model, "split": run.split, "fold": run.fold, **_coreference(run.score)}


def quotes_run_as_json(run: QuotesRun) -> dict[str, Any]:
    """What ``petra evaluate quotes`` found."""
    return {
        "schema": SCHEMA,
        "model": run.model,
        "split": run.split,
        "fold": run.fold,
        "span_f1": run.spans.f1,
        "span_precision": run.spans.precision,
        "span_recall": run.spans.recall,
        "speakers": run.speakers.percent,
        "speakers_of_all": run.speakers_of_all,
        "found_by": {
            way: {"percent": share.percent, "right": share.right, "quotations": share.quotations}
            for way, share in run.by_way.items()
        },
        "quotations": run.annotated,
        "documents": run.documents,
    }


def gum_run_as_json(run: GumRun) -> dict[str, Any]:
    """What ``petra evaluate gum`` found: every score in both ways of matching, and the main ones of each genre."""
    return {
        "schema": SCHEMA,
        "model": run.model,
        "split": run.split,
        "exact": _coreference(run.score.exact),
        "head": _coreference(run.score.head),
        "genres": {
            genre: {
                "exact": {"mention_f1": score.exact.mentions.f1, "conll": score.exact.conll},
                "head": {"mention_f1": score.head.mentions.f1, "conll": score.head.conll},
                "documents": score.exact.documents,
            }
            for genre, score in run.genres.items()
        },
    }


def books_run_as_json(run: BooksRun) -> dict[str, Any]:
    """What ``petra evaluate books`` found: the scores of each novel, and their means."""
    novels = {score.novel: novel_measures(score) for score in run.novels}
    major = {
        score.novel: [
            {"name": it.name, "shown": it.shown, "share": it.share, "purity": it.purity, "listed": it.has_listed_name}
            for it in score.major
        ]
        for score in run.novels
    }
    return {
        "schema": SCHEMA,
        "model": run.model,
        "novels": {name: measures | {"major": major[name]} for name, measures in novels.items()},
        "mean": mean_measures(run),
    }


def novel_measures(score: NovelScore) -> dict[str, float]:
    """The measures of one novel, in percent but for the number of people."""
    return {
        **{kind: share.percent for kind, share in score.kinds.items()},
        "b_cubed": score.coreference.b_cubed.f1,
        "conll": score.coreference.conll,
        "speakers": score.speakers.percent,
        **{f"speakers_{type_}": share.percent for type_, share in score.speakers_by_type.items()},
        "major_share": score.major_share,
        "major_purity": score.major_purity,
        "major_named": score.major_named,
        "people": score.people,
    }


def mean_measures(run: BooksRun) -> dict[str, float]:
    """The mean of each measure over the novels."""
    measures = [novel_measures(score) for score in run.novels]
    return {name: sum(it[name] for it in measures) / len(measures) for name in measures[0]} if measures else {}


def winobias_run_as_json(run: WinoBiasRun) -> dict[str, Any]:
    """What ``petra evaluate winobias`` found."""
    return {
        "schema": SCHEMA,
        "model": run.model,
        "split": run.split,
        **{f"type{type_}": dict(accuracy) for type_, accuracy in run.accuracy.items()},
        "gap": run.gap,
        "sentences": run.sentences,
    }


def corpus_count_run_as_json(run: CorpusCountRun) -> dict[str, Any]:
    """What ``petra evaluate count --corpus`` found."""
    return {
        "schema": SCHEMA,
        "model": run.model,
        "corpus": run.corpus,
        "documents": run.documents,
        "everybody": asdict(run.everybody),
        "mentioned_again": asdict(run.mentioned_again),
    }


def annotations_run_as_json(run: AnnotationsRun) -> dict[str, Any]:
    """What ``petra evaluate annotations`` found, and of each text."""
    return {
        "schema": SCHEMA,
        "model": run.model,
        "exact": _coreference(run.score.exact),
        "head": _coreference(run.score.head),
        "documents": {
            name: {"exact": _coreference(score.exact), "head": _coreference(score.head)}
            for name, score in run.documents.items()
        },
    }


def _coreference(score: CoreferenceScore) -> dict[str, Any]:
    """F1 of every score, then precision and recall."""
    rates = {"muc": score.muc, "b_cubed": score.b_cubed, "ceaf_e": score.ceaf_e, "lea": score.lea}
    with_mentions = rates | {"mention": score.mentions}
    return {
        **{name: rate.f1 for name, rate in rates.items()},
        "conll": score.conll,
        "mention_f1": score.mentions.f1,
        "precision": {name: rate.precision for name, rate in with_mentions.items()},
        "recall": {name: rate.recall for name, rate in with_mentions.items()},
        "documents": score.documents,
    }


def plain_run_as_json(run: PlainRun) -> dict[str, Any]:
    """What ``petra evaluate plain`` found, with every mention that is wrong and every one that is none."""
    return {
        "schema": SCHEMA,
        "model": run.model,
        "short": _shares(run.short),
        "long": _shares(run.long) | {"mention_f1": run.coreference.mentions.f1, "conll": run.coreference.conll},
        "tags": {tag: _shares(score) for tag, score in run.by_tag.items()},
        "registers": {register: _shares(score) for register, score in run.by_register.items()},
        "wrong": [
            {
                "text": it.document,
                "start": it.mention.start,
                "end": it.mention.end,
                "words": it.words,
                "kind": it.mention.kind,
                "error": it.error,
                "person": it.person,
            }
            for it in run.wrong
        ],
        "spurious": [
            {"text": it.document, "start": it.mention.start, "end": it.mention.end, "words": it.mention.text}
            for it in run.spurious
        ],
    }


def _shares(score: PlainScore) -> dict[str, Any]:
    shares = {
        "pronouns": score.pronouns,
        "names_and_nominals": score.names_and_nominals,
        "nominals": score.nominals,
        "names": score.names,
    }
    of_each = {name: {"percent": it.percent, "right": it.right, "mentions": it.mentions} for name, it in shares.items()}
    return of_each | {"texts": score.texts}


def _measures(score: GapScore) -> dict[str, Any]:
    return {
        "f1": score.overall.f1,
        "precision": score.overall.precision,
        "recall": score.overall.recall,
        "masculine_f1": score.masculine.f1,
        "feminine_f1": score.feminine.f1,
        "bias": score.bias,
        "instances": score.instances,
    }
