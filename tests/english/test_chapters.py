from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petra.english.chapters import Chapter, find_chapters

BODY = "Ada went down to the harbour, and Tom went with her.\nThe boats were out.\n\nNobody else had come."


def headings(text: str) -> list[str]:
    return [chapter.heading for chapter in find_chapters(text)]


def book(*headings: str, line_end: str = "\n") -> str:
    return "\n\n".join(f"{heading}\n\n{BODY}" for heading in headings).replace("\n", line_end)


@pytest.mark.parametrize(
    "given",
    [
        ["CHAPTER I.", "CHAPTER II.", "CHAPTER III."],
        ["Chapter 1", "Chapter 2"],
        ["Chapter 1: The Boats", "Chapter 2: In Which Nothing Happens"],
        ["Chapter One", "Chapter Two", "Chapter Twenty-One"],
        ["CHAPTER THE FIRST", "CHAPTER THE LAST"],
        ["I", "II", "III", "IV"],
        ["1.", "2.", "3."],
        ["I. THE HARBOUR", "II. THE BOATS"],
        ["LETTER I", "LETTER II", "CHAPTER I"],
        ["PROLOGUE", "Chapter 1", "Epilogue"],
        ["BOOK THE FIRST", "BOOK THE SECOND"],
        ["STAVE ONE", "STAVE TWO"],
        ["CHAPTER I."],
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_headings(given: list[str], line_end: str) -> None:
    assert headings(book(*given, line_end=line_end)) == given


def test_a_chapter_goes_from_its_heading_to_the_next() -> None:
    text = f"The Harbour\n\nby Nobody\n\n{book('  CHAPTER I', 'CHAPTER II')}\n"
    first, second = find_chapters(text)
    assert (first.number, second.number) == (1, 2)
    assert text[first.start :].startswith("CHAPTER I\n")
    assert text[second.start :].startswith("CHAPTER II\n")
    assert (first.end, second.end) == (second.start, len(text))


def test_a_title_on_lines_of_its_own() -> None:
    text = f"CHAPTER I\n\nDown to the Harbour\n\n{BODY}\n\nCHAPTER II\nIN WHICH NOBODY COMES, AND\nTOM GOES\n\n{BODY}"
    assert headings(text) == [
        "CHAPTER I Down to the Harbour",
        "CHAPTER II IN WHICH NOBODY COMES, AND TOM GOES",
    ]


def test_the_first_words_of_a_chapter_are_no_title() -> None:
    assert headings(f"Chapter 1\n\nIt rained.\n\n{BODY}\n\nChapter 2\n{BODY}") == ["Chapter 1", "Chapter 2"]
    assert headings(f'Chapter 1\n\n"Tom!"\n\n{BODY}') == ["Chapter 1"]


def test_parts_hold_chapters() -> None:
    text = f"VOLUME I\n\n{book('CHAPTER I', 'CHAPTER II')}\n\nVOLUME II\n\n{book('CHAPTER I')}"
    found = find_chapters(text)
    assert [(chapter.heading, chapter.part) for chapter in found] == [
        ("CHAPTER I", "VOLUME I"),
        ("CHAPTER II", "VOLUME I"),
        ("CHAPTER I", "VOLUME II"),
    ]
    assert text[found[2].start :].startswith("VOLUME II")  # with which the chapter opens
    assert headings(f"PART ONE\n\n{book('I', 'II')}\n\nPART TWO\n\n{BODY}") == ["I", "II", "PART TWO"]


@pytest.mark.parametrize(
    "contents",
    [
        "CONTENTS\n\nCHAPTER I.\n\nCHAPTER II.\n\nCHAPTER III.",
        "CONTENTS\n\nCHAPTER I. The Boats\n\nCHAPTER II. The Harbour\n\nCHAPTER III. Home",
        "Contents\n\nPREFACE\n\nI. THE BOATS\n\nII. THE HARBOUR\n\nIII. HOME",
        "Contents\n\nCHAPTER I. The Boats 1\nCHAPTER II. The Harbour 7\nCHAPTER III. Home 12",
    ],
)
def test_a_table_of_contents_is_no_chapter(contents: str) -> None:
    text = f"{contents}\n\n{book('CHAPTER I.', 'CHAPTER II.', 'CHAPTER III.')}"
    found = find_chapters(text)
    assert [chapter.heading for chapter in found][-3:] == ["CHAPTER I.", "CHAPTER II.", "CHAPTER III."]
    assert len(found) == 3
    assert found[0].start > len(contents)


def test_a_table_of_contents_with_volumes_and_a_preface_after_it() -> None:
    contents = "VOLUME I\n\nCHAPTER I\n\nCHAPTER II\n\nVOLUME II\n\nCHAPTER I\n\nCHAPTER II"
    volumes = f"VOLUME I\n\n{book('CHAPTER I', 'CHAPTER II')}\n\nVOLUME II\n\n{book('CHAPTER I', 'CHAPTER II')}"
    text = f"{contents}\n\n{BODY * 20}\n\n{volumes}"
    assert [chapter.part for chapter in find_chapters(text)] == ["VOLUME I", "VOLUME I", "VOLUME II", "VOLUME II"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        BODY,
        f"{BODY}\n\nPart I was the longest of the three.\n\n{BODY}",
        f"{BODY}\n\nPart of it was true.\n\nBook me a seat.\n\n{BODY}",
        f"{BODY}\n\nchapter 3\n\n{BODY}",
        f"{BODY}\n\nIV\n\n{BODY}",  # a number alone that is in no sequence
        f"{BODY}\n\n1984\n\n{BODY}",
        f"Preface\n\n{BODY}",
        "CHAPTER I\n\nCHAPTER II\n\nCHAPTER III",  # a list of chapters
        f"She read\n\n1\n\nand read\n\n2\n\nand read.\n\n{BODY}",  # the numbers of pages
        f"1. Wash the boat.\n\n2. Dry it.\n\n{BODY}",
    ],
)
def test_a_text_without_chapters(text: str) -> None:
    assert find_chapters(text) == ()


@given(
    st.lists(
        st.sampled_from(
            ["CHAPTER I", "II", "1", "PART ONE", "Prologue", "\n", "\r\n", "\r", " ", "a. B", "CHAPTER II."]
        )
        | st.text(max_size=5)
    ).map("".join)
)
def test_chapters_of_any_text_lie_side_by_side(text: str) -> None:
    chapters = find_chapters(text)
    assert [chapter.number for chapter in chapters] == list(range(1, len(chapters) + 1))
    assert all(chapter.heading and chapter.start < chapter.end for chapter in chapters)
    assert [chapter.end for chapter in chapters[:-1]] == [chapter.start for chapter in chapters[1:]]
    assert not chapters or chapters[-1].end == len(text)


def test_a_chapter_is_a_value() -> None:
    assert find_chapters(f"Chapter 1\n\n{BODY}") == (Chapter(1, "Chapter 1", 0, 11 + len(BODY)),)
