from __future__ import annotations

from petra.domain import Mention
from petra.linking.explain import ExplainedCandidate, Explanation


def explanation(moved_to: str | None) -> Explanation:
    candidate = ExplainedCandidate(person_id=1, name="Ada", probability=0.75, memory=1.0, features={})
    mention = Mention(5, 8, "She", "pronoun", 0.75)
    return Explanation(
        mention=mention, person_id=2, mention_probability=1.0, candidates=(candidate,), moved_to=moved_to
    )


def test_an_explanation_says_if_the_second_pass_moved_the_mention() -> None:
    first = "“She” at 5 is Ada, with a probability of 75%."
    assert explanation(None).in_words() == first
    moved = explanation("Eve")
    assert moved.in_words() == f"{first}\nThe second pass, which knows the whole text, took it for Eve."
    assert moved.to_dict()["moved_to"] == "Eve"
