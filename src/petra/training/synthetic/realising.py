"""A plan put into words: the text, and where it mentions whom."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from petra.corpora.annotated import GoldMention
from petra.domain import Kind
from petra.errors import DataError
from petra.training.synthetic.grammar import NAME_FORMS, EmbeddedName, Part, Reference, Verb, Words
from petra.training.synthetic.people import Persona
from petra.training.synthetic.pronouns import CASES, FIRST_AND_SECOND, THEY_PLURAL, PronounSet, agreeing

_TRIPLE = re.compile(r"([\w.'-]+)/([\w.'-]+)/([\w.'-]+)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Conventions:
    """What counts as a mention where corpora differ."""

    predicates: bool = True  # "Lena is a nurse", "Lena, a nurse,": as in GUM
    coordination: bool = True  # "Mary and John" as one mention of both: as in GUM where "they" follows


class Writer:
    """Text as it grows, with its mentions and the rules of capital letters."""

    def __init__(self, people: Mapping[str, Persona], pronouns: Mapping[str, PronounSet], how: Conventions) -> None:
        self.text = ""
        self.mentions: list[GoldMention] = []
        self._people, self._pronouns, self._how = people, pronouns, how
        self._named: dict[str, str] = {}  # how each is named again
        self._subject: PronounSet = THEY_PLURAL
        self._capital, self._ended = True, False

    def write(self, parts: Sequence[Part], within: str = "") -> None:
        """Write parts; words of three genders are those of the person whose phrase they are in."""
        for place, part in enumerate(parts):
            if isinstance(part, Words):
                self._write_words(
                    _TRIPLE.sub(lambda it: self._gendered(it, within), part.text) if within else part.text
                )
            elif isinstance(part, Verb):
                self._write_word(agreeing(part.text, self._subject))
            elif isinstance(part, EmbeddedName):
                self._write_word(self._form(part.role, part.form))
            else:
                after = parts[place + 1] if place + 1 < len(parts) else None
                self._write_reference(part, possessive=isinstance(after, Words) and after.text.startswith("'s"))

    def _gendered(self, found: re.Match[str], role: str) -> str:
        name = self._pronouns[role].name
        return found[1] if name == "he" else found[2] if name == "she" else found[3]

    def _write_reference(self, part: Reference, *, possessive: bool) -> None:
        start = len(self.text)
        kind: Kind = "nominal"
        marked = self._how.predicates or not part.predicate
        if part.form == "phrase":
            self.write(part.parts, within=part.roles[0])
            named = any(
                isinstance(it, EmbeddedName) and it.form in NAME_FORMS and it.role in part.roles for it in part.parts
            )
            kind = "name" if named else "nominal"
        elif part.form in FIRST_AND_SECOND:
            kind = "pronoun"
            self._write_word(part.form)
        elif part.form in CASES:
            kind = "pronoun"
            pronouns = THEY_PLURAL if len(part.roles) > 1 else self._pronouns.get(part.roles[0], THEY_PLURAL)
            if part.form == "he":
                self._subject = pronouns
            self._write_word(pronouns.word(part.form))
        elif len(part.roles) > 1:
            self._write_together(part.roles)
            marked = marked and self._how.coordination
        else:
            role = part.roles[0]
            form = part.form or self._named.get(role) or ("plain" if possessive else "first")
            self._named.setdefault(role, "short" if form in ("first", "plain", "intro") else "again")
            kind = "nominal" if form in ("a_job", "the_job") else self._people[role].kind
            self._write_word(self._form(role, form))
        if marked:
            self.mentions.append(GoldMention(start, len(self.text), kind, part.entity))

    def _write_together(self, roles: Sequence[str]) -> None:
        for place, role in enumerate(roles):
            if place:
                self._write_words(" and " if place == len(roles) - 1 else ", ")
            self._write_reference(Reference((role,), ""), possessive=False)

    def _form(self, role: str, form: str) -> str:
        if form in CASES:
            return self._pronouns[role].word(form)
        forms = self._people[role].forms(self._pronouns[role])
        if form not in forms:
            raise DataError(f"A person has no form {form!r}. Choose one of: {', '.join(sorted(forms))}.")
        return forms[form]

    def _write_word(self, word: str) -> None:
        self.text += word[0].upper() + word[1:] if self._capital else word
        self._capital = self._ended = False

    def _write_words(self, words: str) -> None:
        if words.startswith(".") and self.text.endswith("."):  # "Jr." at the end of a sentence
            words, self._ended = words[1:], True
        for letter in words:
            if letter in "^~":
                self._capital, self._ended = letter == "^", False
                continue
            if (
                letter == "\n"
                or (letter == " " and self._ended)
                or (letter == '"' and self.text[-1:] in ("", " ", "\n"))
            ):
                self._capital, self._ended = True, False
            elif letter in ".!?":
                self._ended = True
            elif letter == '"':
                self._ended = self._ended and self.text.endswith(".")  # after ?" the sentence may go on
            elif letter.isalnum():
                letter = letter.upper() if self._capital else letter
                self._capital = self._ended = False
            self.text += letter


def ordered(mentions: Sequence[GoldMention]) -> tuple[GoldMention, ...]:
    return tuple(sorted(mentions, key=lambda it: (it.start, it.end)))
