"""The scene: who tells the story, and who speaks to whom in the quotation being read.

"I" outside of quotations is the narrator, one person throughout. Inside of one it is
whoever speaks; who that is the memory must say, but within one quotation it stays the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from petra.people.compatibility import Weights
from petra.people.cues import Cues


@dataclass(frozen=True, kw_only=True, slots=True)
class Scene:
    """What was read so far of who speaks."""

    narrator: int | None = None
    quotation: int | None = None  # the last one with a mention in it
    speaker: int | None = None  # its I
    addressee: int | None = None  # its you

    def after(self, cues: Cues, person: int) -> Scene:
        """The scene after a mention of a person."""
        scene = self
        if cues.quotation is None:
            return replace(scene, narrator=person) if cues.speech == "speaker" else scene
        if cues.quotation != scene.quotation:
            scene = replace(scene, quotation=cues.quotation, speaker=None, addressee=None)
        if cues.speech == "speaker":
            return replace(scene, speaker=person)
        return replace(scene, addressee=person) if cues.speech == "addressee" else scene

    def without(self, person: int) -> Scene:
        """The scene after a person was forgotten."""
        kept = {
            role: None if getattr(self, role) == person else getattr(self, role)
            for role in ("narrator", "speaker", "addressee")
        }
        return replace(self, **kept)

    def evidence(self, cues: Cues, person: int, weights: Weights) -> float:
        """What the scene says for a mention to be of a person, in units of the memory's score."""
        if cues.kind != "pronoun":
            return 0.0
        if cues.quotation is None:
            return weights.narrator if cues.speech == "speaker" and person == self.narrator else 0.0
        if cues.quotation != self.quotation:
            return 0.0
        if cues.speech == "speaker":
            return weights.same_speaker if person == self.speaker else 0.0
        if person == self.speaker:
            return weights.own_speech if cues.number != "many" else 0.0
        return weights.same_speaker if cues.speech == "addressee" and person == self.addressee else 0.0
