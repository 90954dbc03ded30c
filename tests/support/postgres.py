"""A real PostgreSQL for tests: a cluster of its own in a temporary folder, reached by a socket there.

The fixture ``postgres`` of conftest.py is made from this. Nothing that is installed or
running on the machine is touched.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from absent import absent

_PLACES = ("/usr/lib/postgresql", "/usr/local/lib/postgresql", "/opt/homebrew/opt")


class Cluster:
    """A PostgreSQL server in a folder."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs, self._folder = programs, folder
        if os.name == "posix" and os.geteuid() == 0:  # PostgreSQL refuses to be run by root
            self._user: str | None = _unprivileged()
            shutil.chown(folder, self._user)
        else:
            self._user = None
        self._run("initdb", "-D", str(folder / "data"), "-U", "petra", "-A", "trust", "-E", "UTF8", "--no-sync")

    @property
    def url(self) -> str:
        return f"postgresql://petra@/postgres?host={self._folder}"

    def start(self) -> None:
        # The folder of the data is as good as any for the socket; no address is listened on.
        options = f"-c listen_addresses='' -k {self._folder}"
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-l", str(self._folder / "log"), "-o", options, "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-m", "immediate", "stop")

    def _run(self, program: str, *arguments: str) -> None:
        # A server keeps the files it was started with, so output goes to one: a pipe would never end.
        with (self._folder / "output").open("w+") as output:
            done = subprocess.run(
                [str(self._programs / program), *arguments],
                stdout=output,
                stderr=output,
                cwd=self._folder,
                check=False,
                **({"user": self._user, "group": _group(self._user), "extra_groups": []} if self._user else {}),
            )
            output.seek(0)
            assert done.returncode == 0, output.read()


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A running server until the end of the block; a test that needs it is skipped where there is none."""
    programs = _programs()
    if sys.platform == "win32" or programs is None:
        absent("needs a database: install PostgreSQL")
    folder = Path(tempfile.mkdtemp(prefix="petra-"))
    try:
        running = Cluster(programs, folder)
        running.start()
        try:
            yield running
        finally:
            running.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _programs() -> Path | None:
    """The folder of PostgreSQL's programs; the newest where there are several."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    folders = [path.parent for place in _PLACES for path in Path(place).glob("*/bin/initdb")]
    return max(folders, default=None, key=lambda path: path.parent.name.rpartition("@")[2].zfill(3))


def _unprivileged() -> str:
    import pwd

    names = [each.pw_name for each in pwd.getpwall()]
    return next(name for name in ("postgres", "nobody", names[-1]) if name in names)


def _group(user: str | None) -> int:
    import pwd

    assert user is not None
    return pwd.getpwnam(user).pw_gid
