"""CoNLL-2012: a token a line, with the people in the last column and speakers in the tenth.

The format keeps no spaces: tokens are found in the text by looking for each after the one
before. Columns for what PeTra does not tell hold "-", and the parse "*".
"""

from __future__ import annotations

from petra.report.export.format import ExportOptions, Files, Format
from petra.report.export.layout import Layout, lay_out
from petra.report.export.names import document_id, one_word
from petra.report.export.tracked import TrackedText


def _files(tracked: TrackedText, _: ExportOptions) -> Files:
    layout = lay_out(tracked)
    name = document_id(tracked.source)
    speakers = _speakers(tracked, layout)
    people = _people_column(layout)
    lines = [f"#begin document ({name}); part 000"]
    for sentence in layout.sentences:
        for number, token in enumerate(sentence):
            speaker = speakers.get(token, "-")
            columns = (name, "0", str(number), layout.word(token), "-", "*", "-", "-", "-", speaker, "*", people[token])
            lines.append("   ".join(columns))
        lines.append("")
    lines.append("#end document")
    return {".conll": "".join(f"{line}\n" for line in lines)}


def _people_column(layout: Layout) -> list[str]:
    opening, closing = layout.opening(), layout.closing()
    column = []
    for token in range(len(layout.tokens)):
        parts = [f"({it.person.id}" + (")" if len(it.tokens) == 1 else "") for it in opening.get(token, ())]
        parts += (f"{it.person.id})" for it in closing.get(token, ()) if len(it.tokens) > 1)
        column.append("|".join(parts) or "-")
    return column


def _speakers(tracked: TrackedText, layout: Layout) -> dict[int, str]:
    """Who says each token that is said."""
    names = {person.id: one_word(person.name) for person in tracked.people}
    return {
        token: names[quotation.speaker]
        for quotation in tracked.quotations
        if quotation.speaker is not None
        for start, end in quotation.parts
        for token in layout.tokens_in(start, end)
    }


FORMAT = Format(
    about="coreference in the columns of CoNLL-2012, for scorers and models", files=_files, can_be_joined=True
)
