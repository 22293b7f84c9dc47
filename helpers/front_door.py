"""The front door of a room: the names that lessons take from it, each fetched when it is asked for.

A lesson writes `from helpers.decoder import Decoder` and need not know the file. Nothing is loaded
before it is wanted, so a room costs no time, and a worker that has only some files of a room can
use those. Code of the course itself names the file: `from helpers.decoder.model import Decoder`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path


def front_door(
    room: str, names: dict[str, str]
) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """Return what a room's `__init__` binds to `__all__`, `__getattr__` and `__dir__`.

    names: for each file of the room the names that it gives, with blanks between them. A file of
    the same name as one of its own functions cannot give that one here: import it from the file.
    """
    files = {name: file for file, listed in names.items() for name in listed.split()}

    def fetch(name: str) -> object:
        if name not in files:
            raise AttributeError(f"{room} has no {name!r}; it has {', '.join(sorted(files))}")
        return getattr(import_module(f"{room}.{files[name]}"), name)

    return sorted(files), fetch, lambda: sorted({*files, *names})


def file_of(room: str, name: str) -> str | None:
    """Return the module that a name of a room's front door comes from, or None if it gives none.

    file_of("helpers.decoder", "Decoder") is "helpers.decoder.model". Both may be words of a
    stranger: nothing is imported but the door of a room that there is.
    """
    package, _, folder = room.partition(".")
    there = folder.isidentifier() and (Path(__file__).parent / folder / "__init__.py").is_file()
    if package != "helpers" or not (there or room in sys.modules):
        return None
    for file, names in getattr(import_module(room), "NAMES", {}).items():
        if name in names.split():
            return f"{room}.{file}"
    return None
