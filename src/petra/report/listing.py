"""Which people of a text are listed, and in what order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from petra.domain import Person
from petra.errors import ConfigError

Order = Literal["first", "mentions", "name"]

_KEYS: dict[Order, Callable[[Person], Any]] = {
    "first": lambda person: person.id,
    "mentions": lambda person: (-len(person.mentions), person.id),
    "name": lambda person: (person.name.casefold(), person.id),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Listing:
    """A choice among the people of a text; with nothing chosen, everybody in order of first mention."""

    top: int | None = None  # only so many, those mentioned most often
    min_mentions: int = 1  # only those mentioned so often
    order: Order | None = None  # by mentions if there is a top, else by first mention

    def __post_init__(self) -> None:
        for name, value in (("top", self.top), ("min_mentions", self.min_mentions)):
            if value is not None and value < 1:
                raise ConfigError(f"{name} is {value}; choose 1 or more.")

    @property
    def chosen_order(self) -> Order:
        return self.order or ("first" if self.top is None else "mentions")

    def sorted(self, people: Sequence[Person]) -> list[Person]:
        """All the people, in the order chosen."""
        return sorted(people, key=_KEYS[self.chosen_order])

    def of(self, people: Sequence[Person]) -> list[Person]:
        """The people listed, in the order chosen."""
        often = [person for person in people if len(person.mentions) >= self.min_mentions]
        return self.sorted(sorted(often, key=_KEYS["mentions"])[: self.top])
