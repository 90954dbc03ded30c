"""Readers of the formats that PeTra exports to, written from the formats' descriptions alone.

Each gives the mentions as (start, end, person), in text order, in characters of the text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from xml.etree import ElementTree

Found = list[tuple[int, int, int]]
TEI = "{http://www.tei-c.org/ns/1.0}"
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"


def conll_documents(content: str) -> dict[str, list[list[list[str]]]]:
    """The sentences of each document of a CoNLL-2012 file, each a list of rows of columns."""
    documents: dict[str, list[list[list[str]]]] = {}
    sentences: list[list[list[str]]] | None = None
    for line in content.split("\n"):
        begin = re.fullmatch(r"#begin document \((.*)\); part (\d+)", line)
        if begin:
            sentences = documents.setdefault(begin[1], [[]])
        elif line == "#end document":
            assert sentences is not None
            assert sentences.pop() == [], "a sentence ends with an empty line"
            sentences = None
        elif sentences is not None and line.strip():
            sentences[-1].append(line.split())
        elif sentences is not None:
            sentences.append([])
        else:
            assert line == ""
    return documents


def conll_chains(sentences: list[list[list[str]]]) -> dict[int, list[tuple[int, int]]]:
    """Chains of first and last tokens, as the reference scorer pairs brackets: the last one opened closes first."""
    opened: defaultdict[int, list[int]] = defaultdict(list)
    chains: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    token = 0
    for sentence in sentences:
        for row in sentence:
            for part in [] if row[-1] == "-" else row[-1].split("|"):
                match = re.fullmatch(r"(\()?(\d+)(\))?", part)
                assert match, part
                entity = int(match[2])
                if match[1]:
                    opened[entity].append(token)
                if match[3]:
                    chains[entity].append((opened[entity].pop(), token))
            token += 1
        assert not any(opened.values()), "a mention ends in its sentence"
    return chains


def read_conll2012(content: str, text: str) -> Found:
    """Mentions by looking for each token in the text after the one before."""
    (sentences,) = conll_documents(content).values()
    places = token_places([row[3] for sentence in sentences for row in sentence], text)
    return sorted(
        (places[first][0], places[last][1], entity)
        for entity, chain in conll_chains(sentences).items()
        for first, last in chain
    )


def token_places(words: list[str], text: str) -> list[tuple[int, int]]:
    places = []
    place = 0
    for word in words:
        while text[place].isspace():
            place += 1
        assert text.startswith(word, place), (word, text[place : place + 20])
        places.append((place, place + len(word)))
        place += len(word)
    assert not text[place:].strip()
    return places


_SPACES = {r"\s": " ", r"\t": "\t", r"\n": "\n", r"\r": "\r"}


def _unescaped(written: str) -> str:
    return re.sub(
        r"\\(?:u([0-9a-f]{4})|.)", lambda found: chr(int(found[1], 16)) if found[1] else _SPACES[found[0]], written
    )


def read_corefud(content: str) -> tuple[str, Found, list[tuple[str, str]]]:
    """The text that the lines give, the mentions, and each sentence's comment beside what its tokens read."""
    text = ""
    found: Found = []
    opened: defaultdict[str, list[int]] = defaultdict(list)
    sentences = []
    for block in content.split("\n\n"):
        lines = [line for line in block.split("\n") if line]
        if not lines:
            continue
        shown = ""
        for line in (line for line in lines if not line.startswith("# ")):
            columns = line.split("\t")
            assert len(columns) == 10, line
            misc = dict(item.split("=", 1) for item in columns[9].split("|") if item != "_")
            text += _unescaped(misc.get("SpacesBefore", ""))
            start = len(text)
            text += columns[1]
            for bracket in re.findall(r"\(e\d+-person-\d+-kind:\w+\)?|e\d+\)", misc.get("Entity", "")):
                entity = re.search(r"e\d+", bracket).group()  # type: ignore[union-attr]
                if bracket.startswith("("):
                    opened[entity].append(start)
                if bracket.endswith(")"):
                    found.append((opened[entity].pop(), len(text), int(entity[1:])))
            gap = "" if misc.get("SpaceAfter") == "No" else _unescaped(misc.get("SpacesAfter", " "))
            text += gap
            shown += columns[1] + (" " if gap else "")
        comment = next(line for line in lines if line.startswith("# text = "))
        sentences.append((comment.removeprefix("# text = "), shown.rstrip(" ")))
    assert not any(opened.values())
    return text, sorted(found), sentences


Said = tuple[tuple[tuple[int, int], ...], int | None, int | None]  # fragments, speaker, addressee


