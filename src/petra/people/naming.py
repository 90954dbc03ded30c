"""Naming: chooses the name of a person among the mentions (docs/people.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from petra.domain import Mention
from petra.english.heads import head_span
from petra.english.name_forms import NameForm, name_form, on_one_line
from petra.english.names import Name, titles_conflict
from petra.english.vocabulary import ANYBODY, DETERMINERS, INDEFINITES, ORDINARY_WORDS, POSSESSIVE_DETERMINERS, plain
from petra.english.words import bare_words

# These were chosen by looking at the people of novels and of short texts.
_FEW = 25  # uses of somebody's names below which one that occurs once may be the name
_RARE = 100  # a word used less than once in so many times of the usual name is no part of the name
_TITLE_SHARE = 3  # a title belongs to the name if at least one use in so many has it
_IN_USE = 3  # uses that make a nominal what somebody is called
_VAGUE = 3  # a nominal that tells little must be used so many times as often as another
_NOMINAL_SHARE = 10  # names used less than once in so many times of the usual nominal do not name the person
_LONGEST = 400  # characters in which a head word is looked for

_SAYING_NOTHING = ORDINARY_WORDS | INDEFINITES | DETERMINERS | POSSESSIVE_DETERMINERS
_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of a person, with how often it is used."""

    name: str
    uses: int


def name_of(mentions: Iterable[Mention]) -> str:
    """The name of a person with these mentions, in text order.

    A name goes before a nominal and a nominal before a pronoun, but a name that is hardly
    used beside a nominal does not count. Among names it is the fullest whose every word is
    used enough, of those that agree with the most used one; so it is among nominals. Of
    pronouns it is the first.
    """
    names: list[NameForm] = []
    nominals: list[str] = []
    pronouns: list[str] = []
    for mention in mentions:
        form = name_form(mention.text) if mention.kind == "name" else None
        if form is not None:
            names.append(form)
        elif mention.kind == "pronoun":
            pronouns.append(on_one_line(mention.text))
        else:
            nominals.append(on_one_line(mention.text))
    if names and len(names) * _NOMINAL_SHARE >= _uses_of_usual(nominals):
        return _best_name(names)
    if nominals:
        return _best_nominal(nominals)
    return pronouns[0]


def aliases_of(mentions: Iterable[Mention], name: str) -> tuple[Alias, ...]:
    """The other names among the mentions of a person who has a name, the most used first."""
    forms = (name_form(mention.text) for mention in mentions if mention.kind == "name")
    uses = Counter(form for form in forms if form is not None)
    texts: dict[str, Counter[str]] = {}
    for form, count in uses.items():
        texts.setdefault(form.text.casefold(), Counter())[form.text] += count
    found = [Alias(_as_mostly_written(spellings), spellings.total()) for spellings in texts.values()]
    known = {name.casefold(), name.casefold().removeprefix("the ")}
    return tuple(sorted((each for each in found if each.name.casefold() not in known), key=lambda each: -each.uses))


def _best_name(names: Sequence[NameForm]) -> str:
    """The fullest name whose words are all used enough."""
    uses = Counter(names)  # in order of first use
    by_words: dict[tuple[str, ...], Counter[NameForm]] = {}
    for form, count in uses.items():
        by_words.setdefault(form.name.words, Counter())[form] += count
    word_uses: Counter[str] = Counter()
    for form, count in uses.items():
        word_uses.update(dict.fromkeys(form.name.words, count))
    usual = _most({words: (forms.total(), len(words)) for words, forms in by_words.items()})
    usual_title = _usual_title(form for form in names if form.name.words == usual)
    usual_uses = by_words[usual].total()
    least = 1 if len(names) < _FEW else 2

    def support(words: tuple[str, ...]) -> int:
        return sum(forms.total() for others, forms in by_words.items() if _contains(others, words))

    def is_supported(words: tuple[str, ...]) -> bool:
        is_used = all(word_uses[word] >= least and word_uses[word] * _RARE >= usual_uses for word in words)
        return is_used and support(words) >= least

    def agrees(words: tuple[str, ...]) -> bool:
        return _contains(words, usual) and not _conflicts(next(iter(by_words[words])).name, usual_title)

    fuller = [words for words in by_words if words != usual and agrees(words) and is_supported(words)]
    repeated = [words for words in fuller if support(words) > 1]
    # Where a full name is in use, a fuller one that occurs once is none: "Senator Tom Albert King".
    if repeated or (usual_uses > 1 and _full_words(usual) > 1):
        fuller = repeated

    def rank(words: tuple[str, ...]) -> tuple[bool, int, int, int]:
        is_spoken = any(not form.text.isupper() for form in by_words[words])  # not only in a heading or a signature
        return is_spoken, _full_words(words), len(words), by_words[words].total()

    chosen = _most({words: rank(words) for words in (usual, *fuller)})
    titled = sum(form.name.title is not None for form in names)
    return _written(by_words[chosen], with_title=titled * _TITLE_SHARE >= len(names))


def _full_words(words: Iterable[str]) -> int:
    """The number of words that are no initials."""
    return sum(len(word) > 1 for word in words)


