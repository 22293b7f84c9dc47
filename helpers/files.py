"""Where the course lies, and how its files are written: whole, never in part."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent  # the course's folder, wherever it was put
# a learner's own copies; COURSE_WORK names another folder, for a course that cannot be written
WORK = Path(os.environ.get("COURSE_WORK") or ROOT / "work").expanduser().absolute()


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file under another name beside it, then put it in its place.

    At any moment the file is there as it was, or as it is now.

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


def check_writable(path: Path) -> None:
    """Raise OSError unless a file can be written there: to be asked before a long run, not after.

    Its folder is made; what stands there stays.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.touch()
    partial.unlink()