def read_brat(annotation: str, text: str) -> tuple[Found, list[Said]]:
    """Mentions, with the number of their set in the order of the file, and quotations with fragments and people."""
    entities: dict[str, tuple[str, list[tuple[int, int]]]] = {}
    sets: list[list[str]] = []
    relations: defaultdict[str, dict[str, str]] = defaultdict(dict)
    noted = []
    for line in annotation.split("\n")[:-1]:
        mark, rest = line.split("\t", 1)
        if mark.startswith("T"):
            head, words = rest.split("\t")
            kind, _, fragments = head.partition(" ")
            spans = [tuple(map(int, fragment.split(" "))) for fragment in fragments.split(";")]
            assert " ".join(text[start:end] for start, end in spans) == words
            assert all("\n" not in text[start:end] for start, end in spans)
            entities[mark] = kind, spans  # type: ignore[assignment]
        elif mark == "*":
            sets.append(rest.split(" ")[1:])
        elif mark.startswith("R"):
            role, first, second = rest.split(" ")
            relations[first.removeprefix("Arg1:")][role] = second.removeprefix("Arg2:")
        elif mark.startswith("#"):
            noted.append(rest.split("\t")[0].split(" ")[1])
    together = {mark: group[0] for group in sets for mark in group}
    number_of = {mark: number for number, mark in enumerate(noted, start=1)}
    mentions = [
        (spans[0][0], spans[-1][1], number_of[together.get(mark, mark)])
        for mark, (kind, spans) in entities.items()
        if kind == "Person"
    ]
    quotations = [
        (
            tuple(spans),
            number_of.get(relations[mark].get("Speaker", "")),
            number_of.get(relations[mark].get("Addressee", "")),
        )
        for mark, (kind, spans) in entities.items()
        if kind == "Quotation"
    ]
    return sorted(mentions), quotations


_ESCAPES = {r"\t": "\t", r"\n": "\n", r"\f": "\f", r"\r": "\r", r"\b": "\b", r"\\": "\\"}


def read_webanno(content: str, text: str) -> Found:
    """Mentions of a chain layer; offsets count UTF-16 units."""
    units = text.encode("utf-16-le", "surrogatepass")

    def part(begin: int, end: int) -> str:
        return units[2 * begin : 2 * end].decode("utf-16-le", "surrogatepass")

    lines = content.split("\n")
    assert lines[0] == "#FORMAT=WebAnno TSV 3.3"
    assert (
        lines[1] == "#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceRelation|referenceType"
    )
    assert lines[2] == ""
    links: dict[tuple[int, int], list[tuple[int, int]]] = {}
    sentence: list[str] = []
    begun = False
    for line in lines[3:]:
        if line.startswith("#Text=") and not begun:
            written = line.removeprefix("#Text=")
            sentence.append(re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[0], found[1]), written, flags=re.DOTALL))
        elif line == "":
            sentence, begun = [], False
        else:
            _, offsets, token, relations, types, end_of_line = line.split("\t")
            begin, end = map(int, offsets.split("-"))
            assert part(begin, end) == token
            if not begun:
                whole = "\n".join(sentence)
                assert part(begin, begin + len(whole.encode("utf-16-le", "surrogatepass")) // 2) == whole
            begun = True
            assert end_of_line == ""
            for relation, kind in zip(relations.split("|"), types.split("|"), strict=True):
                if relation != "_":
                    chain, link = map(int, relation.removeprefix("*->").split("-"))
                    assert kind.endswith(f"[{chain}]")
                    links.setdefault((chain, link), []).append((begin, end))
    found = []
    for (chain, _), tokens in links.items():
        start = len(part(0, tokens[0][0]))
        found.append((start, start + len(part(tokens[0][0], tokens[-1][1])), chain))
    return sorted(found)


def read_tei(content: str) -> tuple[str, Found, list[tuple[str, int, int, str | None]]]:
    """The text of the body, mentions, and the pieces of quotations (id of the first, start, end, who)."""
    root = ElementTree.fromstring(content.encode("utf-8", "surrogatepass"))
    body = root.find(f"{TEI}text/{TEI}body")
    assert body is not None
    parts: list[str] = []
    pieces: list[tuple[ElementTree.Element, int, int]] = []

    def read(element: ElementTree.Element) -> None:
        start = sum(map(len, parts))
        parts.append(element.text or "")
        for child in element:
            read(child)
            parts.append(child.tail or "")
        if element.tag in (f"{TEI}persName", f"{TEI}rs", f"{TEI}said"):
            pieces.append((element, start, sum(map(len, parts))))

    read(body)
    by_id = {element.get(XML_ID): (element, start, end) for element, start, end in pieces}
    found, said = [], []
    for element, start, end in pieces:
        if element.tag == f"{TEI}said":
            said.append(((element.get(XML_ID) or "").split(".")[0], start, end, element.get("who")))
        elif element.get("prev") is None:
            last = element
            while (following := last.get("next")) is not None:
                last, _, end = by_id[following.removeprefix("#")]
                assert last.get("ref") == element.get("ref")
            found.append((start, end, int(str(element.get("ref")).removeprefix("#p"))))
    return "".join(parts), sorted(found), said


def read_booknlp(files: dict[str, str]) -> tuple[Found, list[tuple[int, int, int | None]]]:
    """Mentions and quotations, by the offsets of their tokens."""

    def rows(name: str) -> list[dict[str, str]]:
        header, *lines = files[name].split("\n")[:-1]
        return [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]

    tokens = {int(row["token_ID_within_document"]): row for row in rows(".tokens")}

    def place(first: str, last: str) -> tuple[int, int]:
        return int(tokens[int(first)]["byte_onset"]), int(tokens[int(last)]["byte_offset"])

    mentions = [(*place(row["start_token"], row["end_token"]), int(row["COREF"])) for row in rows(".entities")]
    quotations = [
        (*place(row["quote_start"], row["quote_end"]), None if row["char_id"] == "None" else int(row["char_id"]))
        for row in rows(".quotes")
    ]
    return sorted(mentions), quotations
