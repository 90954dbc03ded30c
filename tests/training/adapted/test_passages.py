"""Passages: mentions laid over tokens, compared with the persons before them, and documents cut into parts."""

from __future__ import annotations

from collections import Counter
from math import log
from pathlib import Path

import numpy as np
import pytest
from marked_texts import marked, words_of
from scripted_people import LABELS, ScriptedMemory

from petra.corpora.annotated import AnnotatedDocument
from petra.english.sentences import parse
from petra.linking.context import Context
from petra.linking.cues import read_cues
from petra.linking.features import FeatureRow
from petra.linking.linker import Linker
from petra.linking.scorer import initial_weights
from petra.text.document import Document
from petra.text.tokenize import Tokenizer
from petra.training.adapted.passages import (
    FEATURE_NAMES,
    AnnotatedPassage,
    SparseFeatures,
    annotated_passage,
    distant_passage,
    long_parts,
    person_genders,
    previous,
    short_parts,
)

SISTER = marked(
    "Lena's sister met Paul. She told him.",
    ("Lena's sister", "nominal", "sister"),
    (">Lena", "name", "lena"),
    ("Paul", "name", "paul"),
    ("She", "pronoun", "sister"),
    ("him", "pronoun", "paul"),
)
LATE = marked(
    "Mary told John that he was late.", ("Mary", "name", "mary"), ("John", "name", "john"), ("he", "pronoun", "john")
)
TALK = marked(
    'The judge, Peter Lowe, met his mother and Ann Lowe. "Come, Ann," said he, "I am late." She and Mrs. Lowe left. '
    "Later Lowe, better known as Mark Owl, was a king, and they called him Pete. I saw the judge.",
    ("The judge", "nominal", "lowe"),
    ("Peter Lowe", "name", "lowe"),
    ("his mother", "nominal", "mother"),
    (">his", "pronoun", "lowe"),
    ("Ann Lowe", "name", "ann"),
    ("Ann", "name", "ann"),
    ("he", "pronoun", "lowe"),
    ("I", "pronoun", "lowe"),
    ("She", "pronoun", "ann"),
    ("Mrs. Lowe", "name", "mother"),
    ("Lowe", "name", "lowe"),
    ("Mark Owl", "name", "lowe"),
    ("a king", "nominal", "lowe"),
    ("they", "pronoun", "women"),
    ("him", "pronoun", "lowe"),
    ("Pete", "name", "lowe"),
    ("I", "pronoun", "narrator"),
    ("the judge", "nominal", "lowe"),
)


@pytest.fixture(scope="module")
def tokenizer(tiny_encoder: Path) -> Tokenizer:
    return Tokenizer.from_folder(tiny_encoder)


def passage_of(tokenizer: Tokenizer, annotated: AnnotatedDocument) -> AnnotatedPassage:
    return annotated_passage(tokenizer.tokenize(annotated.text), annotated)


def named(features: SparseFeatures, row: int) -> FeatureRow:
    """The features of a row by name."""
    of_row = zip(features.row.tolist(), features.feature.tolist(), features.value.tolist(), strict=True)
    return {FEATURE_NAMES[feature]: value for other, feature, value in of_row if other == row}


def test_a_mention_is_read_at_the_last_piece_of_its_head(tokenizer: Tokenizer) -> None:
    document = tokenizer.tokenize(SISTER.text)
    found = annotated_passage(document, SISTER)
    words = [SISTER.text[start:end] for start, end in zip(document.starts, document.ends, strict=True)]
    # lena ' s sister met paul . she told him .
    assert [words[token] for token in found.head] == ["Lena", "sister", "Paul", "She", "him"]
    assert [words[token] for token in found.first] == ["Lena", "Lena", "Paul", "She", "him"]
    assert found.kind.tolist() == [0, 1, 0, 2, 2]
    assert found.person.tolist() == [0, 1, 2, 1, 2]
    assert (len(found), found.token_ids.tolist()) == (11, document.token_ids.tolist())


def test_of_two_mentions_with_one_head_the_shorter_stays(tokenizer: Tokenizer) -> None:
    double = marked(
        "Lena met Paul.", ("Lena", "name", "lena"), ("met Paul", "nominal", "it"), (">Paul", "name", "paul")
    )
    found = passage_of(tokenizer, double)
    assert (found.first.tolist(), found.person.tolist()) == ([0, 2], [0, 1])


