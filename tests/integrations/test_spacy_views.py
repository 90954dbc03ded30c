from __future__ import annotations

import gc
import json
import weakref

import pytest
import spacy
from found_people import person, tracking_of
from spacy import displacy
from spacy.tokens import Doc, DocBin, Span

from petra import ConfigError, DataError
from petra.integrations import spacy_views
from petra.integrations.spacy import displacy_options, register

TEXT = "Tom King's mother met Ada-Lou. She saw him."
TOM = person(TEXT, 1, "Tom King", ("Tom King", "name"), ("him", "pronoun"))
MOTHER = person(TEXT, 2, "Tom King's mother", ("Tom King's mother", "nominal"), ("She", "pronoun"))
ADA = person(TEXT, 3, "Ada", ("Ada", "name"))


@pytest.fixture(autouse=True)
def attributes() -> None:
    register()


@pytest.fixture
def doc() -> Doc:
    found = spacy.blank("en")(TEXT)
    found._.petra = tracking_of(TEXT, TOM, MOTHER, ADA)
    return found


def test_people_have_spans_for_mentions(doc: Doc) -> None:
    tom, mother, ada = doc._.people
    assert (tom.id, tom.name) == (1, "Tom King")
    assert [(span.text, span.label_) for span in tom.mentions] == [("Tom King", "Tom King"), ("him", "Tom King")]
    assert [span.text for span in mother.mentions] == ["Tom King's mother", "She"]
    assert mother.mentions[0].doc is doc
    assert [span._.mention.kind for span in mother.mentions] == ["nominal", "pronoun"]
    assert ada.mentions[0]._.mention.probability == 0.75


def test_a_mention_within_a_token_takes_the_whole_token_and_keeps_its_characters(doc: Doc) -> None:
    merged = spacy.blank("en").tokenizer(TEXT)
    with merged.retokenize() as retokenizer:
        retokenizer.merge(merged.char_span(22, 29))
    merged._.petra = doc._.petra
    (span,) = merged._.people[2].mentions
    assert span.text == "Ada-Lou"
    mention = span._.mention
    assert (mention.text, TEXT[mention.start : mention.end]) == ("Ada", "Ada")
    assert merged[span.start]._.person.name == "Ada"


def test_a_token_is_of_the_innermost_mention(doc: Doc) -> None:
    named = {token.text: token._.person.name if token._.person else None for token in doc}
    assert named["King"] == "Tom King"
    assert named["mother"] == "Tom King's mother"
    assert named["'s"] == "Tom King's mother"
    assert named["him"] == "Tom King"
    assert named["met"] is None


def test_any_span_over_the_tokens_of_a_mention_knows_its_person(doc: Doc) -> None:
    assert doc[0:2]._.person == doc._.people[0]
    assert doc[0:4]._.person == doc._.people[1]
    assert doc[0:1]._.person is None  # part of a mention is none
    assert doc[0:1]._.mention is None
    assert doc[2:2]._.person is None


def test_two_people_at_the_same_tokens_are_told_apart_by_the_label() -> None:
    text = "They slept."
    doc = spacy.blank("en")(text)
    doc._.petra = tracking_of(text, *(person(text, i, "They", ("They", "pronoun")) for i in (1, 2)))
    assert [span.label_ for span in spacy_views.spans(doc)] == ["They (1)", "They (2)"]
    assert [span._.person.id for span in spacy_views.spans(doc)] == [1, 2]
    assert doc[0:1]._.person.id == 1


def test_views_stay_right_when_tokens_are_merged(doc: Doc) -> None:
    assert doc._.people[0].mentions[1].start == 11
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[0:2])
    assert [span.text for span in doc._.people[0].mentions] == ["Tom King", "him"]
    assert doc._.people[0].mentions[1].start == 10
    assert doc[0]._.person.name == "Tom King"


def test_pronouns_are_replaced_by_names(doc: Doc) -> None:
    assert doc._.resolved == "Tom King's mother met Ada-Lou. She saw Tom King."  # the mother has no name


def test_tags_and_features_say_what_her_is() -> None:
    text = "Ada sang. He heard her sing."
    words, spaces = (
        ["Ada", "sang", ".", "He", "heard", "her", "sing", "."],
        [True, False, True, True, True, True, False, False],
    )
    tags = ["NNP", "VBD", ".", "PRP", "VBD", "PRP", "VB", "."]
    found = tracking_of(text, person(text, 1, "Ada", ("Ada", "name"), ("her", "pronoun")))
    vocab = spacy.blank("en").vocab
    untagged = Doc(vocab, words=words, spaces=spaces)
    tagged = Doc(vocab, words=words, spaces=spaces, tags=tags)
    analysed = Doc(vocab, words=words, spaces=spaces, morphs=["", "", "", "", "", "Case=Acc|Person=3", "", ""])
    for doc in (untagged, tagged, analysed):
        assert doc.text == text
        doc._.petra = found
    assert untagged._.resolved == "Ada sang. He heard Ada's sing."  # all that can be told from the words
    assert tagged._.resolved == analysed._.resolved == "Ada sang. He heard Ada sing."


