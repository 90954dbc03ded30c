"""Distantly supervised pronouns: passages of unlabelled text in which it is known whom pronouns mean.

Two ways tell it, both where several people are named:

- by gender: one person alone in the passage is of the pronoun's gender. An encoder with
  neutral pronouns reads he and she alike, so that it has to find the person by everything else;
- by name: a name that comes again is replaced by a pronoun.

Names and these pronouns are the only mentions marked; the passages teach links and not
spans. What is in doubt is left out.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

from petra.corpora.annotated import AnnotatedDocument, GoldMention
from petra.corpora.gap import Span
from petra.corpora.names import Names, read_names
from petra.corpora.texts import read_texts
from petra.corpora.wikitext import Article, read_wikitext
from petra.english.gender import FEMININE_TITLES, MASCULINE_TITLES, Gender
from petra.english.grammar import HUMAN_VERBS, SUBORDINATORS
from petra.english.not_people import NOT_ALONE, NOT_GIVEN_NAMES, NOT_PERSON_ENDINGS
from petra.english.sentences import Passage, parse
from petra.english.vocabulary import PERSON_NOUNS, plain
from petra.training.data.instances.decontaminate import decontaminate
from petra.training.data.instances.edits import TextEdit, rewrite
from petra.training.data.instances.gendered import FEMININE_NOUNS, MASCULINE_NOUNS
from petra.training.data.instances.roles import pronoun, role_of, stranger_leads
from petra.training.data.instances.runs import Run, find_runs
from petra.training.data.instances.snippets import gender_of
from petra.training.parallel import in_parallel

_ABOUT_PEOPLE = ("britannica9-people", "kyoto-people")  # articles whose titles are of people
_OTHERS = ("amalgum-bio", "amalgum-interview", "amalgum-news", "novels", "wikinews")
_BETWEEN = " \n\n"  # paragraphs joined; the space ends the sentence before
_PASSES = 5  # over all texts, cut at other places each time
_AT_ONCE = 120  # paragraphs whose names are gathered together
_FEWEST_WORDS, _MOST_WORDS = 30, 140  # of a passage
_MOST_FIRST = 3  # sentences left out before the first passage
_REACH = 2  # sentences between a person's mention and a pronoun
_LEAST_USES = 3  # of a listed first name that stands alone
_LEAST_DEEDS = 2  # of an unlisted name, before verbs for what people do
_PLACE_SHARE = 0.2  # of the uses of a name, after "in" or "the", make it a place
_PLACE_SIGNS = frozenset(("in", "at", "near", "the"))
_LEAST_VOTES = 3  # pronouns that tell the gender of a name that does not tell it itself
_MASKED = 0.5  # of the names that a pronoun can replace
_PERSON_NOUNS = PERSON_NOUNS | MASCULINE_NOUNS | FEMININE_NOUNS
_OTHER_NOUNS: Mapping[Gender, frozenset[str]] = {"feminine": MASCULINE_NOUNS, "masculine": FEMININE_NOUNS}
_LETTERS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class _Naming:
    """A place where a passage names a person."""

    words: range  # titles included
    run: Run
    person: int


def distant_documents(data: Path, seed: int) -> list[AnnotatedDocument]:
    """Passages of all unlabelled collections that are there, in random order; none is of GAP's validation or test."""
    articles = [Article(title="", paragraphs=article.paragraphs) for article in read_wikitext(data)]
    for collection in (*_ABOUT_PEOPLE, *_OTHERS):
        if (data / "text" / f"{collection}.jsonl.gz").is_file():
            for article in read_texts(data, collection):
                title = article.title if collection in _ABOUT_PEOPLE else ""
                articles.append(Article(title=title, paragraphs=article.paragraphs))
    parts = [
        Article(title=article.title, paragraphs=article.paragraphs[first : first + _AT_ONCE])
        for article in articles
        for first in range(0, len(article.paragraphs), _AT_ONCE)
    ]
    found = in_parallel(partial(_documents, read_names(data), seed), list(enumerate(parts)))
    documents = list(decontaminate((each for of_part in found for each in of_part), data))
    Random(seed).shuffle(documents)
    return documents


