"""Loading a model, with progress on stderr."""

from __future__ import annotations

from typing import TYPE_CHECKING

from petra.cli.console import progress, remark
from petra.cli.models import megabytes

if TYPE_CHECKING:
    from petra.tracker import Tracker


def load_tracker(
    model: str | None, device: str | None, *, backend: str | None = None, threads: int | None = None
) -> Tracker:
    """The tracker of a model; if its encoder has to be fetched first, the user sees how far that is."""
    import petra

    with progress("Loading the model") as bar:
        is_told = False

        def report(done: int, whole: int) -> None:
            nonlocal is_told
            if not is_told:
                remark(f"Fetching the model's encoder ({megabytes(whole)}); it is kept for the next time.")
                is_told = True
            bar(done, whole)

        return petra.load(model, device=device, backend=backend, threads=threads, report=report)