def test_each_mention_is_compared_with_the_persons_before_it(tokenizer: Tokenizer) -> None:
    found = passage_of(tokenizer, SISTER)
    rows = found.comparisons
    # The sister is not Lena, whose mention is a part of hers. Paul: Lena, sister; she: Lena, sister, Paul;
    # him: Lena, she (the sister), Paul.
    assert rows.mention.tolist() == [2, 2, 3, 3, 3, 4, 4, 4]
    assert rows.latest.tolist() == [0, 1, 0, 1, 2, 0, 3, 2]
    assert rows.is_same.tolist() == [False, False, False, True, False, False, False, True]
    assert rows.distance.tolist() == [5, 2, 7, 4, 2, 9, 2, 4]  # heads at 0, 3, 5, 7, 9
    assert previous(found).tolist() == [-1, -1, -1, 1, 2]


def test_the_features_of_comparisons_by_hand(tokenizer: Tokenizer) -> None:
    rows = passage_of(tokenizer, LATE).comparisons
    assert rows.mention.tolist() == [1, 2, 2]  # John and Mary, he and Mary, he and John
    # Names tell a gender by degrees, out of 6. Mentioned once: ln 2 / ln 101.
    mary, john = (abs(read_cues(name, "name").name_gender) / 6 for name in ("Mary", "John"))
    once = {"number_agreement": 0.5, "often_mentioned": pytest.approx(log(2) / log(101))}
    assert named(rows.features, 0) == {"unrelated_name": 1, "last_mentioned": 1, **once}  # names decide between names
    assert named(rows.features, 1) == {"gender_conflict": pytest.approx(mary), "mentioned_before_last": 1, **once}
    assert named(rows.features, 2) == {"gender_agreement": pytest.approx(john), "last_mentioned": 1, **once}
    assert [named(rows.new_person, mention) for mention in range(3)] == [
        {"new_name": 1},
        {"new_name": 1},
        {"new_pronoun": 1},
    ]


def test_two_pronouns_make_a_gender_surer(tokenizer: Tokenizer) -> None:
    rows = passage_of(tokenizer, SISTER).comparisons
    him_and_sister = named(rows.features, 6)
    assert him_and_sister["gender_conflict"] == 1  # a noun and a pronoun, (6 + 3) / 6 at most 1
    assert him_and_sister["other_pronouns"] == 0.5  # one of them a pronoun


def read(document: Document, annotated: AnnotatedDocument, passage: AnnotatedPassage) -> list[dict[int, FeatureRow]]:
    """What linking computes in reading for each mention, by person, -1 for a new one; all its decisions are right."""
    by_place = {(mention.start, mention.end): mention for mention in annotated.mentions}
    linker = Linker(ScriptedMemory(num_cells=LABELS, strength=1000.0), initial_weights())
    context = Context()
    context.feed(annotated.text)
    context.finish()
    found = []
    for first, last, head, person in zip(passage.first, passage.last, passage.head, passage.person, strict=True):
        mention = by_place[int(document.starts[first]), int(document.ends[last])]
        link = linker.link(context.of(mention), np.eye(LABELS, dtype=np.float32)[person], int(head))
        assert link.person == person + 1
        context.commit(mention, link.person)
        people = [candidate - 1 for candidate in link.candidates]
        found.append(dict(zip([*people, -1], link.features, strict=True)))
    return found


@pytest.mark.parametrize("annotated", [SISTER, LATE, TALK], ids=["sister", "late", "talk"])
def test_the_features_are_those_of_reading(tokenizer: Tokenizer, annotated: AnnotatedDocument) -> None:
    document = tokenizer.tokenize(annotated.text)
    passage = annotated_passage(document, annotated)
    rows = passage.comparisons
    found: list[dict[int, FeatureRow]] = [{} for _ in passage.head]
    for row, (mention, latest) in enumerate(zip(rows.mention.tolist(), rows.latest.tolist(), strict=True)):
        found[mention][int(passage.person[latest])] = named(rows.features, row)
    for mention, by_person in enumerate(found):
        by_person[-1] = named(rows.new_person, mention)
    expected = read(document, annotated, passage)
    assert [each.keys() for each in found] == [each.keys() for each in expected]
    for ours, theirs in zip(found, expected, strict=True):
        for person, features in ours.items():
            assert features == pytest.approx(theirs[person])


def test_the_talk_has_features_of_many_kinds(tokenizer: Tokenizer) -> None:
    used = {FEATURE_NAMES[feature] for feature in passage_of(tokenizer, TALK).comparisons.features.feature.tolist()}
    assert used >= {"apposition", "shorter_name", "family_name", "same_phrase", "alias", "same_speaker"}


