"""How often one sentence has names that stand near each other."""

from __future__ import annotations

from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.training.names_together import together_rates


def annotated(text: str, *names: tuple[str, str]) -> AnnotatedDocument:
    """A text whose names, in order, are of these entities."""
    mentions, place = [], 0
    for words, entity in names:
        place = text.index(words, place)
        mentions.append(GoldMention(start=place, end=place + len(words), kind="name", entity=entity, head=None))
        place += len(words)
    return AnnotatedDocument(id="vales", text=text, mentions=tuple(mentions))


def test_names_of_one_person_and_of_two_are_counted_apart() -> None:
    # Of Ada, "Ada" and "Miss Vale" stand near each other three times, never in one sentence. Ada and Tom: Ada, Tom, in
    # one sentence, Tom .. Miss Vale, Tom .. Ada, Ada .. Tom, in one, Tom .. Miss Vale: 2 of 5. Eve is named once.
    text = "Ada met Tom. Miss Vale sang. Ada saw Tom. Miss Vale left. Eve slept."
    names = [("Ada", "a"), ("Tom", "t"), ("Miss Vale", "a")] * 2 + [("Eve", "e")]
    rates = together_rates([annotated(text, *names)])
    assert rates.of_one == 0.0
    assert rates.of_two == 0.4


def test_a_person_named_twice_in_a_sentence_counts() -> None:
    # "Ada", "Ada Vale" in one sentence; "Ada Vale", "Ada" across; the pair again: 2 of 3.
    text = "Ada, who was Ada Vale, sang. Ada, who was Ada Vale, left."
    names = [("Ada", "a"), ("Ada Vale", "a")] * 2
    assert together_rates([annotated(text, *names)]).of_one == round(2 / 3, 3)
