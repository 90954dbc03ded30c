from __future__ import annotations

from pathlib import Path

import pytest

from petra.english.language import looks_english, looks_like_markup

ROOT = Path(__file__).parents[2]
OTHERS = {
    "French": """Hier soir, ma sœur a trouvé une vieille lettre dans le grenier de la maison. Elle était écrite par un
        marin qui avait quitté le port de Brest sans dire adieu à personne, et que sa femme attendait encore.""",
    "German": """Gestern Abend fand meine Schwester auf dem Dachboden einen alten Brief. Ein Seemann hatte ihn
        geschrieben, der den Hafen von Kiel verlassen hatte; seine Frau wartete noch lange auf ihn.""",
    "Spanish": """Anoche mi hermana encontró una carta vieja en el desván de la casa. La había escrito un marinero que
        dejó el puerto de Cádiz sin despedirse de nadie, y a quien su mujer esperaba todavía diez años después.""",
    "Russian": "Вчера вечером моя сестра нашла на чердаке старое письмо, которое написал моряк.",
    "Chinese": "昨天晚上,我姐姐在阁楼上发现了一封旧信,是一个水手写的,他离开港口时没有向任何人告别。",
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_other_languages_do_not_look_english(text: str) -> None:
    assert not looks_english(text)


@pytest.mark.parametrize("file", sorted((ROOT / "examples").glob("*.txt")), ids=lambda file: file.name)
def test_english_does(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert looks_english(text)
    assert not looks_like_markup(text)


def test_a_few_words_cannot_be_told() -> None:
    assert looks_english("Zdeněk Horák")
    assert looks_english("")


def test_markup_is_told_by_its_opening_or_its_tags() -> None:
    assert looks_like_markup("  <!DOCTYPE html><p>Ada")
    assert looks_like_markup('<?xml version="1.0"?><TEI/>')
    assert looks_like_markup("<p>Ada met Tom.</p>\n" * 20)
    assert not looks_like_markup("If a < b and b > c, then <b>Ada</b> laughs.")