def test_of_a_distant_passage_the_links_of_pronouns_are_learned_without_features(tokenizer: Tokenizer) -> None:
    # Lena met Paul. She told him. Paul: the names are known, and compared with nobody.
    annotated = marked(
        "Lena met Paul. She told him. Paul.",
        ("Lena", "name", "lena"),
        ("Paul", "name", "paul"),
        ("She", "pronoun", "lena"),
        ("him", "pronoun", "paul"),
        ("Paul", "name", "paul"),
    )
    found = distant_passage(tokenizer.tokenize(annotated.text), annotated)
    assert found.person.tolist() == [0, 1, 0, 1, 1]
    assert found.is_learned.tolist() == [False, False, True, True, False]
    assert found.feminine.tolist() == [-1] * 5
    rows = found.comparisons
    assert rows.mention.tolist() == [2, 2, 3, 3]
    assert rows.latest.tolist() == [0, 1, 2, 1]  # Lena by her latest mention, which is she
    assert rows.is_same.tolist() == [True, False, False, True]
    assert rows.distance.tolist() == [4, 2, 2, 4]  # lena met paul . she told him . paul .
    assert len(rows.features.row) == len(rows.new_person.row) == 0


def test_of_other_passages_every_link_is_learned(tokenizer: Tokenizer) -> None:
    assert passage_of(tokenizer, TALK).is_learned.all()


GENDERS = marked(
    "Mrs. Lowe met Mr. Pym. She told him that her sister saw Paul. Lena met them.",
    ("Mrs. Lowe", "name", "lowe"),
    ("Mr. Pym", "name", "pym"),
    ("She", "pronoun", "lowe"),
    ("him", "pronoun", "pym"),
    ("her sister", "nominal", "sister"),
    (">her", "pronoun", "lowe"),
    ("Paul", "name", "paul"),
    ("Lena", "name", "lena"),
    ("them", "pronoun", "both"),
)


@pytest.mark.parametrize("annotated", [GENDERS, SISTER, LATE, TALK], ids=["genders", "sister", "late", "talk"])
def test_of_one_gender_nobody_has_a_conflict_of_gender(tokenizer: Tokenizer, annotated: AnnotatedDocument) -> None:
    document = tokenizer.tokenize(annotated.text)
    plain = annotated_passage(document, annotated, name_gender=True)
    twin = annotated_passage(document, annotated, name_gender=True, one_gender=True)

    def used(passage: AnnotatedPassage) -> set[str]:
        return {FEATURE_NAMES[feature] for feature in passage.comparisons.features.feature.tolist()}

    assert "gender_conflict" in used(plain)
    assert "gender_conflict" not in used(twin)
    # All else is the same: the mentions, and whom each is compared with.
    for name in ("token_ids", "head", "kind", "person", "feminine", "is_learned"):
        assert getattr(twin, name).tolist() == getattr(plain, name).tolist()
    for name in ("mention", "latest", "distance", "is_same"):
        assert getattr(twin.comparisons, name).tolist() == getattr(plain.comparisons, name).tolist()


def test_the_features_of_one_gender_by_hand(tokenizer: Tokenizer) -> None:
    # Rows: Mr. Pym and Mrs. Lowe, she and Mrs. Lowe, she and Mr. Pym, him and both. Titles tell a gender surely.
    document = tokenizer.tokenize(GENDERS.text)
    plain, twin = (annotated_passage(document, GENDERS, one_gender=it).comparisons for it in (False, True))
    assert plain.mention.tolist()[:5] == [1, 2, 2, 3, 3]
    assert plain.is_same.tolist()[:5] == [False, True, False, False, True]
    she_and_lowe, she_and_pym, him_and_lowe = (named(plain.features, row) for row in (1, 2, 3))
    assert (she_and_lowe["gender_agreement"], she_and_pym["gender_conflict"]) == (1, 1)
    assert him_and_lowe["other_pronouns"] == 0.5
    # Everybody is a man, and "She" a "he": only the order tells Mrs. Lowe from Mr. Pym.
    she_and_lowe, she_and_pym, him_and_lowe = (named(twin.features, row) for row in (1, 2, 3))
    assert (she_and_lowe.pop("mentioned_before_last"), she_and_pym.pop("last_mentioned")) == (1, 1)
    assert she_and_lowe == she_and_pym
    assert him_and_lowe["same_pronouns"] == 0.5


# Six sentences of four tokens each.
SHORT = marked(
    "Lena met Paul. She saw him. The doctor said. Who saw her? He told it. They met her.",
    ("Lena", "name", "lena"),
    ("Paul", "name", "paul"),
    ("She", "pronoun", "lena"),
    ("him", "pronoun", "paul"),
    ("The doctor", "nominal", "doctor"),
    ("her", "pronoun", "lena"),
    ("He", "pronoun", "paul"),
    ("They", "pronoun", "they"),
    ("her", "pronoun", "lena"),
)


