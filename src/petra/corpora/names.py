"""Reader of first names by gender: the Names Corpus of Mark Kantrowitz, one name a line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from petra.corpora.places import require
from petra.english.gender import Gender
from petra.errors import DataError


@dataclass(frozen=True, kw_only=True, slots=True)
class Names:
    """First names that women and that men bear; some are borne by both."""

    female: frozenset[str]
    male: frozenset[str]

    def __contains__(self, name: object) -> bool:
        return name in self.female or name in self.male

    def of(self, gender: Gender) -> frozenset[str]:
        """The names of one gender that the other does not bear."""
        return self.male - self.female if gender == "masculine" else self.female - self.male

    def gender(self, name: str) -> Gender | None:
        """The gender a name tells; None where it is in both lists or in neither."""
        female, male = name in self.female, name in self.male
        return None if female == male else "feminine" if female else "masculine"


def read_names(data: Path) -> Names:
    """The names in the data folder."""
    return Names(female=_read(require(data, "names/female.txt")), male=_read(require(data, "names/male.txt")))


def _read(path: Path) -> frozenset[str]:
    try:
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise DataError(f"{path.name} is not UTF-8. Fetch it again.") from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}.") from None
    names = frozenset(line.strip() for line in lines) - {""}
    if not names:
        raise DataError(f"{path.name} holds no names; expected one a line. Fetch it again.")
    return names