def _documents(names: Names, seed: int, numbered: tuple[int, Article]) -> list[AnnotatedDocument]:
    number, article = numbered
    rng = Random(f"{seed} {number}")
    passages = [parse(text) for text in _joined(article.paragraphs)]
    register = _Register.of(article.title, passages, names)
    documents: list[AnnotatedDocument] = []
    for place, passage in enumerate(passages):
        for first, last in dict.fromkeys(each for _ in range(_PASSES) for each in _stretches(passage, rng)):
            known = register.namings(passage, first, last)
            if known is None:
                continue
            namings, genders = known
            name = f"distant-{number}-{place}-{first}-{last}"
            documents += _by_gender(passage, (first, last), namings, genders, names, name)
            documents += _by_name(passage, (first, last), namings, genders, name, rng)
    return documents


def _joined(paragraphs: Sequence[str]) -> Iterator[str]:
    """Short paragraphs, as of dialogue, joined until they make a passage."""
    joined: list[str] = []
    for paragraph in paragraphs:
        joined.append(paragraph)
        if sum(len(each) for each in joined) >= 6 * _MOST_WORDS:
            yield _BETWEEN.join(joined)
            joined = []
    if joined:
        yield _BETWEEN.join(joined)


def _stretches(passage: Passage, rng: Random) -> Iterator[tuple[int, int]]:
    """Sentences first to last of the passages that a text is cut into, of a length drawn for each."""
    first = rng.randrange(_MOST_FIRST)
    while first < len(passage.sentences):
        wanted = rng.randint(_FEWEST_WORDS, _MOST_WORDS)
        last = first
        while last + 1 < len(passage.sentences):
            if passage.sentences[last + 1][-1] - passage.sentences[first][0] >= wanted:
                break
            last += 1
        if passage.sentences[last][-1] - passage.sentences[first][0] < _MOST_WORDS:
            yield first, last
        first = last + 1


