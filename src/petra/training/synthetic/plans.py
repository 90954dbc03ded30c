"""Plans of documents: a pattern with its choices made, the people in it, and the pronouns each goes by."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from petra.corpora.annotated import AnnotatedDocument
from petra.errors import DataError
from petra.training.synthetic.grammar import GROUPS, Part, chosen, named_roles, parse, references_of, roles_of
from petra.training.synthetic.people import PATTERNS_FOLDER, Casting, Persona, Style, blocks, sharing_family
from petra.training.synthetic.pronouns import CASES, HE, NEOPRONOUNS, SHE, THEY, THEY_SELVES, PronounSet
from petra.training.synthetic.realising import Conventions, Writer, ordered

_STYLED: Mapping[str, tuple[Style, ...]] = {
    "given": ("given",),
    "full": ("full", "middle"),
    "title": ("title",),
    "plain": ("given", "full", "title", "office", "middle"),
    "whole": ("full", "middle", "nickname", "initials", "junior", "office"),
}
_OPENING_RATE, _CODA_RATE, _NAME_CODA_RATE, _CURLY_RATE = 0.08, 0.25, 0.12, 0.15
_ROLE = re.compile(r"(?<=[{+(,])[A-E](?=[.:}+,)])")
_OPENING_QUOTE = re.compile(r'(?<![^\s(])"')
_LEADS = (
    "{A.intro} uses @A.he/@A.him pronouns. ",
    "{A.intro} goes by @A.he/@A.him. ",
    "{A.intro}'s pronouns are @A.he/@A.him. ",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Pattern:
    """A pattern as it is written, and what it asks of its people."""

    category: str
    text: str
    distinct: tuple[tuple[str, str], ...] = ()  # must go by different pronouns, and be seen to
    families: tuple[tuple[str, str], ...] = ()  # share a family name
    kinds: tuple[tuple[str, str], ...] = ()  # how a person is known
    coda: str = ""  # whom a pronoun may go on about afterwards
    name_coda: str = ""  # who may be named afterwards
    singular_they: bool = True
    opening: bool = True  # whether a sentence about no person may stand before
    lower: bool = False
    nouns: bool = False  # mostly people known by nouns, where meaning alone decides


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentPlan:
    """A document in which only the genders may still change."""

    id: str
    category: str
    parts: tuple[Part, ...]
    people: Mapping[str, Persona]
    pronouns: Mapping[str, PronounSet]
    distinct: tuple[tuple[str, str], ...]
    singular_they: bool
    announced: bool  # whether a sentence about somebody's pronouns may stand before
    lower: bool
    curly: bool  # typographic quotation marks

    @property
    def known_by_noun(self) -> bool:
        return any(it.kind == "nominal" for it in self.people.values())


def counterfactual(plan: DocumentPlan, pronouns: Mapping[str, PronounSet]) -> DocumentPlan:
    """The same plan with other pronouns for some of its people; the answer stays the same."""
    return replace(plan, pronouns={**plan.pronouns, **pronouns})


def swapped(plan: DocumentPlan) -> DocumentPlan:
    """The plan with every he made a she and every she a he."""
    other = {HE: SHE, SHE: HE}
    return counterfactual(plan, {role: other.get(it, it) for role, it in plan.pronouns.items()})


def with_other_pronouns(plan: DocumentPlan, rng: Random) -> DocumentPlan | None:
    """The plan with one person, alone among men and women, who goes by singular they or by neopronouns.

    Where a group is "they" as well, nobody goes by singular they. Neopronouns are
    announced in a sentence of their own.
    """
    references = list(references_of(plan.parts))
    third_person = [it for it in references if it.form in CASES]
    together = any(len(it.roles) > 1 or it.roles[0] in GROUPS for it in third_person)
    roles = sorted({it.roles[0] for it in third_person})
    if not plan.singular_they or together or not roles:
        return None
    unnamed = [it for it in roles if plan.people[it].kind == "nominal"]
    role = rng.choice(unnamed or roles)
    announced = plan.announced and any(it.roles == (role,) and not it.form for it in references)
    neopronouns = announced and rng.random() < 0.22
    other = counterfactual(plan, {role: rng.choice(NEOPRONOUNS if neopronouns else (THEY, THEY_SELVES))})
    if not neopronouns and not (announced and rng.random() < 0.1):
        return other
    lead = rng.choice(_LEADS).replace("A", role)
    return replace(other, parts=(*parse(lead), *plan.parts))


def realise(plan: DocumentPlan, conventions: Conventions | None = None) -> AnnotatedDocument:
    """The text of a plan with its mentions."""
    writer = Writer(plan.people, plan.pronouns, conventions or Conventions())
    writer.write(plan.parts)
    text = writer.text.lower() if plan.lower else writer.text
    if plan.curly:  # one character for another, so that no mention moves
        text = _OPENING_QUOTE.sub("“", text).replace('"', "”").replace("'", "’")
    return AnnotatedDocument(id=plan.id, text=text, mentions=ordered(writer.mentions))


def make_plan(pattern: Pattern, casting: Casting, rng: Random, name: str) -> DocumentPlan:
    """A plan of a pattern: choices, people and genders drawn."""
    text = pattern.text
    roles = set(_ROLE.findall(text))
    if pattern.coda and rng.random() < _CODA_RATE:
        text += f" $coda({rng.choice([it for it in pattern.coda if it in roles])})"
    elif pattern.name_coda and rng.random() < _NAME_CODA_RATE:
        text += f" $name_coda({rng.choice([it for it in pattern.name_coda if it in roles])})"
    if pattern.opening and rng.random() < _OPENING_RATE:
        text = "$opening " + text
    parts = parse(chosen(text, lexicon(), rng))
    people = _cast(pattern, parts, casting, rng)
    return DocumentPlan(
        id=name,
        category=pattern.category,
        parts=parts,
        people=people,
        pronouns=_genders(pattern, list(people), rng),
        distinct=pattern.distinct,
        singular_they=pattern.singular_they,
        announced=pattern.opening,
        lower=pattern.lower,
        curly=rng.random() < _CURLY_RATE,
    )


def _cast(pattern: Pattern, parts: Sequence[Part], casting: Casting, rng: Random) -> dict[str, Persona]:
    casting.start()
    named = set(named_roles(parts))
    kinds = dict(pattern.kinds)
    shown = {role for pair in pattern.distinct for role in pair}
    both_seen = {it.roles for it in references_of(parts) if it.form in CASES} >= {(role,) for role in shown}
    if len(shown) == 2 and both_seen and rng.random() < 0.15:  # one name and two pronouns are enough
        shown -= {rng.choice(sorted(shown))}
    people: dict[str, Persona] = {}
    name_rate = rng.choice((0.05, 0.2, 0.8) if pattern.nouns else (0.1, 0.8, 0.95))  # people of a text are alike
    for role in sorted(roles_of(parts)):
        kind = kinds.get(role) or ("name" if role in named or rng.random() < name_rate else "noun")
        gendered = role in shown or (kind != "job" and rng.random() < 0.6)
        if kind == "job":
            people[role] = casting.noun("open", job=True)
        elif kind == "noun":
            people[role] = casting.noun("gendered" if role in shown or rng.random() < 0.15 else "open")
        elif kind == "name" or kind in _STYLED:
            people[role] = casting.named("gendered" if gendered else "open", _STYLED.get(kind, ()))
        else:
            raise DataError(f"No kind of person {kind!r}. Choose name, noun, job, {', '.join(_STYLED)}.")
    for first, second in pattern.families:
        people[second] = sharing_family(people[second], people[first])
    return people


def _genders(pattern: Pattern, roles: Sequence[str], rng: Random) -> dict[str, PronounSet]:
    while True:
        genders = {role: rng.choice((HE, SHE)) for role in roles}
        if all(genders[a] != genders[b] for a, b in pattern.distinct if a in genders and b in genders):
            return genders


@cache
def lexicon() -> Mapping[str, tuple[str, ...]]:
    """The entries of lexicon.txt."""
    return {heading: tuple(lines) for heading, lines in blocks("lexicon.txt").items()}


@cache
def patterns() -> tuple[Pattern, ...]:
    """Every pattern of the package."""
    skipped = {"names.txt", "nouns.txt", "lexicon.txt"}
    files = sorted(it.name for it in PATTERNS_FOLDER.glob("*.txt") if it.name not in skipped)
    return tuple(pattern for file in files for pattern in _read(file))


def _read(file: str) -> Iterator[Pattern]:
    for heading, lines in blocks(file).items():
        category, _, demands = heading.partition("|")
        asked = Pattern(category=category.strip().split()[0], text="")
        for demand in demands.split():
            asked = _with_demand(asked, demand, file)
        for line in lines:
            yield replace(asked, text=line.replace("\\n", "\n"))


def _with_demand(pattern: Pattern, demand: str, file: str) -> Pattern:
    """A pattern with one word of its heading taken into account."""
    key, _, value = demand.partition("=")
    if found := re.fullmatch(r"([A-E])!([A-E])", demand):
        return replace(pattern, distinct=(*pattern.distinct, (found[1], found[2])), singular_they=False)
    if found := re.fullmatch(r"([A-E])&([A-E])", demand):
        return replace(pattern, families=(*pattern.families, (found[1], found[2])))
    if found := re.fullmatch(r"([A-E]+):([a-z]+)", demand):
        return replace(pattern, kinds=(*pattern.kinds, *((role, found[2]) for role in found[1])))
    if key == "coda":
        return replace(pattern, coda=value)
    if key == "names":
        return replace(pattern, name_coda=value)
    flags: dict[str, dict[str, bool]] = {
        "he-she": {"singular_they": False},
        "alone": {"opening": False},
        "nouns": {"nouns": True},
        "lower": {"lower": True, "opening": False},
    }
    if demand in flags:
        return replace(pattern, **flags[demand])  # type: ignore[arg-type]
    raise DataError(f"{file}: no demand {demand!r}. See plans.py for those that a heading can make.")
