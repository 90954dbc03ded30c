"""JSON on one line, with the text: all that ``petra export`` needs to make any other format of it."""

from __future__ import annotations

from petra.report.export.format import ExportOptions, Files, Format
from petra.report.export.tracked import TrackedText
from petra.report.values.as_json import dump


def _files(tracked: TrackedText, _: ExportOptions) -> Files:
    return {".jsonl": f"{dump({**tracked.to_dict(), 'text': tracked.text}, indent=None)}\n"}


FORMAT = Format(about="a line of JSON for each text, with the text in it", files=_files, can_be_joined=True)
