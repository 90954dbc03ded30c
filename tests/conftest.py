from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from absent import absent
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from postgres import Cluster

    from petra import Tracker

# Models here are tiny: a second thread gains nothing, and on busy cores it costs a hundred times as much.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Facts are those of float32, whatever this machine has that is faster.
os.environ["PETRA_BACKEND"] = "torch"

# A busy machine is no failure. The suite checks the same examples every time; `make fuzz` draws new ones.
settings.register_profile("suite", deadline=None, derandomize=True)
settings.register_profile("fuzz", deadline=None, max_examples=2_000, print_blob=True)
settings.load_profile(os.environ.get("PETRA_HYPOTHESIS", "suite"))


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of corpora that PETRA_DATA names; PETRA_REQUIRE_DATA=1 makes a missing one a failure."""
    folder = os.environ.get("PETRA_DATA")
    if not folder or not Path(folder).is_dir():
        absent("needs the corpora: set PETRA_DATA to their folder")
    return Path(folder)


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a seeded random BERT: 3 layers of 16 features, 64 positions."""
    from tiny import tiny_bert

    return tiny_bert(tmp_path_factory.mktemp("encoder") / "tiny-bert")


@pytest.fixture(scope="session")
def tiny_model(tiny_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a seeded random model over the tiny encoder: 4 cells, vanilla."""
    from tiny import tiny_model

    return tiny_model(tmp_path_factory.mktemp("models") / "tiny", tiny_encoder)


@pytest.fixture(scope="session")
def tiny_tracker(tiny_model: Path) -> Tracker:
    """The tracker of the tiny model."""
    import petra

    return petra.load(tiny_model, device="cpu")


# Of a module and not of the session: while Playwright runs, nothing else in this thread can run an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real Chromium; ``opened`` of tests/browser.py gives pages of another size or look."""
    from browser import chromium

    with chromium() as running:
        yield running


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """An empty page of 1280 x 800 with a profile of its own."""
    from browser import opened

    with opened(browser) as empty:
        yield empty


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A real PostgreSQL, empty at first."""
    from postgres import cluster

    with cluster() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'answers.sqlite'}"
    url: str = request.getfixturevalue("postgres").url
    return url
