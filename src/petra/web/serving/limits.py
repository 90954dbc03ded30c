"""How much the server takes on, so that it stays usable for everybody."""

from __future__ import annotations

from dataclasses import dataclass

from petra.errors import ConfigError

_BODY_BYTES = 12  # that JSON needs at most for a character: two escapes of six
_OTHER_BYTES = 10_000  # of a request, besides its text
_HELD_CHARACTERS = 20_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """The limits of a server. A client is identified by its address."""

    max_characters: int = 4_000_000  # of a text: War and Peace has 3,200,000
    max_seconds: float = 600  # that a text may be read for, and may wait to be read
    max_jobs: int = 2  # texts read at once
    max_waiting: int = 16  # texts that wait for their turn
    max_jobs_per_client: int = 4  # read or waiting
    max_results: int = 200  # held at once, whoever asked for them
    max_results_per_client: int = 20
    max_cells: int = 50
    max_edits: int = 2_000  # corrections of one result
    lost_seconds: float = 30  # after which a text is given up that nobody waits for any more
    idle_seconds: float = 600  # after which a result is removed that nobody looks at
    keep_seconds: float = 24 * 3600  # after which a result is removed that was to be kept
    body_seconds: float = 60  # in which a request must have arrived

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if getattr(self, name) <= 0:
                raise ConfigError(f"{name} is {getattr(self, name)}; choose more than 0.")

    @property
    def max_body(self) -> int:
        """Bytes of a request."""
        return _BODY_BYTES * self.max_characters + _OTHER_BYTES

    @property
    def max_held_characters(self) -> int:
        """Of all results held at once: their logs are many times larger than the texts.

        Twenty texts of the longest, as far as ``_HELD_CHARACTERS`` go, but five in any case.
        """
        return min(20 * self.max_characters, max(_HELD_CHARACTERS, 5 * self.max_characters))
