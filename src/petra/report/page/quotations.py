"""The quotations of a report page: a part that the script fills with a list, each with its speaker and addressee."""

from __future__ import annotations

from collections.abc import Sequence

from petra.domain import Quotation
from petra.report.templates import filled, part
from petra.report.values.summaries import counted


def quotations_part(quotations: Sequence[Quotation]) -> str:
    """The part of the page, closed at first; empty without quotations."""
    if not quotations:
        return ""
    return filled(part("quotations.html"), {"count": counted(len(quotations), "quotation")})
