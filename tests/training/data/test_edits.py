from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from petra.corpora.gap import Span
from petra.training.data.instances.edits import TextEdit, rewrite


def test_spans_move_with_the_words_around_them() -> None:
    text = "Ada met Ruth."
    edits = [TextEdit(Span(8, 12), "Bo"), TextEdit(Span(0, 3), "Edwina")]
    changed, spans = rewrite(text, edits, [Span(0, 3), Span(4, 7), Span(8, 12), Span(0, 13)])
    assert changed == "Edwina met Bo."
    assert [changed[start:end] for start, end in spans] == ["Edwina", "met", "Bo", "Edwina met Bo."]


@st.composite
def edited_words(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Words, and what each becomes; most stay."""
    words = draw(st.lists(st.text("abc", min_size=1, max_size=5), min_size=1, max_size=12))
    return words, [draw(st.one_of(st.just(word), st.text("xyz", max_size=5))) for word in words]


@given(edited_words())
def test_every_span_slices_to_the_new_word(sample: tuple[list[str], list[str]]) -> None:
    words, new = sample
    starts = [sum(len(word) + 1 for word in words[:number]) for number in range(len(words))]
    spans = [Span(start, start + len(word)) for start, word in zip(starts, words, strict=True)]
    edits = [TextEdit(span, it) for span, word, it in zip(spans, words, new, strict=True) if word != it]
    changed, moved = rewrite(" ".join(words), edits, spans)
    assert changed == " ".join(new)
    assert [changed[start:end] for start, end in moved] == new
