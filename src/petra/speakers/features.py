"""Features of speakers: named numbers that compare a quotation with somebody who may have said it.

``SPEAKER_FEATURES`` says what each means. A weight belongs to each (``weights.toml``), learned
from annotated quotations (``petra.training.speakers``): a feature of value v adds weight * v to
the candidate's score. Features are 0 or 1, or between the two where they measure a share.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from petra.linking.features import FeatureRow
from petra.speakers.conversation import Around, Conversation, Heard, Quoted

LATELY = 8  # quotations
RECENT = 4  # quotations before one, of which speakers are candidates
_LOG_TEN = math.log1p(10)

_STRETCHES = {
    "tail": "the sentence that goes on after the quotation",
    "lead": "the sentence that the quotation completes",
    "between": "what stands between the parts of the quotation",
    "before": "the paragraph, before the quotation",
    "after": "the paragraph, after the quotation",
    "running_before": "what stands before the quotation, in a text without paragraphs",
    "running_after": "what stands after the quotation, in a text without paragraphs",
    "earlier": "the paragraphs since the quotation before",
}
_STEPS = {
    "reply": "that this one replies to",
    "rest": "in the same paragraph",
    "narration": "some sentences before",
    "paragraph": "some paragraphs before",
}

SPEAKER_FEATURES: Mapping[str, str] = {
    "named": "*“..,” said Jane*: the attribution names the person.",
    "called": "*“..,” said the old man*: the attribution is a nominal of the person.",
    "he_said": "*“..,” said she*: the attribution is a pronoun of the person.",
    "i_said": "*“..,” I said*: the attribution is the narrator's.",
    "verb": "*Jane, who had risen, cried aloud: “..”*: the person acts nearest before the verb of saying.",
    "cued": "*JANE. ..*: the cue of the line names the person.",
    "signed": "*“.. / Yours, / Jane”*: the person's name stands alone at the end.",
    "says_i": "*“I ..”*: the share of I, me and my in the quotation that is the person.",
    "is_you": "*“You ..”*: the share of you and your in the quotation that is the person.",
    "addressed": "*“Come, Jane, ..”*: the person is called by name in the quotation.",
    "third_person": "*“Jane is ..”*: the person is spoken of in the quotation.",
    **{
        f"{which}_{stretch}": f"The person {does} in {where}."
        for stretch, where in _STRETCHES.items()
        for which, does in (
            ("subject", "acts last or next"),
            ("further_subject", "acts, but not nearest,"),
            ("mentioned", "is mentioned otherwise"),
        )
    },
    **{f"last_{step}": f"The person spoke the quotation {which}." for step, which in _STEPS.items()},
    **{
        f"last_but_one_{step}": f"The person spoke before the quotation {which}, as one of two."
        for step, which in _STEPS.items()
    },
    "same_side": "The attributed quotation nearest on this side of the exchange is the person's.",
    "other_side": "The attributed quotation nearest on the other side of the exchange is the person's.",
    "next_reply": "The reply to this quotation is attributed to the person.",
    "next_rest": "The next quotation of the paragraph is attributed to the person.",
    "next_narration": "The next quotation, some sentences later, is attributed to the person.",
    "next_paragraph": "The next quotation, some paragraphs later, is attributed to the person.",
    "called_before": "*“Come, Jane.” “..”*: the quotation that this one replies to calls the person by name.",
    "you_before": "*“Will you come?” “..”*: the share of you in the quotation that this one replies to.",
    "called_after": "*“..” “Yes, Jane.”*: the reply to this quotation calls the person by name.",
    "spoke_lately": "The person's share of the last eight quotations.",
    "near": "How often the person is mentioned around the quotation: a logarithm, 1 for ten times.",
    "nobody": "*“..,” said a voice*: the attribution names nobody that is a person of the text.",
    "group": "The person is several: *they*, *the sisters*.",
    "narrator": "The person is the narrator, *I* outside of quotations.",
}

# What tells the speaker by the order of the exchange.
TURN_FEATURES = frozenset(
    name
    for name in SPEAKER_FEATURES
    if name.startswith(("last_", "next_"))
    or name in ("same_side", "other_side", "called_before", "you_before", "called_after")
)

SPEECH_FEATURES: Mapping[str, str] = {
    "always": "Any text in quotation marks.",
    "capital": "It begins with a capital letter.",
    "ends": "A mark of punctuation stands before the closing mark.",
    "attributed": "An attribution beside it names a speaker.",
    "introduced": "A comma, a colon or a dash stands before it.",
    "alone": "It is a whole paragraph, or stands beside other quotations.",
    "length": "The logarithm of the number of its words, 1 for ten words.",
    "i_or_you": "I or you are mentioned in it.",
    "unended": "It has no closing mark.",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class DialogueScene:
    """What is known of the quotations around one: who spoke before, and whom attributions name."""

    spoken: Sequence[int | None]  # speakers of the quotations so far
    attributed: Sequence[int | None]  # of all quotations, whom their attribution names
    number: int  # of this quotation
    quoted: Quoted


def attributed_people(conversation: Conversation) -> list[int | None]:
    """Whom the attribution of each quotation names."""
    return [None if quoted.named is None else quoted.named.person for quoted in conversation.quotations]


def candidates(conversation: Conversation, scene: DialogueScene) -> list[int | None]:
    """The people who may have said a quotation, in the order that they are found in.

    The last is None, nobody of the text, where an attribution names no mention, or nobody is around.
    """
    return with_nobody(scene.quoted, [*people_around(conversation, scene), *recent_speakers(scene.spoken)])


def people_around(conversation: Conversation, scene: DialogueScene) -> list[int]:
    """The people who may have said a quotation, whoever spoke before."""
    quoted, number = scene.quoted, scene.number
    found = [mention.person for mention in _near(quoted)]
    found += [mention.person for mention in quoted.addressed]
    found += [*quoted.first, *quoted.second]
    found += [person for person in scene.attributed[number + 1 : number + 3] if person is not None]
    if number:
        last = conversation.quotations[number - 1]
        found += [mention.person for mention in (*last.addressed, *_near(last))] + [*last.second]
    if number + 1 < len(conversation.quotations):
        following = conversation.quotations[number + 1]
        found += [mention.person for mention in following.addressed if following.step == "reply"]
    return list(dict.fromkeys(found))


def recent_speakers(spoken: Sequence[int | None]) -> list[int]:
    """Who spoke the quotations before."""
    return [person for person in spoken[-RECENT:] if person is not None]


def with_nobody(quoted: Quoted, found: Iterable[int]) -> list[int | None]:
    people: list[int | None] = [*dict.fromkeys(found)]
    return [*people, None] if (quoted.is_attributed and quoted.named is None) or not people else people


def speaker_features(
    conversation: Conversation, scene: DialogueScene, people: Sequence[int | None]
) -> list[FeatureRow]:
    """The features of a quotation for each of the people, or for nobody."""
    rows = features_around(conversation, scene, people)
    for name, person, value in turn_features(scene):
        if person in rows:
            rows[person][name] = value
    return [rows[person] for person in people]


def features_around(
    conversation: Conversation, scene: DialogueScene, people: Iterable[int | None]
) -> dict[int | None, FeatureRow]:
    """The features of a quotation for each of the people, whoever spoke before."""
    rows: dict[int | None, FeatureRow] = {person: {} for person in people}

    def add(name: str, person: int | None, value: float = 1.0) -> None:
        if person in rows and person is not None and value:
            rows[person][name] = max(value, rows[person].get(name, 0.0))

    quoted, number, quotations = scene.quoted, scene.number, conversation.quotations
    for name, mention in _attributions(quoted):
        add(name, mention.person)
    for name, shares in (("says_i", quoted.first), ("is_you", quoted.second)):
        for person, count in shares.items():
            add(name, person, count / shares.total())
    for mention in quoted.addressed:
        add("addressed", mention.person)
    for person in quoted.third:
        add("third_person", person)
    for stretch, around in _stretches(conversation, quoted):
        for rank, mention in enumerate(around.subjects):
            add(f"{'further_' if rank else ''}subject_{stretch}", mention.person)
        for mention in around.others:
            add(f"mentioned_{stretch}", mention.person)
    for name, someone in _sides(conversation, scene):
        add(name, someone)
    if number and quoted.step in ("reply", "paragraph"):
        last = quotations[number - 1]
        for mention in last.addressed:
            add("called_before", mention.person)
        for person, count in last.second.items():
            add("you_before", person, count / last.second.total())
    if number + 1 < len(quotations) and quotations[number + 1].step == "reply":
        for mention in quotations[number + 1].addressed:
            add("called_after", mention.person)
    counts: dict[int, int] = {}
    for mention in _near(quoted):
        counts[mention.person] = counts.get(mention.person, 0) + 1
    for each in rows:
        if each is None:
            rows[each] = {"nobody": 1.0}
            continue
        add("near", each, math.log1p(counts.get(each, 0)) / _LOG_TEN)
        add("group", each, float(each in conversation.groups))
        add("narrator", each, float(each in conversation.narrators))
    return rows


def turn_features(scene: DialogueScene) -> Iterator[tuple[str, int, float]]:
    """The features that hang on who spoke before, each with the person and the value."""
    quoted, spoken = scene.quoted, scene.spoken
    if scene.number and spoken and quoted.step != "far":
        last = spoken[-1]
        other = next((who for who in reversed(spoken[-5:]) if who not in (None, last)), None)
        for who, name in ((last, "last"), (other, "last_but_one")):
            if who is not None:
                yield f"{name}_{quoted.step}", who, 1.0
    lately = spoken[-LATELY:]
    for who in {who for who in lately if who is not None}:
        yield "spoke_lately", who, lately.count(who) / LATELY


def speech_features(conversation: Conversation, number: int) -> FeatureRow:
    """The features that tell whether somebody says what stands in quotation marks, or it is a title or a term."""
    quoted = conversation.quotations[number]
    text = conversation.text[quoted.start : quoted.end]
    bare = text.strip("“”\"„«»‘’'`—– ")
    before = conversation.text[max(0, quoted.start - 3) : quoted.start].rstrip()
    is_ended = not text[-1:].isalnum() and text[-1:] not in ".,;:!?…-–—"
    row = {
        "always": 1.0,
        "capital": float(bare[:1].isupper()),
        "ends": float(text.rstrip("”\"»’'")[-1:] in ".,;:!?…-–—"),
        "attributed": float(any(part.attribution is not None for part in quoted.parts)),
        "introduced": float(before[-1:] in ",:–—-" and before != ""),
        "alone": float(quoted.step == "reply" or before == "" or before[-1:] in "”\"»’'"),
        "length": math.log1p(len(bare.split())) / _LOG_TEN,
        "i_or_you": float(bool(quoted.first or quoted.second)),
        "unended": float(not is_ended and not quoted.is_cued),
    }
    return {name: value for name, value in row.items() if value}


def _attributions(quoted: Quoted) -> Iterator[tuple[str, Heard]]:
    named = quoted.named
    if named is not None:
        by_kind = {"name": "named", "nominal": "called", "pronoun": "i_said" if named.word == "i" else "he_said"}
        yield "cued" if quoted.is_cued else by_kind[named.kind], named
    elif quoted.verb is not None:
        yield "verb", quoted.verb
    if quoted.signed is not None:
        yield "signed", quoted.signed


def _stretches(conversation: Conversation, quoted: Quoted) -> Iterator[tuple[str, Around]]:
    is_running = not conversation.has_paragraphs
    yield "tail", quoted.tail
    yield "lead", quoted.lead
    yield "between", quoted.between
    yield "running_before" if is_running else "before", quoted.before
    yield "running_after" if is_running else "after", quoted.after
    yield "earlier", quoted.earlier


def _sides(conversation: Conversation, scene: DialogueScene) -> Iterator[tuple[str, int | None]]:
    """Who is known to speak on each side of the exchange, and next."""
    quotations, number = conversation.quotations, scene.number
    turn = quotations[number].parts[0].turn
    sides: dict[str, int] = {}
    for distance in range(1, 7):
        for place in (number - distance, number + distance):
            if not 0 <= place < len(quotations):
                continue
            its, who = quotations[place].parts[0].turn, scene.attributed[place]
            if who is not None and its.exchange == turn.exchange:
                sides.setdefault("same_side" if its.side == turn.side else "other_side", who)
    yield from sides.items()
    if number + 1 < len(quotations) and quotations[number + 1].step != "far":
        yield f"next_{quotations[number + 1].step}", scene.attributed[number + 1]


def _near(quoted: Quoted) -> Iterable[Heard]:
    places = (quoted.tail, quoted.lead, quoted.between, quoted.before, quoted.after, quoted.earlier)
    own = [mention for mention in (quoted.named, quoted.signed, quoted.verb) if mention is not None]
    return [*own, *(mention for around in places for mention in around.all)]
