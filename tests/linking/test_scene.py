from __future__ import annotations

from petra.domain import Kind, Mention
from petra.english.names import parse_name
from petra.english.quotations import Turn, Utterance
from petra.linking.context import Context
from petra.linking.cues import Cues, read_cues
from petra.linking.features import Candidate, candidate_features
from petra.linking.profile import Profile
from petra.linking.scene import Scene
from petra.linking.scorer import complete, total

WEIGHTS = complete(
    {
        "narrator": 1,
        "same_speaker": 2,
        "other_speaker": -4,
        "speaker_in_third_person": -8,
        "addressed_speaker": -16,
    }
)
HERE = Turn(3, 0)


def cues_of(words: str, turn: Turn | None, kind: Kind = "pronoun") -> Cues:
    return read_cues(words, kind, None if turn is None else Utterance(turn))


def evidence(scene: Scene, cues: Cues, person: int) -> float:
    return total(candidate_features(cues, [Candidate(person, Profile(), None)], scene)[0], WEIGHTS)


def said(scene: Scene, words: str, turn: Turn | None, *people: int, kind: Kind = "pronoun") -> list[float]:
    return [evidence(scene, cues_of(words, turn, kind), person) for person in people]


def test_the_narrator_is_one_person() -> None:
    scene = Scene().after(cues_of("I", None), 7)
    assert said(scene, "my", None, 7, 8) == [1, 0]
    assert said(scene, "you", None, 7, 8) == [0, 0]
    assert said(scene, "my", HERE, 7, 8) == [0, 0]  # somebody else may be quoted
    assert said(Scene(), "my", None, 7) == [0]


def test_whoever_is_greeted_is_you_and_not_i() -> None:
    text = "Dear Ms Eze,\nI write to you."
    context = Context()
    context.feed(text)
    context.finish()

    def mention(words: str, kind: Kind) -> Mention:
        start = text.index(words)
        return Mention(start=start, end=start + len(words), text=words, kind=kind, probability=1.0)

    greeted = context.of(mention("Ms Eze", "name")).cues
    assert greeted.is_greeted
    scene = Scene().after(greeted, 7)
    scene = scene.after(context.of(mention("I", "pronoun")).cues, 8)
    assert (scene.greeted, scene.narrator) == (7, 8)
    rows = {
        (words, person): candidate_features(cues_of(words, None), [Candidate(person, Profile(), None)], scene)[0]
        for words in ("my", "you")
        for person in (7, 8)
    }
    assert rows["my", 7]["greeted_narrator"] == rows["you", 7]["greeted_addressee"] == 1
    assert rows["you", 8]["addressed_narrator"] == 1
    assert {"greeted_narrator", "greeted_addressee"}.isdisjoint(rows["my", 8].keys() | rows["you", 8].keys())
    assert scene.without(7).greeted is None


def test_whoever_is_told_of_is_not_made_the_narrator() -> None:
    assert Scene(narrator=7).after(cues_of("I", None), 8, may_narrate=False).narrator == 7


def test_the_narrator_speaks_too() -> None:
    scene = Scene(narrator=7)
    mine = read_cues("my", "pronoun", Utterance(HERE, "I"))  # goes with "I said"
    assert [evidence(scene, mine, person) for person in (7, 8)] == [1, 0]
    assert scene.after(mine, 7).speaker_of(HERE) == 7


def test_within_a_quotation_the_speaker_stays() -> None:
    scene = Scene().after(cues_of("I", HERE), 1).after(cues_of("you", HERE), 2)
    assert said(scene, "my", HERE, 1, 2, 5) == [2, -4, 0]
    assert said(scene, "your", HERE, 1, 2, 5) == [-4, 2, 0]
    assert said(scene, "she", HERE, 1, 2, 5) == [-8, 0, 0]
    assert said(scene, "Jane", HERE, 1, 2, 5, kind="name") == [-8, 0, 0]
    assert said(scene, "we", HERE, 1) == [0]
    assert scene.narrator is None


def test_in_the_reply_the_two_change_places() -> None:
    scene = Scene().after(cues_of("I", HERE), 1).after(cues_of("you", HERE), 2)
    assert said(scene, "my", HERE.other, 1, 2, 5) == [-4, 2, 0]
    assert said(scene, "you", HERE.other, 1, 2, 5) == [2, -4, 0]


def test_nobody_calls_himself() -> None:
    called = read_cues("Darcy", "name", Utterance(HERE), is_addressed=True)  # "Come, Darcy," said he
    scene = Scene().after(called, 4)
    caller = read_cues("he", "pronoun", attributed=HERE)
    assert [evidence(scene, caller, person) for person in (4, 5)] == [-16, 0]
    reply = read_cues("he", "pronoun", attributed=HERE.other)  # Darcy may be the one who answers
    assert evidence(scene, reply, 4) == 0
    assert scene.without(4).addressed is None


def test_another_exchange_has_its_own_speakers() -> None:
    scene = Scene().after(cues_of("I", HERE), 1)
    assert said(scene, "I", Turn(4, 0), 1, 2) == [0, 0]
    assert scene.after(cues_of("you", Turn(4, 0)), 2) == Scene(exchange=4, speakers=(None, 2))


def test_a_third_speaker_of_cue_lines_has_a_side_too() -> None:
    third = Turn(3, 2, addressee=1)
    scene = Scene().after(cues_of("I", HERE), 1).after(cues_of("you", HERE), 2)
    assert scene.speaker_of(third) is None
    scene = scene.after(cues_of("I", third), 5)
    assert scene.speakers == (1, 2, 5)
    assert said(scene, "my", third, 1, 2, 5) == [0, -4, 2]
    assert said(scene, "you", third, 1, 2, 5) == [0, 2, -4]
    assert said(scene, "you", Turn(3, 0, addressee=2), 1, 2, 5) == [-4, 0, 2]
    assert scene.without(5).speakers == (1, 2, None)


def test_a_cue_line_names_its_speaker_and_may_address_somebody() -> None:
    text = "Vera: Tom, are you in?\nTom: I am."
    context = Context()
    context.feed(text)
    context.finish()

    def cues_at(words: str, start: int, kind: Kind) -> Cues:
        mention = Mention(start=start, end=start + len(words), text=words, kind=kind, probability=1)
        return context.of(mention).cues

    assert cues_at("Vera", 0, "name").speaking_turn == Turn(1, 0)
    assert cues_at("Tom", 6, "name").speaking_turn == Turn(1, 1)
    mine = cues_at("I", text.index("I am"), "pronoun")
    assert (mine.name, mine.speaking_turn) == (parse_name("Tom"), Turn(1, 1))


def test_somebody_called_by_name_is_spoken_to() -> None:
    call = read_cues("Jane", "name", Utterance(HERE), is_addressed=True)
    scene = Scene().after(cues_of("you", HERE), 2)
    assert [evidence(scene, call, person) for person in (1, 2)] == [0, 2]
    assert Scene().after(call, 2).speakers == (None, 2)


def test_who_is_said_to_speak_corrects_what_was_thought() -> None:
    scene = Scene().after(cues_of("I", HERE), 1)
    she = read_cues("she", "pronoun", attributed=HERE)
    assert [evidence(scene, she, person) for person in (1, 2)] == [0, 0]
    assert scene.after(she, 2).speaker_of(HERE) == 2


def test_a_forgotten_person_leaves_the_scene() -> None:
    scene = Scene(narrator=1, exchange=3, speakers=(1, 2))
    assert scene.without(1) == Scene(exchange=3, speakers=(None, 2))
    assert scene.without(2) == Scene(narrator=1, exchange=3, speakers=(1, None))
