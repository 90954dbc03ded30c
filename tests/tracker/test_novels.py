"""The first chapters of a novel: whoever goes by several names is one person, and who shares one is not."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from absent import need_encoder

import petra
from petra.trained import model_folder, read_config

NOVEL = "novels/1342_pride_and_prejudice.txt"
LENGTH = 15_000  # characters: chapters 1 to 3
PEOPLE = [["Elizabeth", "Lizzy", "Elizabeth Bennet"], ["Mr. Bennet"], ["Mrs. Bennet"], ["Jane"], ["Mr. Darcy"]]


@pytest.mark.parametrize("name", ["base", "small"])
def test_people_of_many_names_are_one_person_each(data: Path, name: str) -> None:
    need_encoder(read_config(model_folder(name)).encoder.name)
    text = (data / NOVEL).read_text(encoding="utf-8")[:LENGTH]
    people = defaultdict[str, set[int]](set)
    for person in petra.load(name, device="cpu").track(text).people:
        for mention in person.mentions:
            people[mention.text].add(person.id)
    found = [set[int]().union(*(people[called] for called in names)) for names in PEOPLE]
    assert [len(each) for each in found] == [1] * len(PEOPLE)
    assert len(set[int]().union(*found)) == len(PEOPLE)
