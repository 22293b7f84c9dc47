"""Writing a file whole: at any moment it is there as it was, or as it is now, never in part."""

import os
from pathlib import Path


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file under another name beside it, then put it in its place.

    content: bytes, or text, which is written as UTF-8 with its own line ends. Raises: OSError if it
    cannot be written; the file is then as it was, and nothing is left beside it.
    """
    temporary = path.with_name(path.name + ".new")
    try:
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)
        with open(temporary, "r+b") as file:
            os.fsync(file.fileno())  # else a power cut may leave an empty file
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