@dataclass(slots=True)
class _Register:
    """How names are used in a text: which are of people, and of which gender."""

    listed: Names
    uses: Counter[str] = field(default_factory=Counter)
    after_place_sign: Counter[str] = field(default_factory=Counter)
    deeds: Counter[str] = field(default_factory=Counter)
    given: set[str] = field(default_factory=set)  # first names that stand before a surname
    surnames: set[str] = field(default_factory=set)
    votes: defaultdict[str, Counter[Gender]] = field(default_factory=lambda: defaultdict(Counter))

    @classmethod
    def of(cls, title: str, passages: Sequence[Passage], listed: Names) -> _Register:
        register = cls(listed, surnames={word.capitalize() for word in _LETTERS.findall(title.partition("(")[0])})
        runs = [list(find_runs(passage)) for passage in passages]
        for run in (run for each in runs for run in each):
            register._count(run)
        for passage, each in zip(passages, runs, strict=True):
            register._vote(passage, each)
        return register

    def namings(self, passage: Passage, first: int, last: int) -> tuple[list[_Naming], list[Gender | None]] | None:
        """Who is named in some sentences, and of which gender each is; None where a name may be of two."""
        namings: list[_Naming] = []
        people: list[list[Run]] = []
        begin, end = passage.sentences[first][0], passage.sentences[last][-1]
        for run in find_runs(passage):
            if not begin <= run.words[0] <= end or not self._is_person(run):
                continue
            same = [number for number, known in enumerate(people) if all(_may_be_one(run, each) for each in known)]
            same = [number for number in same if any(_share_word(run, each) for each in people[number])]
            if len(same) > 1:
                return None
            if not same:
                if len(run.name) == 1 and not run.titles and any(_share_word(run, it) for of in people for it in of):
                    return None
                people.append([])
            person = same[0] if same else len(people) - 1
            people[person].append(run)
            namings.append(_Naming(range(run.words[0] - len(run.titles), run.words[-1] + 1), run, person))
        genders = []
        for known in people:
            found = {gender for run in known if (gender := self._gender(run)) is not None}
            if len(found) > 1:
                return None
            genders.append(found.pop() if found else None)
        return namings, genders

    def _count(self, run: Run) -> None:
        name = " ".join(run.name)
        self.uses[name] += 1
        self.after_place_sign[name] += run.before in _PLACE_SIGNS and not run.titles
        self.deeds[run.name[-1]] += run.after in HUMAN_VERBS
        if run.titles:
            self.surnames.add(run.name[-1])
        elif 1 < len(run.name) <= 4 and run.name[0] in self.listed and run.name[0] not in NOT_GIVEN_NAMES:
            self.given.add(run.name[0])
            self.surnames.add(run.name[-1])

    def _vote(self, passage: Passage, runs: Sequence[Run]) -> None:
        """Count the pronouns of sentences that name one person only."""
        by_sentence: defaultdict[int, set[str]] = defaultdict(set)
        for run in runs:
            by_sentence[passage.sentence_of(run.words)].add(run.name[-1])
        for number, names in by_sentence.items():
            if len(names) == 1:
                votes = self.votes[next(iter(names))]
                for place in passage.sentences[number]:
                    gender = gender_of(passage.words[place])
                    if gender is not None:
                        votes[gender] += 1

    def _is_place(self, name: str) -> bool:
        return self.after_place_sign[name] > _PLACE_SHARE * self.uses[name]

    def _is_person(self, run: Run) -> bool:
        name, last = run.name, run.name[-1]
        if run.titles:
            return True
        if name[0] in NOT_GIVEN_NAMES or last in NOT_PERSON_ENDINGS or self._is_place(" ".join(name)):
            return False
        if len(name) > 1:
            return (
                name[0] in self.listed
                or {*name} <= self.surnames
                or (self.deeds[last] >= _LEAST_DEEDS and not self._is_place(last))
            )
        if last in self.surnames or last in self.given:
            return True
        return last in self.listed and last not in NOT_ALONE and self.uses[last] >= _LEAST_USES

    def _gender(self, run: Run) -> Gender | None:
        titles = set(run.titles)
        if titles & FEMININE_TITLES:
            return "feminine"
        if titles & MASCULINE_TITLES:
            return "masculine"
        votes = self.votes[run.name[-1]]
        by_votes: Gender | None = None
        if sum(votes.values()) >= _LEAST_VOTES:
            (most, count), *_ = votes.most_common(1)
            by_votes = most if count >= 3 * (sum(votes.values()) - count) else None
        first = run.name[0]
        told = self.listed.gender(first) if len(run.name) > 1 or first in self.given or first in self.listed else None
        if told is None or by_votes is None:
            return told or by_votes
        return told if told == by_votes else None


def _share_word(one: Run, other: Run) -> bool:
    """Whether two names have a surname or a first name in common."""
    if one.titles and other.titles:
        return one.name[-1] == other.name[-1]
    return bool({one.name[0], one.name[-1]} & {other.name[0], other.name[-1]})


def _may_be_one(one: Run, other: Run) -> bool:
    """Whether two names do not exclude each other: not Mr. and Mrs. Vale, nor Ada and Tom Vale."""
    titles, others = set(one.titles), set(other.titles)
    pairs = ((FEMININE_TITLES, MASCULINE_TITLES), (MASCULINE_TITLES, FEMININE_TITLES))
    if any(titles & own and others & other for own, other in pairs):
        return False
    return len(one.name) == 1 or len(other.name) == 1 or (one.name[0], one.name[-1]) == (other.name[0], other.name[-1])


