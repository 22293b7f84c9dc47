"""A house: a file imports from rooms below its own, or from files to its left in its room.

The order stands in one table, the one that README shows.
"""

import ast
import re
from pathlib import Path

import pytest

from helpers import front_door

ROOT = Path(__file__).resolve().parent.parent
HELPERS = ROOT / "helpers"
MOST_FILES = 15
# what runs the course is not what the course is about: only the command line knows it
COMMANDS_ONLY = "course"


def rooms(text):
    """Return [(room, its files, left to right)], top room first, as README's table has them.

    The root of helpers/ is the room "", above and below all others. A folder in a room is one file.
    """
    rows = re.findall(r"^\| `helpers/(\w*)/?` \|[^|]*\| ([^|]*) \|$", text, re.MULTILINE)
    return [(room, re.findall(r"`(\w+)/?`", files)) for room, files in rows]


TABLE = rooms((ROOT / "README.md").read_text(encoding="utf-8"))
ROOMS = {room for room, _ in TABLE}


def imported(source):
    """Return (room, file or "") of each module of helpers/ that a source imports, in any form.

    What goes round the rooms is returned as a room of its own: helpers itself, importlib, tests.
    """
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level:
            names.append("relative")
        elif isinstance(node, ast.ImportFrom):
            parts = node.module.split(".")
            if node.module == "importlib.metadata":  # versions of packages; it imports nothing
                continue
            if parts[0] == "helpers" and len(parts) < 3:
                names += [f"{node.module}.{alias.name}" for alias in node.names]
            else:
                names.append(node.module)
    found = []
    for name in names:
        first, *rest = name.split(".")
        if first in ("importlib", "tests", "relative") or name == "helpers":
            found.append((first, ""))
        elif first == "helpers":
            room, file = (rest[0], rest[1] if len(rest) > 1 else "")
            found.append((room, file) if room in ROOMS else ("", room))
    return found


def place(room, file):
    """Return where a file stands, from the bottom of the house up, or None if it stands nowhere."""
    for height, (name, files) in enumerate(reversed(TABLE)):
        if name == room and file in files:
            return height, files.index(file)
    return None


def violations(room, file, source):
    """Return a sentence for each breach in one file of a room."""
    own, found = place(room, file), []
    name = f"{room}/{file}".lstrip("/")
    if own is None:
        return [
            f"{name} stands in no room: add it to the table of rooms in README, to the right of "
            "what it imports"
        ]
    for other, its in imported(source):
        there = f"{other}/{its}".strip("/")
        if (room, file) == ("", "front_door") and other == "importlib":  # it opens the rooms
            continue
        if other == COMMANDS_ONLY and room != COMMANDS_ONLY and file != "__main__":
            found.append(f"{name} imports {there}, which only __main__ may import")
        elif other in ROOMS and not its:
            found.append(f"{name} imports {there}, a room: name the file")
        elif place(other, its) is None:
            found.append(f"{name} imports {there}, which stands in no room")
        elif place(other, its) > own:
            found.append(f"{name} imports {there}, which stands above it or to its right")
    return found


def sources():
    """Return [(room, file, source)] of all files but front doors; a room's folder is one file."""
    found = []
    for path in sorted(HELPERS.rglob("*.py")):
        room, *rest = path.relative_to(HELPERS).with_suffix("").parts
        room, rest = (room, rest) if rest else ("", [room])
        if rest != ["__init__"]:
            found.append((room, rest[0], path.read_text(encoding="utf-8")))
    return found


def test_every_import_goes_down_or_to_the_left():
    assert [line for file in sources() for line in violations(*file)] == []


def test_the_table_names_every_file_and_no_other():
    there = {(room, file) for room, file, _ in sources()}
    named = [(room, file) for room, files in TABLE for file in files]
    assert set(named) == there and len(named) == len(there)


def test_no_room_has_more_files_than_a_reader_can_look_over():
    folders = [path for path in HELPERS.rglob("*") if path.is_dir() and list(path.glob("*.py"))]
    counts = {
        path.relative_to(HELPERS).as_posix(): len(list(path.glob("*.py"))) for path in folders
    }
    too_many = {
        name: n for name, n in counts.items() if n > MOST_FILES and name != "exercises/checks"
    }
    assert too_many == {}


def test_importing_helpers_does_no_work():
    assert (HELPERS / "__init__.py").read_text(encoding="utf-8") == ""


# -- front doors


DOORS = [
    path.parent for path in HELPERS.glob("*/__init__.py") if "NAMES" in path.read_text("utf-8")
]