def test_people_survive_bytes_and_docbin(doc: Doc) -> None:
    doc.spans["petra"] = spacy_views.spans(doc)
    through_bytes = Doc(doc.vocab).from_bytes(doc.to_bytes())
    (through_bin,) = DocBin(docs=[doc], store_user_data=True).get_docs(doc.vocab)
    for copy in (through_bytes, through_bin):
        assert json.dumps(copy._.petra) == json.dumps(doc._.petra)  # a DocBin makes tuples of lists
        assert [[span.text for span in found.mentions] for found in copy._.people] == [
            ["Tom King", "him"],
            ["Tom King's mother", "She"],
            ["Ada"],
        ]
        assert [span.label_ for span in copy.spans["petra"]] == [
            "Tom King's mother",
            "Tom King",
            "Ada",
            "Tom King's mother",
            "Tom King",
        ]


def test_a_part_of_a_doc_takes_no_people_of_other_characters_along(doc: Doc) -> None:
    assert doc[3:8].as_doc(copy_user_data=True)._.people == ()


def test_a_doc_that_was_not_read_has_no_people() -> None:
    doc = spacy.blank("en")(TEXT)
    assert doc._.people == ()
    assert doc[0]._.person is None
    assert doc._.resolved == TEXT


def test_people_of_another_text_are_refused(doc: Doc) -> None:
    other = spacy.blank("en")("Nobody is here to be seen by anybody at all.")
    other._.petra = doc._.petra
    with pytest.raises(DataError, match="another text"):
        _ = other._.people


def test_docs_are_not_kept_alive(doc: Doc) -> None:
    other = spacy.blank("en")(TEXT)
    other._.petra = doc._.petra
    assert len(other._.people) == 3
    gone = weakref.ref(other)
    del other
    gc.collect()
    assert gone() is None


def test_registering_again_does_no_harm(doc: Doc) -> None:
    register()
    assert len(doc._.people) == 3


def test_an_attribute_of_somebody_else_is_left_alone() -> None:
    ours = Doc.remove_extension("people")
    Doc.set_extension("people", getter=len)
    try:
        with pytest.raises(ConfigError, match=r"Doc\._\.people exists already and is not PeTra's"):
            register()
        assert Doc.get_extension("people")[2] is len
    finally:
        Doc.set_extension("people", getter=ours[2], force=True)


def test_quotations_have_spans_and_speakers() -> None:
    text = "“Come,” said Ada, “now.”"
    doc = spacy.blank("en")(text)
    assert doc._.quotations == ()
    quoted = {"start": 0, "end": 24, "parts": [[0, 7], [18, 24]], "speaker": 1, "addressee": None}
    found = tracking_of(text, person(text, 1, "Ada", ("Ada", "name")))
    doc._.petra = found | {"quotations": [quoted | {"found_by": "explicit", "probability": 0.9}]}
    (quotation,) = doc._.quotations
    assert [part.text for part in quotation.parts] == ["“Come,”", "“now.”"]
    assert (quotation.span.text, quotation.speaker.name, quotation.addressee) == (text, "Ada", None)
    assert (quotation.found_by, quotation.probability) == ("explicit", 0.9)


def test_labels_hold_no_markup() -> None:
    # displaCy writes labels into its page as they are.
    text = "<b> met <B>."
    doc = spacy.blank("en")(text)
    doc._.petra = tracking_of(text, *(person(text, i, name, (name, "name")) for i, name in ((1, "<b>"), (2, "<B>"))))
    assert [found.label for found in doc._.people] == ["b (1)", "B (2)"]


def test_names_of_people_become_entities_beside_others(doc: Doc) -> None:
    *_, dot = doc
    doc.ents = (Span(doc, 0, 1, label="ORG"), Span(doc, dot.i, dot.i + 1, label="DATE"))
    doc.ents = spacy_views.with_names(doc)
    assert [(entity.text, entity.label_, entity.id_) for entity in doc.ents] == [
        ("Tom King", "PERSON", "Tom King"),
        ("Ada", "PERSON", "Ada"),
        (".", "DATE", ""),
    ]
    assert [entity._.person.id for entity in doc.ents[:2]] == [1, 3]


def test_displacy_shows_each_person_in_a_colour_of_their_own(doc: Doc) -> None:
    doc.spans["petra"] = spacy_views.spans(doc)
    options = displacy_options(doc)
    assert list(options["colors"]) == ["Tom King", "Tom King's mother", "Ada"]
    assert len(set(options["colors"].values())) == 3
    page = displacy.render(doc, style="span", options=options, jupyter=False)
    assert all(colour in page for colour in options["colors"].values())
    assert page.count("mother") == 3  # two labels, and the word
