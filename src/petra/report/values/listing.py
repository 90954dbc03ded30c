"""Which people of a text are listed, and in what order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from petra.domain import Person
from petra.errors import ConfigError
from petra.people.cast import find_cast

Order = Literal["first", "mentions", "name"]
Whom = Literal["cast", "everybody"]

MANY = 50  # people among whom the cast is looked for

_KEYS: dict[Order, Callable[[Person], Any]] = {
    "first": lambda person: person.id,
    "mentions": lambda person: (-len(person.mentions), person.id),
    "name": lambda person: (person.name.casefold(), person.id),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Listing:
    """A choice among the people of a text.

    With nothing chosen it is everybody in order of first mention or, of more than fifty
    people, the cast, those mentioned most often first.
    """

    top: int | None = None  # only so many, those mentioned most often
    min_mentions: int = 1  # only those mentioned so often
    order: Order | None = None  # by mentions if there is a top or of many people the cast, else by first mention
    whom: Whom | None = None
    many: int = MANY  # more people than these are cut to the cast if nothing else is chosen

    def __post_init__(self) -> None:
        for name, value in (("top", self.top), ("min_mentions", self.min_mentions)):
            if value is not None and value < 1:
                raise ConfigError(f"{name} is {value}; choose 1 or more.")

    def is_cast(self, people: Sequence[Person]) -> bool:
        """Whether the cast of these people is listed."""
        return self.whom == "cast" or self._cuts_to_cast(people)

    def chosen_order(self, people: Sequence[Person]) -> Order:
        """The order in which these people are listed."""
        is_short = self.top is None and not self._cuts_to_cast(people)
        return self.order or ("first" if is_short else "mentions")

    def sorted(self, people: Sequence[Person]) -> list[Person]:
        """All the people, in the order chosen."""
        return sorted(people, key=_KEYS[self.chosen_order(people)])

    def of(self, people: Sequence[Person], text: str) -> list[Person]:
        """The people of a text who are listed, in the order chosen."""
        often = [person for person in people if len(person.mentions) >= self.min_mentions]
        chosen = (
            {person.id for person in find_cast(often, text)}
            if self.is_cast(people)
            else {person.id for person in often}
        )
        most = [person for person in sorted(often, key=_KEYS["mentions"]) if person.id in chosen][: self.top]
        return sorted(most, key=_KEYS[self.chosen_order(people)])

    def _cuts_to_cast(self, people: Sequence[Person]) -> bool:
        """Whether the cast is listed because there are many people, and nothing else was chosen."""
        return self.whom is None and self.top is None and self.min_mentions == 1 and len(people) > self.many
