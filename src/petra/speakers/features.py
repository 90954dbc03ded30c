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

_LATELY = 8  # quotations
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
    if name.startswith(("last_", "next_")) or name in ("same_side", "other_side", "called_before", "you_before")
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
    quoted = scene.quoted
    found = [mention.person for mention in _near(quoted)]
    found += [mention.person for mention in quoted.addressed]
    found += [*quoted.first, *quoted.second]
    found += [person for person in scene.spoken[-4:] if person is not None]
    found += [person for person in scene.attributed[scene.number + 1 : scene.number + 3] if person is not None]
    if scene.number:
        last = conversation.quotations[scene.number - 1]
        found += [mention.person for mention in (*last.addressed, *_near(last))] + [*last.second]
    people: list[int | None] = [*dict.fromkeys(found)]
    return [*people, None] if (quoted.is_attributed and quoted.named is None) or not people else people


def speaker_features(
    conversation: Conversation, scene: DialogueScene, people: Sequence[int | None]
) -> list[FeatureRow]:
    """The features of a quotation for each of the people, or for nobody."""
    rows: dict[int | None, FeatureRow] = {person: {} for person in people}

    def add(name: str, person: int | None, value: float = 1.0) -> None:
        if person in rows and person is not None:
            rows[person][name] = max(value, rows[person].get(name, 0.0))

    quoted = scene.quoted
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
    for name, someone in _turns(conversation, scene):
        add(name, someone)
    if scene.number and quoted.step in ("reply", "paragraph"):
        last = conversation.quotations[scene.number - 1]
        for mention in last.addressed:
            add("called_before", mention.person)
        for person, count in last.second.items():
            add("you_before", person, count / last.second.total())
    lately = scene.spoken[-_LATELY:]
    counts: dict[int, int] = {}
    for mention in _near(quoted):
        counts[mention.person] = counts.get(mention.person, 0) + 1
    if None in rows:
        rows[None] = {"nobody": 1.0}
    for person in filter(None, people):
        add("spoke_lately", person, lately.count(person) / _LATELY)
        add("near", person, math.log1p(counts.get(person, 0)) / _LOG_TEN)
        add("group", person, float(person in conversation.groups))
        add("narrator", person, float(person in conversation.narrators))
    return [{name: value for name, value in rows[person].items() if value} for person in people]


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


def _turns(conversation: Conversation, scene: DialogueScene) -> Iterator[tuple[str, int | None]]:
    """Who spoke before and is known to speak after."""
    quotations, number, spoken = conversation.quotations, scene.number, scene.spoken
    step = quotations[number].step
    if number and step != "far":
        yield f"last_{step}", spoken[-1]
        other = next((who for who in reversed(spoken[-5:]) if who not in (None, spoken[-1])), None)
        yield f"last_but_one_{step}", other
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
    stretches = (quoted.tail, quoted.lead, quoted.between, quoted.before, quoted.after, quoted.earlier)
    own = [mention for mention in (quoted.named, quoted.signed) if mention is not None]
    return [*own, *(mention for around in stretches for mention in around.all)]
