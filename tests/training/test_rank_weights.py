from __future__ import annotations

from recorded_people import recorded

from petra.consolidation.ranking import RANK_FEATURES
from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.training.choices import Choice, fit_choices, tables
from petra.training.ranking import learn_from, rank_choices

TEXT = "Ada met Eve. She sat. She ate. She ran."


def document() -> AnnotatedDocument:
    """Every She is Ada."""
    places = [(0, 3, "ada"), (8, 11, "eve"), (13, 16, "ada"), (22, 25, "ada"), (31, 34, "ada")]
    mentions = tuple(
        GoldMention(start, end, "name" if start < 13 else "pronoun", entity) for start, end, entity in places
    )
    return AnnotatedDocument(id="a", text=TEXT, mentions=mentions)


def read() -> tuple[AnnotatedDocument, list, list]:  # type: ignore[type-arg]
    """The document as a model read it that took the last She for Eve."""
    she = [("She", "pronoun", person, {1: 0.5, 2: 0.5}) for person in (1, 1, 2)]
    events, records = recorded(TEXT, ("Ada", "name", 1), ("Eve", "name", 2), *she)  # type: ignore[arg-type]
    return document(), events, records


def test_the_right_candidate_is_the_person_matched_with_the_entity() -> None:
    choices = list(rank_choices(*read()))
    assert [kind for kind, _ in choices] == ["third_person"] * 3
    for _, choice in choices:
        assert sum(choice.right) == 1
        [right] = [row for row, is_right in zip(choice.rows, choice.right, strict=True) if is_right]
        assert right["mentions_in_all"] > min(row.get("mentions_in_all", 0.0) for row in choice.rows)


def test_a_kind_that_does_not_occur_has_no_weights() -> None:
    weights = learn_from([read()])
    assert weights.keys() == {"third_person"}
    assert weights["third_person"].keys() == RANK_FEATURES.keys()
    assert weights["third_person"]["mentions_in_all"] > 0


def test_what_tells_right_from_wrong_gets_the_weight() -> None:
    choices = [Choice([{"good": 1.0, "same": 1.0}, {"same": 1.0}], [True, False])] * 4
    fitted = fit_choices(choices, {"good": 0.0, "same": 0.0}, penalty=0.01)
    assert fitted["good"] > 1
    assert fitted["same"] == 0
    assert tables({"it": fitted}, "A comment.").startswith("# A comment.\n\n[it]\ngood = ")
