"""Names that a pronoun can replace: the person was named shortly before, and a reader would know whom it means.

Either nobody else of the gender is named in between, or the earlier name is the
subject of its sentence, the later one is too, and the others in between are not:
readers take a subject up again. A name in a quotation is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from petra.corpora.gap import Span
from petra.english.grammar import SUBORDINATORS
from petra.english.sentences import Passage
from petra.training.data.instances.edits import TextEdit
from petra.training.data.instances.people import Naming
from petra.training.data.instances.roles import GrammaticalRole, leads, pronoun, role_of, stranger_leads
from petra.training.data.instances.snippets import PronounReference, gender_of


def replaceable(passage: Passage, namings: Sequence[Naming]) -> Iterator[PronounReference]:
    """The references that replacing one name of the passage makes, in the order of the text."""
    for number, naming in enumerate(namings):
        antecedent = next((it for it in reversed(namings[:number]) if it.person == naming.person), None)
        if antecedent is None or not naming.person.sure:
            continue
        whole = range(naming.words[0] - naming.titles, naming.words[-1] + 1)
        role = role_of(passage, whole)
        if role is None or passage.words[whole[0]].quoted:
            continue
        if not _clear(passage, namings, namings.index(antecedent), number, role):
            continue
        word = pronoun(naming.person.gender, role, capital=passage.opens_sentence(whole[0]))
        yield PronounReference(
            kind="replaced",
            passage=passage,
            namings=[*namings[:number], *namings[number + 1 :]],
            pronoun=whole,
            nearest=antecedent,
            edits=(TextEdit(Span(passage.words[whole[0]].start, passage.words[whole[-1]].reach), word),),
        )


def _clear(passage: Passage, namings: Sequence[Naming], earlier: int, later: int, role: GrammaticalRole) -> bool:
    """Whether a reader would take a pronoun at the later naming for the person of the earlier one."""
    antecedent, naming = namings[earlier], namings[later]
    first, last = antecedent.words[-1] + 1, naming.words[0] - naming.titles
    distance = passage.words[last].sentence - passage.sentence_of(antecedent.words)
    words = passage.words[first:last]
    subject = role_of(passage, antecedent.words) == "subject"
    if distance > 1:
        return False
    if role == "object" and subject and distance == 0 and SUBORDINATORS.isdisjoint(it.lower for it in words):
        return False  # that would be "himself"
    known = {place for it in namings for place in it.words}
    if any(stranger_leads(passage, place) for place in range(first, last) if place not in known):
        return False
    beside = passage.sentences[passage.sentence_of(antecedent.words)]
    before = [it for it in _rivals(namings[:earlier], naming) if it.words[0] in beside]
    if not subject and any(leads(passage, it.words) for it in before):
        return False  # the subject of the earlier sentence has the better claim
    rivals = _rivals(namings[earlier + 1 : later], naming)
    if not rivals:
        return True
    unheard = not any(gender_of(it) == naming.person.gender for it in words)
    return subject and role == "subject" and unheard and not any(leads(passage, it.words) for it in rivals)


def _rivals(namings: Sequence[Naming], naming: Naming) -> list[Naming]:
    person = naming.person
    return [it for it in namings if it.person != person and it.person.gender == person.gender]
