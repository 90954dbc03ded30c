"""What single English words say about the gender and number of a person."""

from __future__ import annotations

from typing import Literal

from petra.english.vocabulary import listed, plain

Gender = Literal["masculine", "feminine"]
Number = Literal["one", "many"]


MASCULINE_TITLES = listed("""
    mr mister sir lord master king prince duke earl count baron pope father brother uncle monsieur herr don signor
    messrs
    """)
FEMININE_TITLES = listed("""
    mrs ms miss mme mlle madam madame mademoiselle lady dame queen princess duchess countess baroness mother sister aunt
    frau fraulein donna signora
    """)
_MASCULINE = listed("""
    he him his himself
    man men boy boys gentleman gentlemen lad lads fellow fellows guy son sons father fathers dad papa pap pa brother
    brothers husband husbands uncle uncles nephew nephews grandfather grandson bridegroom widower bachelor king prince
    duke earl lord lords baron sir actor waiter steward footman coachman policeman priest monk friar schoolboy
    """)
_FEMININE = listed("""
    she her hers herself
    woman women girl girls lady ladies lass maid maids maiden daughter daughters mother mothers mom mum mamma mama ma
    sister sisters wife wives aunt aunts niece nieces grandmother granddaughter bride widow spinster queen princess
    duchess countess baroness madam actress waitress housekeeper governess nurse nun schoolgirl mistress
    """)
_ONE = listed("""
    he him his himself she her hers herself i me my mine myself thou thee thy thine thyself yourself
    man woman boy girl gentleman lady child
    """)
_MANY = listed("""
    they them their theirs themselves we us our ours ourselves yourselves
    men women people children gentlemen folk folks parents persons
    """)
KIN = listed("""
    mother father mamma mama mum mom ma papa dad pap pa sister brother aunt uncle cousin son daughter wife husband
    nephew niece grandmother grandfather grandson granddaughter
    """)
_NO_PLURALS = ("ss", "us", "is", "'s", "’s")


def gender_of(word: str) -> Gender | None:
    """What a pronoun or noun says: the head word of a nominal, "his mother" -> feminine."""
    word = plain(word)
    if word in _MASCULINE:
        return "masculine"
    return "feminine" if word in _FEMININE else None


def number_of(word: str) -> Number | None:
    """Whether a pronoun or noun is of one person or of several; nouns in -s are taken to be of several."""
    word = plain(word)
    if word in _ONE:
        return "one"
    is_plural = len(word) > 3 and word.endswith("s") and not word.endswith(_NO_PLURALS)
    return "many" if word in _MANY or is_plural else None