def _written(forms: Counter[NameForm], *, with_title: bool) -> str:
    """The name of these forms, which have the same words, with what most of them have before it."""
    total = forms.total()
    titles: Counter[str | None] = Counter()
    texts: dict[str | None, Counter[str]] = {}
    for form, count in forms.items():
        titles[form.name.title] += count
        texts.setdefault(form.name.title, Counter())[form.text] += count
    spoken = {title: count for title, count in titles.items() if not all(map(str.isupper, texts[title]))} or titles
    bare = spoken.get(None, 0)
    is_bare = bare > 0 and not (with_title and (total - titles[None]) * _TITLE_SHARE >= total)
    # With no form without a title, one with a title is left: "Mrs. James Highcamp".
    titled = {each: count for each, count in spoken.items() if each is not None}
    title = None if is_bare or not titled else _most(titled)
    text = _as_mostly_written(texts[title])
    epithets: Counter[str] = Counter()
    for form, count in forms.items():
        epithets[form.epithet] += count
    epithet = _most(epithets)
    with_article = sum(count for form, count in forms.items() if form.has_article)
    article = "the" if 2 * with_article > total else ""
    return " ".join(filter(None, (article, epithet if 2 * epithets[epithet] > total > 1 else "", text)))


def _usual_title(forms: Iterable[NameForm]) -> Name | None:
    """The name with the title that is used most, if any is."""
    titled = Counter(form.name for form in forms if form.name.title is not None)
    return _most(titled) if titled else None


def _conflicts(name: Name, titled: Name | None) -> bool:
    """Whether a name is of somebody else than who is known by the title: Elizabeth Bennet is no Mr. Bennet."""
    if titled is None:
        return False
    genders = {name.gender, titled.gender}
    return titles_conflict(name.title, titled.title) or genders == {"masculine", "feminine"}


def _contains(words: Sequence[str], part: Sequence[str]) -> bool:
    """Whether all words of the part stand among the words, in their order; an initial stands for a word."""
    rest = iter(words)
    return all(
        any(word == wanted or (len(wanted) == 1 and word.startswith(wanted)) for word in rest) for wanted in part
    )


def _best_nominal(nominals: Sequence[str]) -> str:
    """The nominal with the most content words; where one is in use, of those that say what it says."""
    uses = Counter(nominals)  # in order of first use
    short_uses: Counter[str] = Counter()
    for nominal, count in uses.items():
        short_uses[_up_to_head(nominal)] += count
    usual = _usual_nominal(short_uses)
    if short_uses[usual] < _IN_USE:
        return max(uses, key=_information)
    # Each counts as it stands or, if the longer ones begin with it, with these.
    totals = {nominal: max(uses[nominal], short_uses[nominal]) for nominal in (*short_uses, *uses)}
    least = max(2, short_uses[usual] / _RARE)
    wanted = set(_content(usual))
    fitting = {
        nominal: (not _is_owned(nominal), len(_content(nominal)), count)
        for nominal, count in totals.items()
        if count >= least and wanted <= {*_content(nominal)}
    }
    return _most(fitting)


def _usual_nominal(short_uses: Counter[str]) -> str:
    """The most used nominal; one that anybody may be called by, or that says whose somebody is, counts for less."""

    def rank(nominal: str) -> float:
        is_address = " " not in nominal  # "sir"
        vagueness = _is_owned(nominal) + ANYBODY.issuperset(_content(nominal)) * (1 + is_address)
        return short_uses[nominal] / float(_VAGUE**vagueness)

    return max(short_uses, key=rank)


def _uses_of_usual(nominals: Iterable[str]) -> int:
    """How often the most used nominal is used that is not about somebody else: "the stranger", not "my mother"."""
    return max(Counter(short for short in map(_up_to_head, nominals) if not _is_owned(short)).values(), default=0)


def _up_to_head(nominal: str) -> str:
    """A nominal without what follows its head word: "the man" of "the man in the street"."""
    short = nominal[: head_span(nominal[:_LONGEST])[1]]
    opening, space, rest = short.partition(" ")
    return f"{opening.lower()} {rest}" if space and plain(opening) in DETERMINERS else short


def _is_owned(nominal: str) -> bool:
    """Whether a nominal says whose somebody is: "my mother", "Emma's father"."""
    words = list(bare_words(nominal))
    return plain(nominal.split()[0]) in POSSESSIVE_DETERMINERS or any(
        len(word.text) < word.end - word.start for word in words
    )


def _content(nominal: str) -> tuple[str, ...]:
    """The words that tell something, in lower case; of a nominal without such words, all."""
    words = tuple(plain(word.text) for word in bare_words(nominal)) or (plain(nominal),)
    telling = tuple(word for word in words if word not in _SAYING_NOTHING)
    return tuple(word for word in telling if word not in ANYBODY) or telling or words


def _information(nominal: str) -> tuple[int, int]:
    content_words = [word for word in nominal.split() if plain(word) not in _SAYING_NOTHING]
    return len(content_words), len(nominal)


def _as_mostly_written(texts: Counter[str]) -> str:
    """The spelling that is used most; in capitals only if there is no other."""
    spoken = Counter({text: count for text, count in texts.items() if not text.isupper()})
    return _most({text: (count, len(text)) for text, count in (spoken or texts).items()})


def _most(values: Mapping[_Key, Any]) -> _Key:
    """The key with the largest value, the earliest of equals."""
    return max(values, key=lambda key: values[key])
