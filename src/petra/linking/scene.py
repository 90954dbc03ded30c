"""The scene: the narrator, and the speaker and addressee of the exchange being read.

"I" outside of quotations is the narrator, one person throughout. Inside of a quotation
it is the speaker. Where the text does not name the speaker the memory's score decides, but
the speaker stays the same on this side of the exchange, and "you" is the other side.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from petra.english.quotations import Turn
from petra.linking.cues import Cues


@dataclass(frozen=True, kw_only=True, slots=True)
class Scene:
    """The narrator, and who speaks on each side of the last exchange."""

    narrator: int | None = None
    greeted: int | None = None  # the last one who was greeted outside of quotations: "Dear Ms Eze,"
    exchange: int | None = None  # the last one with a known speaker
    speakers: tuple[int | None, ...] = (None, None)  # who speaks on each of its sides
    addressed: tuple[Turn, int] | None = None  # the last one who was called by name, and the turn in which they speak

    def after(self, cues: Cues, person: int, *, may_narrate: bool = True) -> Scene:
        """The scene after a mention of a person, who may or may not become the narrator."""
        scene = replace(self, narrator=person) if cues.is_narrator and may_narrate else self
        if cues.is_greeted:
            scene = replace(scene, greeted=person)
        turn = cues.speaking_turn
        if turn is None:
            return scene
        addressed = (turn, person) if cues.kind == "name" and cues.turn == turn.other else scene.addressed
        known = scene.speakers if turn.exchange == scene.exchange else (None, None)
        known += (None,) * (turn.side - len(known) + 1)
        speakers = (*known[: turn.side], person, *known[turn.side + 1 :])
        return replace(scene, exchange=turn.exchange, speakers=speakers, addressed=addressed)

    def without(self, person: int) -> Scene:
        """The scene after a person was forgotten."""
        speakers = tuple(None if speaker == person else speaker for speaker in self.speakers)
        addressed = None if self.addressed is not None and self.addressed[1] == person else self.addressed
        narrator = None if self.narrator == person else self.narrator
        greeted = None if self.greeted == person else self.greeted
        return replace(self, narrator=narrator, greeted=greeted, speakers=speakers, addressed=addressed)

    def speaker_of(self, turn: Turn) -> int | None:
        """The speaker of a turn, if known."""
        is_known = turn.exchange == self.exchange and turn.side < len(self.speakers)
        return self.speakers[turn.side] if is_known else None
