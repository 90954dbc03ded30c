"""A small GUM, written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

FIELDS = "GRP-etype-infstat-salience-centering-minspan-link-identity"

# Columns: form, XPOS, HEAD, DEPREL, MISC. Dr. Ada Vale (four mentions, one of them with a relative clause), her
# brother (two), the two together (one), and a town, which is no person. Two words are each written as one.
SENTENCES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Two travellers", ("Two CD 2 nummod (1-person-new-s-cf1-2-coref", "travellers NNS 0 root 1)")),
    (
        "Dr. Ada Vale's brother came to Kew.",
        (
            "Dr. NNP 2 nmod:desc (3-person-new-s-cf1-4-coref(2-person-new-s-cf2-2-coref-Ada_Vale",
            "Ada NNP 5 nmod:poss _",
            "3-4 Vale's _",
            "Vale NNP 2 flat _",
            "'s POS 2 case 2)",
            "brother NN 6 nsubj 3)",
            "came VBD 0 root _",
            "to IN 8 case _",
            "Kew NNP 6 obl (4-place-new-s-cf3-1-sgl)|SpaceAfter=No",
            ". . 6 punct _",
        ),
    ),
    (
        "She who led didn't wait for him.",
        (
            "She PRP 6 nsubj (2-person-giv:act-s-cf1-1-ana-Ada_Vale",
            "who WP 3 nsubj _",
            "led VBD 1 acl:relcl 2)",
            "4-5 didn't _",
            "did VBD 6 aux _",
            "n't RB 6 advmod _",
            "wait VB 0 root _",
            "for IN 8 case _",
            "him PRP 6 obl (3-person-giv:act-s-cf2-1-ana)|SpaceAfter=No",
            ". . 6 punct _",
        ),
    ),
    (
        "Ada and her brother sang.",
        (
            "Ada NNP 5 nsubj (1-person-giv:inact-s-cf1-1-coref(2-person-giv:inact-s-cf2-1-coref-Ada_Vale)",
            "and CC 4 cc _",
            "her PRP$ 4 nmod:poss (3-person-giv:inact-s-cf3-2-coref(2-person-giv:act-s-cf2-1-ana-Ada_Vale)",
            "brother NN 1 conj 3)1)",
            "sang VBD 0 root SpaceAfter=No",
            ". . 5 punct _",
        ),
    ),
)
PARAGRAPHS = (0, 1, 3)  # the sentences that begin one
TEXT = """\
Two travellers

Dr. Ada Vale's brother came to Kew. She who led didn't wait for him.

Ada and her brother sang."""
NAMES = ("GUM_bio_one", "GUM_news_two", "GUM_bio_three")


def conllu(
    sentences: Sequence[tuple[str, Sequence[str]]] = SENTENCES,
    *,
    paragraphs: Sequence[int] = PARAGRAPHS,
    fields: str = FIELDS,
) -> str:
    """The sentences in the format of GUM."""
    lines = ["# newdoc id = GUM_bio_one", f"# global.Entity = {fields}"]
    for number, (text, tokens) in enumerate(sentences):
        lines += ["# newpar"] * (number in paragraphs)
        lines += [f"# sent_id = {number + 1}", f"# text = {text}"]
        place = 0
        for token in tokens:
            columns = token.split()
            if len(columns) == 3:  # tokens written as one word: range, form, MISC
                name, form, misc = columns
                lines.append("\t".join((name, form, *"_______", misc)))
                continue
            form, tag, head, relation, misc = columns
            place += 1
            misc = f"Entity={misc}" if misc[0] == "(" or ")" in misc else misc
            lines.append("\t".join((str(place), form, form.lower(), "X", tag, "_", head, relation, "_", misc)))
        lines.append("")
    return "\n".join([*lines, ""])


def write_gum(data: Path) -> None:
    """Three copies of the document: two to train on, and one of the genre bio to measure on."""
    folder = data / "gum/dep"
    folder.mkdir(parents=True)
    for name in NAMES:
        (folder / f"{name}.conllu").write_text(conllu(), encoding="utf-8")
    (data / "gum/splits.md").write_text(f"# Splits\n\n## dev\n\n  * {NAMES[2]}\n", encoding="utf-8")
