"""Submissions that are broken or cunning as files: what each is, and the points it deserves.

build() makes them in a folder. Each deserves (points of 02.3, points of 03.3). Where both answers
can still be read, both count: whatever else stands in a file has no influence on them.
"""

import json
import os
from pathlib import Path

from helpers.exercises import catalog

EXERCISES = ("02.3", "03.3")
AVERAGE, HEAD = (catalog.solution_text(catalog.find(name)) for name in EXERCISES)
ALL = tuple(catalog.find(name).points for name in EXERCISES)
OTHER = "def running_average(x):\n    return x\n"
STUB = 'def running_average(x):\n    """Not written."""\n    raise NotImplementedError\n'
BOTH, FIRST, SECOND, NONE = ALL, (ALL[0], 0), (0, ALL[1]), (0, 0)
SCRIPT = "<script>alert('pwned')</script>\x1b[31mpwned\x1b]0;pwned\x07"
LONGEST = 20_000  # characters of an answer that is still read


def cell(source, exercise=None, kind="code", **more) -> dict:
    """Return a cell of a notebook."""
    metadata = {"exercise": exercise} if exercise else {}
    return {"cell_type": kind, "source": source, "metadata": metadata, "outputs": [], **more}


def notebook(*cells) -> bytes:
    """Return the bytes of a notebook."""
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def handed(first=AVERAGE, second=HEAD, **more) -> bytes:
    """Return the bytes of a document of make submit."""
    return json.dumps({"format": 1, "answers": {"02.3": first, "03.3": second}, **more}).encode()


AVERAGE_CELL, HEAD_CELL = cell(AVERAGE, "02.3"), cell(HEAD, "03.3")
CHECKS = cell('check("02.3", running_average)'), cell('check("03.3", causal_head)')
FORGED = {"own checks": {"02.3": "passed"}, "points": 99, "learner": "honest", "state": "passed"}

