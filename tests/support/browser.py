"""A real Chromium for tests, driven by Playwright.

The fixtures ``browser`` and ``page`` of conftest.py are made from this. Playwright brings
no browser: the one installed on the machine is used, or what PETRA_CHROMIUM names.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from typing import TYPE_CHECKING, Any

from absent import absent

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}

_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_ARGUMENTS = (
    "--headless",
    "--no-sandbox",  # root, as in a container, has none
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser, until the end of the block; a test that needs it is skipped where there is none."""
    place = os.environ.get("PETRA_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    if place is None:
        absent("needs a browser: install Chromium, or name its program in PETRA_CHROMIUM")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        absent("needs playwright: pip install playwright")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=place, args=list(_ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser: Browser, **options: Any) -> Iterator[Page]:
    """A page of its own profile: no cookies or storage of another. An uncaught error of its scripts fails the test.

    Options are those of Playwright's ``new_context``: ``viewport=PHONE``,
    ``color_scheme="dark"``, ``java_script_enabled=False``.
    """
    errors: list[str] = []
    context = browser.new_context(**{"viewport": DESKTOP, "reduced_motion": "reduce", **options})
    context.on("weberror", lambda error: errors.append(str(error.error)))
    try:
        yield context.new_page()
    finally:
        context.close()
    assert not errors, f"the page's scripts failed: {errors}"


def serious_faults(page: Page) -> list[str]:
    """What axe-core finds on the page that keeps somebody from using it: rule, how bad, and where."""
    script = (resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    page.evaluate(script)
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{fault['id']} ({fault['impact']}): {fault['help']}, at {node['target']} {node['html'][:200]}"
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]