@pytest.mark.parametrize("folder", DOORS, ids=lambda folder: folder.name)
def test_a_front_door_gives_what_its_files_define_and_hides_no_file(folder):
    names = __import__(f"helpers.{folder.name}", fromlist=["NAMES"]).NAMES
    files = {path.stem for path in folder.glob("*.py")}
    assert names.keys() <= files
    for file, listed in names.items():
        tree = ast.parse((folder / f"{file}.py").read_text(encoding="utf-8"))
        bound = [n for node in tree.body for n in ast.walk(node) if isinstance(n, ast.Name)]
        defined = {n.id for n in bound if isinstance(n.ctx, ast.Store)}
        defined |= {node.name for node in tree.body if hasattr(node, "name")}
        assert set(listed.split()) <= defined, file
        assert not set(listed.split()) & files, file


def test_a_front_door_opens_on_demand_and_says_what_there_is():
    import helpers.counting as room

    assert room.Work is __import__("helpers.counting.operations", fromlist=["x"]).Work
    assert "Work" in dir(room) and "operations" in dir(room)
    with pytest.raises(AttributeError, match="has no 'Wrok'; it has Work, allocated, ch"):
        _ = room.Wrok
    with pytest.raises(ImportError, match="Wrok"):
        exec("from helpers.counting import Wrok")


@pytest.mark.parametrize(
    "room, name, file",
    [
        ("helpers.decoder", "Decoder", "helpers.decoder.model"),
        ("helpers.decoder", "masks", None),
        ("helpers.decoder.model", "Decoder", None),
        ("helpers", "decoder", None),
        ("helpers.course", "environment", None),
        ("helpers.nowhere", "x", None),
        ("torch", "nn", None),
    ],
)
def test_what_a_front_door_gives_is_known_by_its_file(room, name, file):
    assert front_door.file_of(room, name) == file


def test_a_strangers_module_is_not_imported_to_ask_for_its_door(tmp_path, monkeypatch):
    (tmp_path / "strange.py").write_text("raise SystemExit('it ran')")
    monkeypatch.syspath_prepend(tmp_path)
    for room in ("strange", "helpers.__main__", "helpers...strange"):
        assert front_door.file_of(room, "x") is None


def test_lessons_come_in_by_front_doors():
    """A lesson names a room, or a whole file of one; only `attention` is named by its file."""
    deep = set()
    for path in sorted((ROOT / "lessons").glob("*.ipynb")):
        text = path.read_text(encoding="utf-8")
        deep |= set(re.findall(r"from (helpers\.\w+\.\w+) import (\w+)", text))
    assert deep == {("helpers.decoder.attention", "attention")}


# -- planted violations


@pytest.mark.parametrize(
    "file, source, words",
    [
        ("languages/tokens", "from helpers.decoder import masks", "tokens imports decoder/masks"),
        ("decoder/attention", "from helpers.decoder.model import Decoder", "or to its right"),
        (
            "decoder/model",
            "import helpers.training.loop",
            "imports training/loop, which stands above",
        ),
        ("decoder/cache", "from .model import Block", "imports relative"),
        (
            "decoder/cache",
            "from helpers.decoder import Decoder",
            "decoder/Decoder, which stands in no",
        ),
        ("decoder/cache", "import helpers.decoder", "imports decoder, a room: name the file"),
        (
            "figures/plots",
            "def f():\n    from helpers.course import lesson_runner",
            "only __main__",
        ),
        ("languages/tokens", "import helpers\nhelpers.decoder", "helpers, which stands in no room"),
        (
            "languages/tokens",
            "from importlib import import_module",
            "importlib, which stands in no",
        ),
        ("languages/tokens", "from tests import notebooks", "tests, which stands in no room"),
        ("decoder/model", "from helpers import utilities", "utilities, which stands in no room"),
        ("decoder/utilities", "x = 1", "decoder/utilities stands in no room: add it"),
        ("/utilities", "x = 1", "utilities stands in no room: add it"),
    ],
)
def test_a_planted_violation_is_found(file, source, words):
    (sentence,) = violations(*file.split("/"), source)
    assert words in sentence


@pytest.mark.parametrize(
    "file, source",
    [
        ("decoder/masks", "from helpers.languages.tokens import pad_rows\nimport torch"),
        ("decoder/model", "from helpers.decoder import attention, cache"),
        ("figures/plots", "from helpers.languages.language import captions"),
        ("/__main__", "from helpers.course import environment, lesson_runner"),
        ("/front_door", "from importlib import import_module"),
    ],
)
def test_what_is_allowed_passes(file, source):
    assert violations(*file.split("/"), source) == []
