"""The scene: who tells the story, and who speaks to whom in the exchange being read.

"I" outside of quotations is the narrator, one person throughout. Inside of one it is
whoever speaks; where the text does not say who that is the memory must, but it stays the
same on this side of the exchange, and "you" is the other side.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from petra.english.quotations import Turn
from petra.linking.cues import Cues
from petra.linking.features import Weights


@dataclass(frozen=True, kw_only=True, slots=True)
class Scene:
    """What was read so far of who speaks."""

    narrator: int | None = None
    exchange: int | None = None  # the last one that somebody was told to take part in
    voices: tuple[int | None, int | None] = (None, None)  # who speaks on each of its sides
    called: tuple[Turn, int] | None = None  # the last one who was called by name, and whose turn that is

    def after(self, cues: Cues, person: int, *, may_tell: bool = True) -> Scene:
        """The scene after a mention of a person, who may or may not be the one to tell the story."""
        scene = replace(self, narrator=person) if cues.tells and may_tell else self
        if cues.voice is None:
            return scene
        exchange, side = cues.voice
        here, there = person, scene.voice_of(cues.voice.other)
        called = (cues.voice, person) if cues.kind == "name" and cues.turn == cues.voice.other else scene.called
        return replace(scene, exchange=exchange, voices=(there, here) if side else (here, there), called=called)

    def without(self, person: int) -> Scene:
        """The scene after a person was forgotten."""
        one, other = (None if voice == person else voice for voice in self.voices)
        called = None if self.called is not None and self.called[1] == person else self.called
        narrator = None if self.narrator == person else self.narrator
        return replace(self, narrator=narrator, voices=(one, other), called=called)

    def voice_of(self, turn: Turn) -> int | None:
        """Whoever speaks in a turn, if that is known."""
        return self.voices[turn.side] if turn.exchange == self.exchange else None

    def evidence(self, cues: Cues, person: int, weights: Weights) -> float:
        """What the scene says for a mention to be of a person, in units of the memory's score."""
        total = weights.narrator * (cues.tells and person == self.narrator)
        if cues.turn is None:
            # Who is said to speak corrects what was thought, not the other way round; but nobody calls himself.
            is_called = cues.voice is not None and self.called == (cues.voice.other, person)
            return total + weights.caller * is_called
        if cues.voice is not None:
            total += weights.same_speaker * (person == self.voice_of(cues.voice))
            total += weights.other_voice * (person == self.voice_of(cues.voice.other))
        elif cues.number != "many" and person == self.voice_of(cues.turn):
            total += weights.own_speech
        return total