def _by_gender(
    passage: Passage,
    sentences: tuple[int, int],
    namings: Sequence[_Naming],
    genders: Sequence[Gender | None],
    names: Names,
    name: str,
) -> Iterator[AnnotatedDocument]:
    """The passage with its own pronouns of people who are the only ones of their gender."""
    alone: dict[Gender, int] = {}
    for gender in ("feminine", "masculine"):
        of_gender = [person for person, own in enumerate(genders) if own in (gender, None)]
        if len(of_gender) == 1 and genders[of_gender[0]] == gender:
            alone[gender] = of_gender[0]
    if not alone or len(genders) < 2:
        return
    named = {place: naming.person for naming in namings for place in naming.words}
    blocked: dict[Gender, int] = {}  # gender -> the sentence in which somebody else may be of it
    seen: dict[int, int] = {}  # person -> sentence of the last mention
    found: list[tuple[Span, int]] = []
    for place in range(passage.sentences[sentences[0]][0], passage.sentences[sentences[1]][-1] + 1):
        word = passage.words[place]
        if place in named:
            seen[named[place]] = word.sentence
            continue
        lower = plain(word.text)
        if lower in _PERSON_NOUNS:
            blocked |= {gender: word.sentence for gender, others in _OTHER_NOUNS.items() if lower not in others}
        elif word.text in names or stranger_leads(passage, place):
            blocked |= dict.fromkeys(_OTHER_NOUNS, word.sentence)
        own = gender_of(word)
        if own is None or word.quoted or own not in alone or word.sentence - blocked.get(own, -_REACH) < _REACH:
            continue
        person = alone[own]
        if len(seen) > 1 and word.sentence - seen.get(person, -_REACH - 1) <= _REACH:
            found.append((Span(word.start, word.end), person))
            seen[person] = word.sentence
    if found:
        yield _document(passage, sentences, namings, found, (), f"{name}-gender")


def _by_name(
    passage: Passage,
    sentences: tuple[int, int],
    namings: Sequence[_Naming],
    genders: Sequence[Gender | None],
    name: str,
    rng: Random,
) -> Iterator[AnnotatedDocument]:
    """The passage with some names that come again replaced by pronouns."""
    found: list[tuple[Span, int]] = []
    edits: list[TextEdit] = []
    masked: set[_Naming] = set()
    for number, naming in enumerate(namings):
        before = [each for each in namings[:number] if each.person == naming.person]
        is_contested = any(each.person != naming.person for each in namings[:number])
        if not before or not is_contested or rng.random() >= _MASKED:
            continue
        role = role_of(passage, naming.words)
        first = passage.words[naming.words[0]]
        if role is None or first.quoted or first.sentence - passage.sentence_of(before[-1].words) > _REACH:
            continue
        if role == "object" and _is_reflexive(passage, before[-1], naming):
            continue
        gender = genders[naming.person] or "masculine"
        word = pronoun(gender, role, capital=passage.opens_sentence(naming.words[0]))
        span = Span(first.start, passage.words[naming.words[-1]].reach)
        edits.append(TextEdit(span, word))
        found.append((span, naming.person))
        masked.add(naming)
    if found:
        left = [naming for naming in namings if naming not in masked]
        yield _document(passage, sentences, left, found, edits, f"{name}-name")


def _is_reflexive(passage: Passage, before: _Naming, naming: _Naming) -> bool:
    """Whether the pronoun would have to be "himself": both in one clause."""
    between = passage.words[before.words[-1] + 1 : naming.words[0]]
    same = passage.sentence_of(before.words) == passage.sentence_of(naming.words)
    return same and SUBORDINATORS.isdisjoint(it.lower for it in between)


def _document(
    passage: Passage,
    sentences: tuple[int, int],
    namings: Sequence[_Naming],
    pronouns: Sequence[tuple[Span, int]],
    edits: Sequence[TextEdit],
    name: str,
) -> AnnotatedDocument:
    bounds = Span(*passage.bounds(*sentences))
    named = [Span(*passage.span(naming.words)) for naming in namings]
    marked = [*named, *(span for span, _ in pronouns)]
    people = [*(naming.person for naming in namings), *(person for _, person in pronouns)]
    text, moved = rewrite(passage.text, edits, [*marked, bounds])
    start, end = moved[-1]
    mentions = sorted(
        GoldMention(span.start - start, span.end - start, "name" if place < len(named) else "pronoun", str(person))
        for place, (span, person) in enumerate(zip(moved[:-1], people, strict=True))
    )
    return AnnotatedDocument(id=name, text=text[start:end], mentions=tuple(mentions))
