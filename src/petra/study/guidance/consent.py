"""What annotators read and agree to before they begin."""

from __future__ import annotations

from typing import Final

_TEXT: Final = """\
You are asked to take part in a study of computer programs that follow people through texts. You will read short
texts of an encyclopedia and say which of two or more programs did better. It takes about two minutes a text.

- Taking part is voluntary. You can stop at any time, without a reason and without a disadvantage.
- Kept are your answers, your comments, when you gave them and how long you took, under a number. Neither your name nor
  your address on the network is kept with them. Please write nothing about yourself or other people into a comment.
- Answers may be published, comments and times included, so that others can check the results.
- Who is preferred is no judgement of you: there are no right answers.
- Until the results are published you can have your answers removed; {contact}.

By beginning you confirm that you are of age, have read this, and agree.
"""


def default_consent(contact: str | None = None) -> str:
    """The consent text; ``contact`` says whom to write to."""
    return _TEXT.format(contact=f"write to {contact}" if contact else "write to whoever sent you the link")
