"""Texts from files and from standard input."""

from __future__ import annotations

import sys
from pathlib import Path, PureWindowsPath

from petra.errors import TextError

# Of the files of a folder that are read. HTML is not among them: reports are written beside texts.
SUFFIXES = (".txt", ".text", ".md", ".markdown", ".epub", ".docx", ".pdf")


def source_name(source: str | None) -> str:
    """The name of a file that a text is of, never its folders; whatever else a source is called."""
    return PureWindowsPath(source or "").name


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, or of standard input for ``-``, with its line ends as they are."""
    if str(path) == "-":
        return decode(sys.stdin.buffer.read(), "standard input")
    return decode(read_bytes(path), str(path))


def read_bytes(path: Path) -> bytes:
    """The content of a file of text."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise TextError(f"No file at {path}. Check the path, or give - to read standard input.") from None
    except IsADirectoryError:
        raise _is_folder(path) from None
    except PermissionError:
        if path.is_dir():  # what Windows answers for a folder
            raise _is_folder(path) from None
        raise TextError(f"{path} may not be read: permission denied. Make it readable for this user.") from None
    except OSError as error:
        raise TextError(f"{path} cannot be read: {error.strerror or error}.") from None


def texts_in(folder: Path) -> list[Path]:
    """The text files of a folder and of the folders in it, by name; hidden ones are left out."""
    found = [
        path
        for path in folder.rglob("*")
        if path.suffix.lower() in SUFFIXES
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and path.is_file()
    ]
    if not found:
        raise TextError(f"The folder {folder} holds no texts ({', '.join(SUFFIXES)}). Name files, or another folder.")
    return sorted(found)


def decode(content: bytes, source: str) -> str:
    """The text in the bytes of source."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        if b"\0" in content:
            raise _is_binary(source, content) from None
        raise TextError(
            f"{source} is not UTF-8: byte {error.start} is 0x{content[error.start]:02x}. "
            "Name its encoding with --encoding, or convert it first: iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW"
        ) from None
    if "\0" in text:
        raise _is_binary(source, content)
    return text


def _is_binary(source: str, content: bytes) -> TextError:
    return TextError(
        f"{source} is not a text: byte {content.index(0)} is zero, as in binary files and UTF-16. "
        "Give plain text in UTF-8."
    )


def _is_folder(path: Path) -> TextError:
    return TextError(f"{path} is a folder. Name the text files in it, for example: {path / '*.txt'}")
