"""The repository's layout, and the form of every lesson."""

import re
import subprocess
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pytest

from helpers.exercises import catalog
from helpers.lesson_names import lessons_in
from tests.nbval_strict import MACHINE_PATH
from tests.notebooks import code, display, write

ROOT = Path(__file__).resolve().parent.parent
NUMBERED = lessons_in(ROOT / "lessons")
LESSONS = list(NUMBERED.values())
TOP_LEVEL = {"README.md", "requirements.txt", "Makefile", "lessons", "helpers", "tests", "data"}
# what a cell may be tagged with; tests/nbval_strict.py says what each means
TAGS = {"nbval-ignore-output", "compare-image", "allow-stderr", "raises-exception", "exercise"}
# what a cell's metadata may hold; anything else was left by a tool
CELL_METADATA = {"tags", "mystnb", "exercise", "jupyter"}
MOST_LINES = 30  # of code in a cell, which should be seen whole


def slug(heading):
    """Return a heading's anchor; JupyterLab keeps capitals, GitHub does not, so compare without."""
    return re.sub(r"[^\w\s-]", "", heading.lower()).strip().replace(" ", "-")


def anchors(path):
    """Return the anchors of the headings of a lesson or a Markdown file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = nbformat.reads(text, as_version=4).cells
        text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return {slug(heading) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}


def broken_links(path, text):
    """Return the relative links in Markdown that lead to no file or no heading."""
    broken = []
    for target in re.findall(r"(?<!`)\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = unquote(target).partition("#")
        there = path.parent / file if file else path
        if not there.exists() or (anchor and slug(anchor) not in anchors(there)):
            broken.append(target)
    return broken


def problems(path):
    """Return what is wrong with a lesson's form, as a list of sentences."""
    notebook = nbformat.read(path, as_version=4)
    found = []
    if not notebook.cells or not notebook.cells[0].source.startswith("# "):
        found.append("it does not begin with a title")
    if "widgets" in notebook.metadata:
        found.append("it holds widget state")
    for cell in notebook.cells:
        where = f"cell {cell.get('id')}"
        extra = set(cell.metadata) - CELL_METADATA
        if extra:
            found.append(f"{where}: metadata {sorted(extra)}")
        if MACHINE_PATH.search(cell.source):
            found.append(f"{where}: a path of one machine")
        if cell.cell_type == "markdown":
            found += [f"{where}: dead link {link}" for link in broken_links(path, cell.source)]
            continue
        if cell.cell_type != "code":
            found.append(f"{where}: a {cell.cell_type} cell; use Markdown or code")
            continue
        tags = cell.metadata.get("tags", [])
        unknown = sorted(set(tags) - TAGS)
        if unknown:
            found.append(f"{where}: unknown tags {unknown}")
        if not cell.source.strip():
            found.append(f"{where}: no code")
        lines = cell.source.count("\n") + 1
        if lines > MOST_LINES:
            found.append(f"{where}: {lines} lines of code, at most {MOST_LINES} are allowed")
        pictures = any(
            kind.startswith("image/") for out in cell.outputs for kind in out.get("data", {})
        )
        if pictures and not cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "").strip():
            found.append(f"{where}: a picture without its text in mystnb.image.alt")
    return found


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_lesson_has_the_right_form(path):
    assert problems(path) == []


def names_a_version(text):
    """Return whether a notebook's file says which Python saved it."""
    return "version" in nbformat.reads(text, as_version=4).metadata.get("language_info", {})


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_no_committed_lesson_names_the_python_that_saved_it(path):
    # only what is committed: JupyterLab writes the version whenever a reader saves
    shown = subprocess.run(
        ["git", "show", f"HEAD:lessons/{path.name}"], cwd=ROOT, capture_output=True
    )
    if shown.returncode:
        pytest.skip("not committed, or no git repository")
    assert not names_a_version(shown.stdout.decode()), "save it with make lessons SAVE=1"


