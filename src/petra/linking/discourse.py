"""The discourse: a profile of everybody mentioned so far, and the features of a new mention against them.

It needs no memory. Reading adds the memory's score to the features; training fits the
weights of the features on texts in which every person is annotated.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from petra.english.names import Name, Relation
from petra.english.nicknames import related
from petra.linking.context import MentionContext
from petra.linking.cues import Cues
from petra.linking.features import (
    Candidate,
    FeatureRow,
    KnownRows,
    candidate_features,
    name_relations,
    new_person_features,
)
from petra.linking.profile import Profile
from petra.linking.scene import Scene

_NARRATION_MARGIN = 4  # mentions of narration in one grammatical person more than in the other; chosen by hand


class Discourse:
    """A profile of everybody known, the scene, and an index of those who can be called back by their words."""

    def __init__(self) -> None:
        self._profiles: dict[int, Profile] = {}
        self._by_word: defaultdict[str, set[int]] = defaultdict(set)  # word of a name, or a whole phrase -> people
        self._scene = Scene()
        self._known_rows = KnownRows()
        self._last: dict[int, int] = {}  # person -> number of the last mention
        self._paragraph: dict[int, int] = {}  # person -> that of the last mention
        self._mentions = 0

    def __len__(self) -> int:
        """How many people were mentioned and not forgotten since."""
        return len(self._profiles)

    def knows(self, person: int) -> bool:
        """Whether a person was mentioned and not forgotten since."""
        return person in self._profiles

    def features(self, mention: MentionContext, people: Sequence[int]) -> list[FeatureRow]:
        """The features of a mention for each of the people and, last, for a new person."""
        cues = mention.cues
        profiles = [self._profiles[person] for person in people]
        relations = name_relations(cues.name, profiles) if cues.name else [None] * len(profiles)
        recency = {person: rank for rank, person in enumerate(sorted(people, key=self._last.__getitem__, reverse=True))}
        paragraphs = {person: mention.paragraph - self._paragraph[person] for person in people}
        nearest = min(paragraphs.values(), default=0)
        candidates = [
            Candidate(
                person,
                profile,
                relation,
                is_described=person in mention.describes,
                is_renamed=person in mention.renames,
                recency=recency[person],
                paragraphs=paragraphs[person],
                is_nearest=paragraphs[person] == nearest,
            )
            for person, profile, relation in zip(people, profiles, relations, strict=True)
        ]
        return [*candidate_features(cues, candidates, self._scene, self._known_rows), new_person_features(cues)]

    def called_back(self, cues: Cues) -> set[int]:
        """The people whom a mention may call back from far away.

        These are the bearers of its name, whoever was mentioned by the very nominal ("the
        turnkey") and, for "I", the narrator. Nobody is called back by "she".
        """
        if cues.is_narrator:
            return set() if self._scene.narrator is None else {self._scene.narrator}
        if cues.name is not None:
            keys = {key for word in cues.name.words for key in (word, *related(word))}
            found = set[int]().union(*(self._by_word[key] for key in keys if key in self._by_word))
            return {person for person in found if self._goes_with(cues.name, person)}
        return {person for key in (cues.phrase, cues.kin) if key for person in self._by_word.get(key, ())}

    def may_be(self, cues: Cues, person: int) -> bool:
        """Whether the grammatical person of a mention in narration allows somebody.

        "I" outside of quotations is nobody who is mostly told of in the third person, and
        "she" is nobody who mostly says "I" there.
        """
        if cues.turn is not None or cues.kind != "pronoun" or cues.number == "many":
            return True
        profile = self._profiles[person]
        first_more = profile.first_person - profile.third_person
        return (first_more if cues.is_narrator else -first_more) > -_NARRATION_MARGIN

    def commit(self, mention: MentionContext, person: int) -> None:
        """Note a mention of a person."""
        cues = mention.cues
        before = self._profiles.get(person, Profile())
        after = before.after(cues)
        self._profiles[person] = after
        self._mentions += 1
        self._last[person] = self._mentions
        self._paragraph[person] = mention.paragraph
        if cues.name or cues.phrase or cues.kin:
            known, keys = _keys(before), _keys(after)
            for key in known - keys:
                self._discard(key, person)
            for key in keys - known:
                self._by_word[key].add(person)
        self._scene = self._scene.after(cues, person, may_narrate=self._may_narrate(after))

    def forget(self, person: int) -> None:
        """Forget a person who has left the memory."""
        for key in _keys(self._profiles.pop(person)):
            self._discard(key, person)
        self._scene = self._scene.without(person)
        del self._last[person], self._paragraph[person]

    def _goes_with(self, name: Name, person: int) -> bool:
        return self._profiles[person].relation(name) not in (None, Relation.UNRELATED, Relation.CLASH)

    def _may_narrate(self, profile: Profile) -> bool:
        """Whether a person may be the narrator: mostly in the first person, and as often as whoever is so far."""
        least = profile.third_person + 1
        if self._scene.narrator is not None:
            least = max(least, self._profiles[self._scene.narrator].first_person)
        return profile.first_person >= least

    def _discard(self, key: str, person: int) -> None:
        self._by_word[key].discard(person)
        if not self._by_word[key]:
            del self._by_word[key]


def _keys(profile: Profile) -> set[str]:
    """What a person can be called back by."""
    return {word for name, _ in profile.names for word in name.words} | {*profile.phrases, *profile.kin}