# name: (bytes, points)
FILES: dict[str, tuple[bytes, tuple[int, int]]] = {
    # no documents
    "empty.json": (b"", NONE),
    "empty-notebook.ipynb": (b"", NONE),
    "no-json.json": (b"def running_average(x): pwned", NONE),
    "cut-off.ipynb": (notebook(AVERAGE_CELL, HEAD_CELL)[:-200], NONE),
    "zero-bytes.json": (bytes(1000), NONE),
    "pickle.json": (b"\x80\x04\x95\x1f\x00\x00\x00\x8c\x05posix\x94\x8c\x06system\x94\x93", NONE),
    "deep.json": (b"[" * 2_000_000, NONE),
    "deep-closed.json": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, NONE),
    "long-number.json": (b'{"answers": ' + b"9" * 1_000_000 + b"}", NONE),
    "many-lists.json": (b"[" + b"[]," * 1_000_000 + b"[]]", NONE),
    "a-number.json": (b"100", NONE),
    "other-kinds.json": (b'{"answers": [1], "cells": {"02.3": null}}', NONE),
    "answers-are-no-texts.json": (handed(["pass"], {"source": HEAD}), NONE),
    "latin-1.json": (handed().replace(b'"format"', b'"form\xe4t"'), NONE),
    "utf-16.ipynb": (notebook(AVERAGE_CELL, HEAD_CELL).decode().encode("utf-16"), NONE),
    # documents in odd writing
    "bom.json": (b"\xef\xbb\xbf" + handed(), BOTH),
    "crlf.ipynb": (
        json.dumps({"cells": [cell(AVERAGE.replace("\n", "\r\n"), "02.3"), HEAD_CELL]}, indent=1)
        .replace("\n", "\r\n")
        .encode(),
        BOTH,
    ),
    "lines.ipynb": (
        notebook(cell(AVERAGE.splitlines(keepends=True), "02.3"), cell([1, HEAD, None], "03.3")),
        BOTH,
    ),
    "half-a-sign.json": (handed('x = "\ud800"\n' + AVERAGE, STUB), FIRST),
    "zero-byte-in-source.json": (handed("x = '\0'\n" + AVERAGE, STUB), NONE),
    "form-feeds.json": (handed("\f\x0b\x1c\n" + AVERAGE, ""), NONE),
    # cells
    "cells-of-all-kinds.ipynb": (
        notebook(None, 7, [], {}, {"cell_type": "code"}, AVERAGE_CELL, {"source": {}}, HEAD_CELL),
        BOTH,
    ),
    "duplicated.ipynb": (notebook(cell(STUB, "02.3"), HEAD_CELL, AVERAGE_CELL, HEAD_CELL), BOTH),
    "duplicated-last-empty.ipynb": (notebook(AVERAGE_CELL, HEAD_CELL, cell(STUB, "02.3")), BOTH),
    "two-answers.ipynb": (notebook(cell(OTHER, "02.3"), AVERAGE_CELL, HEAD_CELL), BOTH),
    "deleted.ipynb": (notebook(HEAD_CELL), SECOND),
    "reordered.ipynb": (notebook(HEAD_CELL, CHECKS[1], CHECKS[0], AVERAGE_CELL), BOTH),
    "renamed.ipynb": (notebook(cell(AVERAGE, "99.9"), cell(HEAD)), BOTH),
    "exchanged.ipynb": (notebook(cell(AVERAGE, "03.3"), cell(HEAD, "02.3")), BOTH),
    "function-renamed.ipynb": (
        notebook(cell(AVERAGE.replace("running_average", "pwned"), "02.3"), HEAD_CELL),
        SECOND,
    ),
    "checks-removed.ipynb": (notebook(AVERAGE_CELL, HEAD_CELL), BOTH),
    "checks-passed.ipynb": (
        notebook(cell("def check(*given):\n    pass"), AVERAGE_CELL, cell("pass"), HEAD_CELL),
        BOTH,
    ),
    "checks-duplicated.ipynb": (notebook(AVERAGE_CELL, *CHECKS, *CHECKS, HEAD_CELL), BOTH),
    "checks-in-the-answer.ipynb": (
        notebook(cell(f'{AVERAGE}\n\ncheck("02.3", running_average)', "02.3"), HEAD_CELL),
        BOTH,
    ),
    "edited-metadata.ipynb": (
        notebook(
            cell(STUB, "02.3", id=["x"], execution_count="pwned", points=99),
            {**HEAD_CELL, "metadata": {"exercise": "03.3", "points": 99, "tags": SCRIPT}},
        ),
        SECOND,
    ),
    "metadata-of-other-kinds.ipynb": (
        notebook({**AVERAGE_CELL, "metadata": None}, {**HEAD_CELL, "metadata": {"exercise": []}}),
        BOTH,
    ),
    "claims.json": (handed(STUB, **FORGED), SECOND),
    # sources that Python does not read
    "magic.ipynb": (notebook(cell(f"%%time {SCRIPT}\n{AVERAGE}", "02.3")), NONE),
    "shell.ipynb": (notebook(cell(f"{AVERAGE}\n!echo {SCRIPT}", "02.3")), NONE),
    "no-python.json": (handed(f"{SCRIPT}\n{AVERAGE}", SCRIPT), NONE),
    "odd-sign.json": (handed(f"{AVERAGE}\nx = f'{{x!pwned}}' € 1"), SECOND),
    "brackets-and-minus-signs.json": (handed("[" * LONGEST, "-" * (LONGEST - 1) + "1"), NONE),
    "sums-and-calls.json": (handed("1+" * (LONGEST // 2 - 1) + "1", "f" + "()" * 9_999), NONE),
    "names-and-formats.json": (
        handed("import " + "a." * 9_000 + "a", "x = f'" + "{x}" * 6_000 + "'"),
        NONE,
    ),
    "long-integers.json": (handed("x = " + "9" * 19_000, "x = 0x" + "f" * 19_000), NONE),
    "power.json": (handed("x = 9**9**9**9\n" + AVERAGE), SECOND),
    "backtracking.json": (
        handed("import re\nre.match('(a+)+$', 'a' * 40 + 'b')\n" + AVERAGE),
        SECOND,
    ),
    "too-long.json": (handed(AVERAGE + "#" * 4_000_000), SECOND),
    # names
    "<script>alert('name')<script>.json": (handed(), BOTH),
    "\x1b[31mred\x1b[0m\nline.json": (handed(STUB, STUB), NONE),
    "\x1b[32mred\x1b[0m\nline.json": (handed(STUB), SECOND),
    "=cmd|'calc'!A0.json": (handed(STUB, STUB), NONE),
    "a..\\..\\grades.json": (handed(STUB, STUB), NONE),
    "A B.json": (handed(STUB, STUB), NONE),
    "A-B.json": (handed(), BOTH),
    "{{ 7 * 7 }}.json": (handed(STUB, STUB), NONE),
    "n" * 100 + "1.json": (handed(STUB, STUB), NONE),
    "n" * 100 + "2.json": (handed(), BOTH),
    "日本語 é 🙂.json": (handed(), BOTH),
}


def build(folder: Path, reference: Path, gradebook: Path) -> dict[str, tuple[int, int]]:
    """Write all of them, and those that are more than a file; return {name: points}.

    reference, gradebook: files that links lead to.
    """
    deserves = {}
    for name, (content, points) in FILES.items():
        (folder / name).write_bytes(content)
        deserves[name] = points
    large = "100-mb.json"
    with open(folder / large, "wb") as file:
        file.write(handed())
        file.truncate(100 * 2**20)  # all zeros, which take no space
    invalid = os.fsdecode(b"\xff\xfe name.json")
    (folder / invalid).write_bytes(handed())
    links = {
        "link-to-the-reference.json": reference,
        "link-to-the-gradebook.json": gradebook,
        "link-to-all.json": folder,
        "link-to-itself.json": folder / "link-to-itself.json",
        "link-to-memory.json": Path("/dev/zero"),
    }
    for name, target in links.items():
        (folder / name).symlink_to(target)
    os.mkfifo(folder / "pipe.json")  # reading it would wait without end
    inside = folder / "links-inside"
    inside.mkdir()
    (inside / "a.json").symlink_to(reference)
    (inside / "b.ipynb").symlink_to(folder / "A-B.json")
    os.mkfifo(inside / "c.json")
    many = folder / "many-files"
    many.mkdir()
    for number in range(1200):
        (many / f"{number:04}.json").write_bytes(b"[]" if number else handed())
    folders = folder / "folders-within-folders.json"
    (folders / "x.json" / "y.json").mkdir(parents=True)
    (folders / "z..ipynb").write_bytes(notebook(AVERAGE_CELL))
    (folders / "\x1b[31mpwned.json").write_bytes(b"pwned")
    nothing = (large, *links, "pipe.json", inside.name)
    return (
        deserves
        | dict.fromkeys(nothing, NONE)
        | {
            invalid: BOTH,
            many.name: BOTH,
            folders.name: FIRST,
        }
    )
