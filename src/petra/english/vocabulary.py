"""Closed lists of English words, and what can be told from a word's letters.

The lists are short on purpose. They settle how words combine into a mention and
what kind of mention it is; whether there is one at all, the memory decides.
"""

from __future__ import annotations

import unicodedata


def listed(words: str) -> frozenset[str]:
    """Words written one after the other, as a list to look them up in."""
    return frozenset(words.split())


PRONOUNS = listed("""
    i me my mine myself we us our ours ourselves ourself
    you your yours yourself yourselves thou thee thy thine thyself ye
    he him his himself she her hers herself it its itself
    they them their theirs themselves themself
    who whom whose whoever whomever
    """)

# Stay with the name they follow and end it: "Martin Luther King, Jr."
_SUFFIXES = frozenset(("jr", "sr", "esq"))
_NUMERALS = listed("II III IV VI VII VIII IX XI XII XIII XIV XV XVI")

# Written with a dot that ends no sentence, and no part of what tells two people apart.
_DOTTED_TITLES = listed("""
    mr mrs ms mx messrs mme mlle dr prof rev hon fr st gen col lt capt cpt cmdr maj sgt cpl adm gov sen rep pres
    """)
TITLES = _DOTTED_TITLES | listed("""
    miss madam madame sir lord lady dame master mister doctor professor reverend father mother sister brother
    aunt uncle captain colonel major general admiral sergeant lieutenant judge justice president senator governor
    king queen prince princess duke duchess earl count countess baron baroness saint pope bishop
    """)
_DOTTED = _DOTTED_TITLES | _SUFFIXES

# Inside a name before a capitalised word: "Ludwig van Beethoven".
PARTICLES = listed(
    "van von vom zu der den dem de del della di da das dos du des la le el al bin ibn bint ben ter y e ap"
)
# Particles that also open one: "de Gaulle". The others are words of their own too often.
LEADING_PARTICLES = listed("van von der de del della di da du bin ibn")
# Inside a name between words that the memory put into one cell: "Joan of Arc", "Alexander the Great".
LINKERS = frozenset(("of", "the"))

# Capitalised at the head of a sentence or by convention, never for being part of a person's name.
ORDINARY_WORDS = listed("""
    a an the this that these those such another each every either neither both all any some many most much few several
    no not nor never none other others
    and or but so yet for if unless because since although though while whereas whether than
    as at by in into of off on onto out over under up down upon with within without about above across after against
    along among around before behind below beneath beside besides between beyond despite during except from inside
    like near outside past per through throughout till to toward towards underneath unlike until via
    when whenever where wherever why how what whatever which
    am is are was were be been being do does did done has have had having can could would should must shall might
    let lets got get said says asked told went came saw made took
    here there then thus hence now today tonight tomorrow yesterday once twice again soon later earlier afterwards
    still also too even just only already always often sometimes usually perhaps maybe however therefore moreover
    furthermore meanwhile nevertheless nonetheless instead otherwise indeed finally eventually recently suddenly
    unfortunately fortunately originally initially subsequently together apart rather quite very
    first second third next last one two three four five six seven eight nine ten
    oh ah alas well yes hello hi hey goodbye thanks thank please dear poor
    monday tuesday wednesday thursday friday saturday sunday january february july september october november
    december christmas easter u.s u.k u.n e.u
    """)
# Of the ordinary words, those that open a nominal mention: "the old man".
DETERMINERS = frozenset(("a", "an", "the", "this", "that", "these", "those"))
# Names too, so ordinary only at the head of a sentence and only if the memory saw no person: "Will Jane come?"
ORDINARY_OPENERS = frozenset(("will", "may"))

# Capitalised at the head of a sentence these are no name.
PERSON_NOUNS = listed("""
    man woman boy girl child baby people men women boys girls children parents mother father mom dad mum son daughter
    brother sister husband wife uncle aunt cousin nephew niece grandfather grandmother friend friends neighbor neighbour
    doctor nurse teacher lawyer judge officer soldier captain king queen prince princess president actor actress singer
    writer author boss guest guests student students someone somebody everyone everybody nobody anyone
    """)

# What anybody may be called, whatever else they are.
ANYBODY = listed("""
    man woman boy girl child baby lad lass lady gentleman person fellow chap creature being soul thing figure one
    people men women boys girls children ladies gentlemen persons fellows folk folks youth stranger friend friends
    companion comrade visitor guest dear darling sir madam other others rest victim
    """)

# Nobody in particular.
INDEFINITES = listed("nobody none anybody anyone somebody someone everybody everyone")

# After an apostrophe these are no part of the word: "Jane's", "he'll", "didn't".
CLITICS = frozenset(("s", "m", "d", "t", "ll", "ve", "re", "em"))

# After a hyphen these make another word of a name: "Seattle-based".
NAMELESS_ENDINGS = listed("based born bred built era esque inspired led like made owned style themed trained type")


def plain(word: str) -> str:
    """A word as the lists spell it: lower case, no final dot, a straight apostrophe."""
    return word.lower().replace("’", "'").rstrip(".")


def is_pronoun(word: str) -> bool:
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
        return all(len(part) <= 2 for part in letters) and word[0].isupper()
    return word[0].isupper() and plain(word) in _DOTTED