def gaps(numbers):
    """Return the numbers that do not follow the one before: behind 03a come 03b, 04 or 04a."""
    found, before = [], ["00", "00a"]
    for number in numbers:
        if number not in before:
            found.append(number)
        whole, letter = int(number[:2]), number[2:]
        part = f"{number[:2]}{chr(ord(letter) + 1) if letter else 'a'}"
        # 24a without a 24 is the first part of a whole lesson, and has a second one
        alone = letter == "a" and number[:2] not in numbers
        before = [part] if alone else [part, f"{whole + 1:02}", f"{whole + 1:02}a"]
    return found


COMING = ("23",)  # lessons whose number is given and which are still to be written


def test_lesson_numbers_have_no_gap():
    assert not {*NUMBERED} & {*COMING}
    assert gaps(sorted([*NUMBERED, *COMING])) == []


@pytest.mark.parametrize(
    "numbers, found",
    [
        ("00 01 01a 01b 02", ""),
        ("00 01a 01b 01c 02", ""),
        ("00a 00b 01", ""),
        ("00 02", "02"),
        ("01", "01"),
        ("00 01 01b 02", "01b"),
        ("00 01a 02", "02"),
        ("00 01b 02", "01b"),
    ],
)
def test_planted_gaps_between_lesson_numbers_are_found(numbers, found):
    assert gaps(numbers.split()) == found.split()


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / "lessons").glob("*.md")) + sorted(ROOT.glob("*.md")),
    ids=lambda p: p.name,
)
def test_links_in_pages_lead_somewhere(path):
    broken = broken_links(path, path.read_text(encoding="utf-8"))
    assert not broken, "\n".join(broken)


def test_the_top_level_holds_seven_names():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a git repository")
    names = {line.split("/")[0] for line in listed.stdout.splitlines()}
    assert {name for name in names if not name.startswith(".")} == TOP_LEVEL


PICTURE = [display("a plot", image_png="AAAA")]


@pytest.mark.parametrize(
    "cell, words",
    [
        (code("x = 1\n" * 30 + "x;"), "31 lines"),
        (code("plot()", outputs=PICTURE), "mystnb.image.alt"),
        (code("x = 1", tags=["nbval-skip"]), "unknown tags"),
        (code(""), "no code"),
        (code("x = 1", tags=["nbval-ignore-outputs"]), "unknown tags"),
        (nbformat.v4.new_raw_cell("x", id="raw"), "a raw cell"),
        (code("open('/home/ann/x')"), "path of one machine"),
    ],
)
def test_a_planted_fault_of_a_cell_is_found(tmp_path, cell, words):
    path = write(tmp_path / "00_a.ipynb", cell)
    (sentence,) = problems(path)
    assert words in sentence


@pytest.mark.parametrize(
    "link, broken",
    [
        ("01_b.ipynb", False),
        ("01_b.ipynb#the-second-part", False),
        ("01_b.ipynb#The-second-part", False),
        ("#a-lesson", False),
        ("https://example.org/x#y", False),
        ("02_c.ipynb", True),
        ("01_b.ipynb#the-third-part", True),
    ],
)
def test_dead_links_are_found(tmp_path, link, broken):
    write(tmp_path / "01_b.ipynb", code("x = 1"), title="# B\n\n## The second part")
    path = write(tmp_path / "00_a.ipynb", code("x = 1"), title=f"# A lesson\n\n[see]({link})")
    assert bool(problems(path)) is broken


def test_a_planted_version_is_found(tmp_path):
    path = write(tmp_path / "00_a.ipynb", code("x = 1"))
    assert not names_a_version(path.read_text())
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata["language_info"] = {"name": "python", "version": "3.11.7"}
    assert names_a_version(nbformat.writes(notebook))


def test_planted_metadata_is_found(tmp_path):
    path = write(tmp_path / "00_a.ipynb", code("x = 1"), title="No title")
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata["widgets"] = {}
    notebook.metadata["language_info"] = {"name": "python", "version": "3.11.7"}
    notebook.cells[1].metadata["execution"] = {}
    nbformat.write(notebook, path)
    assert len(problems(path)) == 3


@pytest.mark.parametrize("number", NUMBERED)
def test_a_lesson_says_how_long_its_exercises_take(number):
    minutes = sum(e.minutes for e in catalog.exercises().values() if e.lesson == number)
    goals = nbformat.read(NUMBERED[number], as_version=4).cells[1].source
    assert f"minutes, and {minutes} for the exercises." in goals