def long_texts(tokenizer: Tokenizer, annotated: AnnotatedDocument, most_tokens: int, seed: int = 0) -> list[str]:
    """The texts of the long parts, which together are the text, with every mention."""
    parts = list(long_parts(annotated, most_tokens, tokenizer.tokenize, np.random.default_rng(seed)))
    assert "".join(part.text for part in parts) == annotated.text
    assert [words for part in parts for words in words_of(part)] == words_of(annotated)
    assert [it.entity for part in parts for it in part.mentions] == [it.entity for it in annotated.mentions]
    return [part.text.strip() for part in parts]


def test_a_document_that_fits_is_one_long_part(tokenizer: Tokenizer) -> None:
    assert long_texts(tokenizer, SHORT, 24) == [SHORT.text]


def test_long_parts_are_whole_sentences(tokenizer: Tokenizer) -> None:
    assert long_texts(tokenizer, SHORT, 7) == [
        "Lena met Paul.",
        "She saw him.",
        "The doctor said.",
        "Who saw her?",
        "He told it.",
        "They met her.",
    ]
    assert len(long_texts(tokenizer, SHORT, 1)) == 6  # a sentence is never cut, even if it is too long


def test_long_parts_begin_at_another_sentence_each_time(tokenizer: Tokenizer) -> None:
    # Of at most 12 tokens, three sentences; the first part has no sentence or one, half of that.
    found = {len(long_texts(tokenizer, SHORT, 12, seed)): long_texts(tokenizer, SHORT, 12, seed) for seed in range(9)}
    assert found == {
        2: ["Lena met Paul. She saw him. The doctor said.", "Who saw her? He told it. They met her."],
        3: ["Lena met Paul.", "She saw him. The doctor said. Who saw her?", "He told it. They met her."],
    }


def test_a_text_without_words_has_no_parts(tokenizer: Tokenizer) -> None:
    empty, random = marked(" "), np.random.default_rng(0)
    assert [*long_parts(empty, 8, tokenizer.tokenize, random), *short_parts(empty, random)] == []


def test_short_parts_are_one_to_four_sentences_and_cover_the_text() -> None:
    counts = Counter[int]()
    for seed in range(30):
        parts = list(short_parts(SHORT, np.random.default_rng(seed)))
        assert " ".join(part.text for part in parts) == SHORT.text
        assert [words for part in parts for words in words_of(part)] == words_of(SHORT)
        counts.update(len(parse(part.text).sentences) for part in parts)
    assert set(counts) == {1, 2, 3, 4}


def test_a_short_part_never_cuts_a_mention() -> None:
    text = 'Ada Vale wept. "Is Paul here?" Tom asked her. The man. Who lied. The boys left.'
    annotated = marked(text, ("Ada Vale", "name", "ada"), ("Paul", "name", "paul"), ("The man. Who", "nominal", "man"))
    found = [part for seed in range(50) for part in short_parts(annotated, np.random.default_rng(seed))]
    assert {part.text for part in found} >= {"Ada Vale wept.", '"Is Paul here?" Tom asked her.', "The boys left."}
    for part in found:
        assert words_of(part) == [words for words in words_of(annotated) if words in part.text]
        assert ("The man." in part.text) == ("Who lied." in part.text)


def test_a_part_moves_mentions_and_their_heads() -> None:
    (mention,) = marked("Ada wept. Then her brother left.", ("her brother", "nominal", "brother")).mentions
    whole = AnnotatedDocument(
        id="kew", text="Ada wept. Then her brother left.", mentions=(mention._replace(head=(19, 26)),)
    )
    parts = [part for seed in range(50) for part in short_parts(whole, np.random.default_rng(seed))]
    part = next(part for part in parts if part.text == "Then her brother left.")
    assert part.id == "kew-10"
    (moved,) = part.mentions
    assert (part.text[moved.start : moved.end], moved.head) == ("her brother", (9, 16))


def test_names_tell_the_gender_of_their_person(tiny_encoder: Path) -> None:
    text = "Paul met Tunde Bello and her sister, Ife. They left."
    annotated = marked(
        text,
        ("Paul", "name", "paul"),
        ("Tunde Bello", "name", "tunde"),
        ("her sister", "nominal", "ife"),
        (">her", "pronoun", "tunde"),
        ("Ife", "name", "ife"),
        ("They", "pronoun", "all"),
    )
    assert person_genders(annotated) == {"tunde": "feminine", "ife": "feminine"}
    document = Tokenizer.from_folder(tiny_encoder).tokenize(text)
    passage = annotated_passage(document, annotated, name_gender=True)
    assert dict(zip(passage.person.tolist(), passage.feminine.tolist(), strict=True))[0] == -1
    assert sorted(passage.feminine.tolist()) == [-1, -1, -1, -1, 1, 1]
