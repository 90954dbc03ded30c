"""WebAnno TSV 3.3, which WebAnno and INCEpTION read: the people are chains of the layer "Coreference".

Offsets in the file count UTF-16 units, as these programs do. The layer comes with every
project, so that nothing has to be set up; there is none for quotations.
"""

from __future__ import annotations

from collections import Counter

from petra.report.export.format import ExportOptions, Files, Format
from petra.report.export.layout import Layout, lay_out
from petra.report.export.tracked import TrackedText

_LAYER = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink"
_ESCAPES = {character: f"\\{chr(character)}" for character in range(32) if not 7 < character < 14}
_ESCAPES |= dict(zip(map(ord, "\t\n\f\r\b\\"), (r"\t", r"\n", r"\f", r"\r", r"\b", r"\\"), strict=True))


def _files(tracked: TrackedText, _: ExportOptions) -> Files:
    layout = lay_out(tracked)
    chains = _chains(layout)
    lines = ["#FORMAT=WebAnno TSV 3.3", f"#T_CH={_LAYER}|referenceRelation|referenceType", ""]
    units, place = 0, 0  # UTF-16 units of the text up to a place
    for number, sentence in enumerate(layout.sentences, start=1):
        text = layout.text[layout.tokens[sentence[0]].start : layout.tokens[sentence[-1]].end]
        lines += "", *(f"#Text={line.translate(_ESCAPES)}" for line in text.split("\n"))
        for position, token in enumerate(sentence, start=1):
            start, end = layout.tokens[token]
            units += _length(layout.text[place:start])
            first, units, place = units, units + _length(layout.text[start:end]), end
            links = chains.get(token, ())
            relations = "|".join(f"*->{person}-{link}" for person, link, _ in links) or "_"
            types = "|".join(f"{kind}[{person}]" for person, _, kind in links) or "_"
            lines.append(f"{number}-{position}\t{first}-{units}\t{layout.word(token)}\t{relations}\t{types}\t")
    return {".tsv": "".join(f"{line}\n" for line in lines)}


def _chains(layout: Layout) -> dict[int, list[tuple[int, int, str]]]:
    """The chain, the number in it and the kind of each mention that a token is in."""
    found: dict[int, list[tuple[int, int, str]]] = {}
    links: Counter[int] = Counter()
    for it in layout.mentions:
        links[it.person.id] += 1
        for token in it.tokens:
            found.setdefault(token, []).append((it.person.id, links[it.person.id], it.mention.kind))
    return found


def _length(text: str) -> int:
    """UTF-16 units of a text."""
    return len(text) + sum(character > "\uffff" for character in text)


FORMAT = Format(about="WebAnno TSV 3.3, for WebAnno and INCEpTION", files=_files)
