"""Sets of English words, and what can be told from a word's letters.

The sets are short on purpose. They decide how words combine into a mention and what kind
of mention it is; whether there is a mention at all, the memory decides.
"""

from __future__ import annotations

import unicodedata

from petra.english import lexicon

PRONOUNS = lexicon.words("pronouns")
POSSESSIVE_DETERMINERS = lexicon.words("pronouns", "determiner")  # "her boat"
RELATIVES = lexicon.words("pronouns", "relative")

TITLES = lexicon.words("titles") - lexicon.words("titles", "foreign")
# In small letters, inside a name before a capitalised word: "Ludwig van Beethoven".
PARTICLES = lexicon.words("name_particles")
LEADING_PARTICLES = lexicon.words("name_particles", "leading")  # these also open one: "de Gaulle"
GIVEN_PARTICLES = lexicon.words("name_particles", "given")  # first of a name, a given name: "Ben Nicholson"
# Inside a name between words that the memory put into one cell: "Joan of Arc", "Alexander the Great".
LINKERS = frozenset(("of", "the"))
CONJUNCTIONS = frozenset(("and", "or", "nor", "&"))
_SUFFIXES = lexicon.words("name_suffixes", "dotted")
_NUMERALS = frozenset(numeral.upper() for numeral in lexicon.words("name_suffixes", "numeral"))
_DOTTED = lexicon.words("titles", "dotted") | _SUFFIXES

# Capitalised at the head of a sentence or by convention, never for being part of a person's name.
ORDINARY_WORDS = lexicon.words("ordinary_words")
# Names too, so ordinary only at the head of a sentence and only if the memory saw no person: "Will Jane come?"
ORDINARY_OPENERS = frozenset(("will", "may"))
ARTICLES = lexicon.words("function_words", "article")
DETERMINERS = ARTICLES | lexicon.words("function_words", "demonstrative")  # open a nominal mention: "the old man"

PERSON_NOUNS = lexicon.words("person_nouns", "common")  # no name, even with a capital at the head of a sentence
ANYBODY = lexicon.words("person_nouns", "generic")  # what anybody may be called, whatever else they are
INDEFINITES = lexicon.words("person_nouns", "indefinite")  # nobody in particular

CLITICS = lexicon.words("word_endings", "clitic")  # after an apostrophe no part of the word: "Jane's", "he'll"
NAMELESS_ENDINGS = lexicon.words("word_endings", "compound")  # after a hyphen, no part of a name: "Seattle-based"


def listed(text: str) -> frozenset[str]:
    """The words of a string, as a set."""
    return frozenset(text.split())


def plain(word: str) -> str:
    """A word as the lexicon spells it: lower case, no final dot, a straight apostrophe, accents composed."""
    return unicodedata.normalize("NFC", word.lower()).replace("’", "'").rstrip(".")


def is_pronoun(word: str) -> bool:
    """Whether a word is a personal or relative pronoun."""
    # In capitals "US" and "IT" are more often a country and a trade.
    return word.lower() in PRONOUNS and word not in ("US", "IT")


def is_capitalised(word: str) -> bool:
    """Whether the first letter is a capital, or of a script that has none."""
    first = next((letter for letter in word if letter.isalpha()), "")
    return first.isupper() or first.istitle() or is_caseless(first)


def is_caseless(letter: str) -> bool:
    """Whether a letter belongs to a script without capitals."""
    return letter != "" and unicodedata.category(letter) == "Lo"


def is_initial(word: str) -> bool:
    """Whether a word is one capital letter, with or without its dot, other than the words "I" and "A"."""
    return word[0].isupper() and (word[1:] == "." or (len(word) == 1 and word not in "AI"))


def is_suffix(word: str) -> bool:
    """Whether a word follows a name and ends it: "Jr.", "III"."""
    return plain(word) in _SUFFIXES or word in _NUMERALS


def looks_like_name(word: str) -> bool:
    """Whether a word the memory passed over may belong to the name beside it.

    Written with a capital and small letters, as initials, or as what follows a name;
    WORDS ALL IN CAPITALS say nothing about names.
    """
    if plain(word) in ORDINARY_WORDS:
        return False
    mixed = word[0].isupper() and any(letter.islower() for letter in word)
    dotted = word[0].isupper() and "." in word
    return mixed or dotted or is_initial(word) or is_suffix(word)


def takes_dot(word: str) -> bool:
    """Whether a dot right after the word is part of it: "Mr.", "J.", "U.S."."""
    letters = word.split(".")
    if len(letters) > 1 or (len(word) == 1 and word != "I"):
        return all(len(part) <= 2 for part in letters) and word[:1].isupper()
    return word[:1].isupper() and plain(word) in _DOTTED
