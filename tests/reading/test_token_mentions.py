from __future__ import annotations

import pytest
from written_logs import Mark, written_log

from petra.people.finding import find_people

N, S = "new", "same"


def mentions(text: str, *marks: Mark) -> list[tuple[str, str]]:
    """The mentions of everybody in text order, with their kinds."""
    people = find_people(written_log(text, *marks))
    found = sorted((mention.start, mention.text, mention.kind) for person in people for mention in person.mentions)
    return [(mention, kind) for _, mention, kind in found]


def decided(text: str, *words: str) -> list[str]:
    """The mentions found when the memory puts these words, in order, into one cell."""
    marks: list[Mark] = [(word, 0, "same") for word in words]
    return [mention for mention, _ in mentions(text, *marks)]


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        # Words of a name stay together, whichever of them the memory decided on.
        ("We met Addison Montgomery there.", ["Addison", "Montgomery"], ["Addison Montgomery"]),
        ("We met Addison Montgomery there.", ["Addison"], ["Addison Montgomery"]),
        ("We met Addison Montgomery there.", ["Montgomery"], ["Addison Montgomery"]),
        ("Addison Forbes Montgomery left.", ["Addison", "Montgomery"], ["Addison Forbes Montgomery"]),
        ("He heard Ludwig van Beethoven play.", ["Beethoven"], ["Ludwig van Beethoven"]),
        ("He heard Ludwig van Beethoven play.", ["Ludwig"], ["Ludwig van Beethoven"]),
        ("a house by Ludwig Mies van der Rohe", ["Mies"], ["Ludwig Mies van der Rohe"]),
        ("a painting by van Gogh", ["Gogh"], ["van Gogh"]),
        ("the Martin Luther King, Jr. library", ["King"], ["Martin Luther King, Jr."]),
        ("after Martin Luther King Jr. Ralph spoke", ["Martin", "Ralph"], ["Martin Luther King Jr.", "Ralph"]),
        ("when Elizabeth II came", ["Elizabeth"], ["Elizabeth II"]),
        ("with Mr. Darcy", ["Darcy"], ["Mr. Darcy"]),
        ("Dr. Amelia Shepherd left.", ["Amelia"], ["Dr. Amelia Shepherd"]),
        ("by J. K. Rowling and J.R.R. Tolkien", ["Rowling", "Tolkien"], ["J. K. Rowling", "J.R.R. Tolkien"]),
        ("called Jean-Luc O'Neil here", ["Luc"], ["Jean-Luc O'Neil"]),
        ("Xi Jinping spoke.", ["Jinping"], ["Xi Jinping"]),
        # Over the end of a line, not over a blank one.
        ("met Addison\r\nMontgomery", ["Addison"], ["Addison\r\nMontgomery"]),
        ("met Addison\n\nMontgomery", ["Addison"], ["Addison"]),
        # Small words inside a name: only where the memory put both sides into one cell.
        ("for Joan of Arc and", ["Joan", "Arc"], ["Joan of Arc"]),
        ("for Alexander the Great and", ["Alexander", "Great"], ["Alexander the Great"]),
        ("saw Joan of Paris", ["Joan"], ["Joan"]),
        ("saw Joan the other day", ["Joan"], ["Joan"]),
        # A sentence, a comma, an ordinary word or a possessive keeps names apart.
        ("met Addison. Montgomery left", ["Addison"], ["Addison"]),
        ("met Addison, Derek and Meredith", ["Addison", "Derek", "Meredith"], ["Addison", "Derek", "Meredith"]),
        ("When Addison came", ["Addison"], ["Addison"]),
        ("Will Jane come?", ["Jane"], ["Jane"]),
        ("Will Smith came.", ["Will"], ["Will Smith"]),
        ("On Monday Jane left.", ["Jane"], ["Jane"]),
        ("with Russia's Svetlana", ["Svetlana"], ["Svetlana"]),
        ("Jane's Aunt came", ["Jane"], ["Jane"]),
        ("the U.S. President Grant", ["Grant"], ["President Grant"]),
        # CAPITALS tell nothing: only what was decided on is taken.
        ("ADDISON MONTGOMERY LEFT", ["ADDISON"], ["ADDISON"]),
        ("ADDISON MONTGOMERY LEFT", ["ADDISON", "MONTGOMERY"], ["ADDISON MONTGOMERY"]),
        # At most two words in a row are taken that the memory passed over.
        ("so Addison Wins Great Prize Again", ["Addison"], ["Addison Wins Great"]),
        # The dot of a last initial ends the sentence.
        ("about Malcolm X. There", ["Malcolm"], ["Malcolm X"]),
        # A possessive ending is no part of a mention.
        ("in Jane Bennet's house", ["Jane"], ["Jane Bennet"]),
        ("张三去了北京", ["张三去了北京"], ["张三去了北京"]),
    ],
)
def test_names_are_kept_together(text: str, words: list[str], found: list[str]) -> None:
    assert decided(text, *words) == found


def test_a_pronoun_is_always_a_mention_of_its_own() -> None:
    text = "Her Majesty said Jane herself gave him his."
    marks: list[Mark] = [(word, 0, "same") for word in ["Her", "Majesty", "Jane", "herself", "him", "his"]]
    assert mentions(text, *marks) == [
        ("Her", "pronoun"),
        ("Majesty", "name"),
        ("Jane", "name"),
        ("herself", "pronoun"),
        ("him", "pronoun"),
        ("his", "pronoun"),
    ]


@pytest.mark.parametrize("contracted", ["she's", "She’ll", "SHE'D"])
def test_a_contracted_pronoun_is_a_pronoun(contracted: str) -> None:
    assert mentions(f"and {contracted} gone", (contracted[:3], 0, "new")) == [(contracted[:3], "pronoun")]


@pytest.mark.parametrize("spelling", ["US", "IT"])
def test_a_country_and_a_trade_are_no_pronouns(spelling: str) -> None:
    assert mentions(f"the {spelling} team", (spelling, 0, "new")) == [(spelling, "name")]


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("his mother left", ["his", "mother"], [("his", "pronoun"), ("mother", "nominal")]),
        ("and the old man left", ["the", "old", "man"], [("the old man", "nominal")]),
        ("and the old man left", ["old", "man"], [("old man", "nominal")]),
        ("and the old man left", ["and", "the", "man"], [("man", "nominal")]),
        ("his brother Tom", ["brother", "Tom"], [("brother", "nominal"), ("Tom", "name")]),
        ("her mother-in-law", ["law"], [("mother-in-law", "nominal")]),
        # At the head of a sentence a capital makes no name of an ordinary noun; within it does.
        ("Mother left.", ["Mother"], [("Mother", "nominal")]),
        ("then Mother left.", ["Mother"], [("Mother", "name")]),
        ("Mother Teresa left.", ["Mother"], [("Mother Teresa", "name")]),
        ("The girl left.", ["The", "girl"], [("The girl", "nominal")]),
        # Ordinary words alone and punctuation are no mention.
        ("Then the end.", ["Then", "the", "."], []),
        ("met Jane in Rome", ["Jane", "in"], [("Jane", "name")]),
    ],
)
def test_nominal_mentions(text: str, words: list[str], found: list[tuple[str, str]]) -> None:
    marks: list[Mark] = [(word, 0, "same") for word in words]
    assert mentions(text, *marks) == found


def test_a_text_in_title_case_is_not_one_endless_name() -> None:
    words = [f"Word{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    found = decided(" ".join(words), *words)
    assert [len(mention.split()) for mention in found] == [16, 10]
