"""A file in helpers/ imports from lower floors, or from files to its left on its own floor."""

import ast
from pathlib import Path

import pytest

HELPERS = Path(__file__).resolve().parent.parent / "helpers"
FLOORS = (
    "needs files process_memory language tokens blockwise gguf_file tokenizers masks positions "
    "norms rotary feed_forward experts attention formats controls drawings influence",
    "modes config block packed_model cache refusals model weights",
    "lengths training master_weights grammar reader stops decoding_checks decoding "
    "stream_report text_stream beam pretrained families captioner invariants operations "
    "real_model benchmark figures plots",
    "exercises grading site environment lesson_runner __main__",
)
# all modules in one order: a file may import what stands before it
ORDER = " ".join(FLOORS).split()
# what runs the course is not what the course is about: only the command line knows it
COMMANDS_ONLY = ("environment", "lesson_runner")


def imported(source):
    """Return the names of helpers' modules that a source imports, in any form."""
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names if alias.name.startswith("helpers.")]
            # the bare package, importlib and tests are ways round the floors
            names += [f"helpers.{n.name}" for n in node.names if n.name in ("helpers", "importlib")]
        elif isinstance(node, ast.ImportFrom):
            module = ("helpers." * bool(node.level) + (node.module or "")).rstrip(".")
            if module == "helpers":
                names += [f"helpers.{alias.name}" for alias in node.names]
            elif module == "importlib.metadata":  # versions of packages; it imports nothing
                continue
            elif module.split(".")[0] in ("tests", "importlib"):
                names.append(f"helpers.{module.split('.')[0]}")
            elif module.startswith("helpers."):
                names.append(module)
    return [name.split(".")[1] for name in names]


def violations(sources):
    """Return a sentence for each breach, for {module: source}."""
    found = []
    for module, source in sources.items():
        if module == "__init__":
            if source.strip():
                found.append("helpers/__init__.py must stay empty: importing helpers does no work")
            continue
        if module not in ORDER:
            found.append(
                f"{module} stands on no floor: add it to FLOORS in tests/test_floors.py, "
                "to the right of what it imports"
            )
            continue
        for other in imported(source):
            if other in COMMANDS_ONLY and module != "__main__":
                found.append(f"{module} imports {other}, which only __main__ may import")
            elif other not in ORDER:
                found.append(f"{module} imports {other}, which stands on no floor")
            elif ORDER.index(other) > ORDER.index(module):
                found.append(f"{module} imports {other}, which stands above it or to its right")
    return found


def test_helpers_keep_to_their_floors():
    sources = {}
    for path in sorted(HELPERS.rglob("*.py")):
        module = path.relative_to(HELPERS).with_suffix("").parts[0]
        sources[module] = sources.get(module, "") + path.read_text(encoding="utf-8")
    assert "model" in sources
    assert violations(sources) == []


@pytest.mark.parametrize(
    "module, source, words",
    [
        ("tokens", "from helpers import masks", "tokens imports masks"),
        ("attention", "from helpers.model import Decoder", "attention imports model"),
        ("model", "import helpers.training", "model imports training"),
        ("cache", "from .model import Block", "cache imports model"),
        ("cache", "from . import model", "cache imports model"),
        ("plots", "def f():\n    from helpers import lesson_runner", "only __main__"),
        ("lesson_runner", "from helpers import environment", "only __main__"),
        ("tokens", "import helpers\nhelpers.model", "helpers, which stands on no floor"),
        ("tokens", "from importlib import import_module", "importlib, which stands on no floor"),
        ("tokens", "from tests import notebooks", "tests, which stands on no floor"),
        ("model", "from helpers import utilities", "utilities, which stands on no floor"),
        ("utilities", "x = 1", "utilities stands on no floor: add it"),
        ("__init__", "from helpers import model", "must stay empty"),
    ],
)
def test_a_planted_violation_is_found(module, source, words):
    (sentence,) = violations({module: source})
    assert words in sentence


def test_what_is_allowed_passes():
    allowed = {
        "masks": "from helpers.tokens import PAD\nimport torch",
        "model": "from helpers import attention, cache",
        "plots": "from helpers.language import captions",
        "__main__": "from helpers import environment, lesson_runner",
    }
    assert violations(allowed) == []
