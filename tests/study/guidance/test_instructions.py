from __future__ import annotations

from petra.study.guidance.instructions import blocks, paper_instructions


def test_paragraphs_and_lists() -> None:
    text = "One\nparagraph.\n\n- first\n  item\n- second\n\n\nThe end."
    assert list(blocks(text)) == ["One paragraph.", ["first item", "second"], "The end."]


def test_the_papers_instructions_name_models_and_cells() -> None:
    two = " ".join(paper_instructions([8, 8]).split())
    assert "You compare two models with 8 memory cells each. They are called model A and model B" in two
    assert "choose model A or model B, or stay neutral" in two
    assert "three models with memory cells of different number" in paper_instructions([8, 8, 10])
    assert "model A, model B or model C" in paper_instructions([8, 8, 10])
    assert [len(block) for block in blocks(two) if isinstance(block, list)] == []  # joined to one line above
    assert [len(block) for block in blocks(paper_instructions([8, 8])) if isinstance(block, list)] == [2, 2]
