"""Closed classes of English words that show what stands beside them: a subject, an object, a clause, a name."""

from __future__ import annotations

from petra.english import lexicon

SUBORDINATORS = lexicon.words("function_words", "subordinator")  # a clause follows: "when Ada left"
PREPOSITIONS = lexicon.words("function_words", "preposition")  # a name alone follows: "with Ada"
LOCATIVES = lexicon.words("function_words", "locative")  # before a name that is rather of a place: "in Paris"
OPENERS = lexicon.words("function_words", "opener")  # of a phrase before the subject: "In her first year, Ada ..."
NOT_AFTER_SUBJECT = lexicon.words("function_words", "not-after-subject")
PHRASE_ENDS = lexicon.words("function_words", "phrase-end")  # after a noun these show that its phrase has ended
QUANTIFIERS = lexicon.words("function_words", "quantifier")

CLAUSE_VERBS = lexicon.words("verbs", "clause")  # a clause may follow: "said Ada was ill"
OBJECT_VERBS = lexicon.words("verbs", "object")  # a person may follow: "told Ada"
HUMAN_VERBS = CLAUSE_VERBS | lexicon.words("verbs", "human")  # what people do, and clubs, ships and towns do not
AUXILIARIES = lexicon.words("verbs", "auxiliary")

ADVERBS = lexicon.words("function_words", "adverb")  # between a subject and its verb
_IRREGULAR_PAST = lexicon.words("verbs", "past")
_NOT_VERBS = lexicon.words("not_verbs") | ADVERBS


def is_verb(word: str) -> bool:
    """Whether a word is a verb of the third person or in the past tense, as far as its form and the lists tell."""
    if word in _NOT_VERBS:
        return False
    if word in AUXILIARIES or word in _IRREGULAR_PAST:
        return True
    return len(word) > 3 and word.endswith(("ed", "s")) and not word.endswith("ss")
