"""Pronouns of a person by set and case, and the verbs that agree with them."""

from __future__ import annotations

from typing import Literal, NamedTuple

from petra.english.vocabulary import listed

Case = Literal["he", "him", "his", "hers", "himself"]  # named by the words of the first set
CASES: tuple[Case, ...] = ("he", "him", "his", "hers", "himself")


class PronounSet(NamedTuple):
    """The third-person pronouns that one person goes by."""

    name: str
    words: tuple[str, str, str, str, str]  # in the order of CASES
    plural_verbs: bool = False

    def word(self, case: Case) -> str:
        return self.words[CASES.index(case)]


HE = PronounSet("he", ("he", "him", "his", "his", "himself"))
SHE = PronounSet("she", ("she", "her", "her", "hers", "herself"))
THEY = PronounSet("they", ("they", "them", "their", "theirs", "themself"), plural_verbs=True)
THEY_PLURAL = PronounSet("plural", ("they", "them", "their", "theirs", "themselves"), plural_verbs=True)
THEY_SELVES = PronounSet("they", ("they", "them", "their", "theirs", "themselves"), plural_verbs=True)
NEOPRONOUNS = (
    PronounSet("xe", ("xe", "xem", "xyr", "xyrs", "xemself")),
    PronounSet("ze/hir", ("ze", "hir", "hir", "hirs", "hirself")),
    PronounSet("ze/zir", ("ze", "zir", "zir", "zirs", "zirself")),
    PronounSet("ey", ("ey", "em", "eir", "eirs", "emself")),
    PronounSet("fae", ("fae", "faer", "faer", "faers", "faerself")),
    PronounSet("ve", ("ve", "ver", "vis", "vis", "verself")),
    PronounSet("e", ("ae", "aer", "aer", "aers", "aerself")),
)

# First and second person: the same word whoever it is.
FIRST_AND_SECOND = listed("I me my mine myself you your yours yourself yourselves we us our ours ourselves")

_IRREGULAR = {"was": "were", "is": "are", "has": "have", "does": "do", "wasn't": "weren't", "isn't": "aren't"}
_IRREGULAR |= {"hasn't": "haven't", "doesn't": "don't", "'s": "'re", "goes": "go"}


def agreeing(verb: str, pronouns: PronounSet) -> str:
    """A verb written in the third person singular, as it stands after the subject pronoun of a set."""
    if not pronouns.plural_verbs:
        return verb
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    if verb.endswith(("ches", "shes", "sses", "xes", "zzes")):
        return verb[:-2]
    return verb.removesuffix("s")
