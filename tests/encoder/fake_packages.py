"""Small wheels in a folder, and a catalogue entry for them: fetching without a network."""

from __future__ import annotations

import hashlib
import io
import zipfile
from pathlib import Path

from petra.encoder.catalogue import CatalogueEntry, EncoderFile, Package

FILES = {"config.json": b'{"model_type": "bert"}', "model.safetensors": bytes(range(256)) * 40}


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def zipped(members: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return content.getvalue()


def wheel(index: Path, name: str, members: dict[str, bytes], part: str | None = None) -> Package:
    """Put a wheel with these members into the folder that plays the package index."""
    info = f"{name.replace('-', '_')}-1.0.dist-info"
    about = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": b"",
    }
    content = zipped({**members, **about})
    package = Package(name, "1.0", len(content), sha256(content), part)
    (index / package.wheel).write_bytes(content)
    return package


def one_wheel(index: Path) -> CatalogueEntry:
    """An encoder whose files lie in one wheel."""
    return entry((wheel(index, "whole-model", {f"model/{name}": data for name, data in FILES.items()}),))


def split_archive(index: Path, *, cut_off: int = 0) -> CatalogueEntry:
    """An encoder in a zip archive split over two wheels, short of its last bytes where asked."""
    archive = zipped({f"model/{name}": data for name, data in FILES.items()})
    archive = archive[: len(archive) - cut_off]
    half = len(archive) // 2
    return entry(
        (
            wheel(index, "model-part-1", {"p1/model.zip.1": archive[:half]}, "p1/model.zip.1"),
            wheel(index, "model-part-2", {"p2/model.zip.2": archive[half:]}, "p2/model.zip.2"),
        )
    )


def entry(packages: tuple[Package, ...]) -> CatalogueEntry:
    return CatalogueEntry(
        name="fake",
        title="A fake",
        description="For tests.",
        licence="none",
        num_layers=1,
        hidden_size=1,
        packages=packages,
        folder="model",
        files=tuple(EncoderFile(name, len(data), sha256(data)) for name, data in FILES.items()),
    )
