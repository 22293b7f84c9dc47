"""C76: what is installed is pinned, direct, and there for every Python that the course supports."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from helpers.course import installing, python_version, torch_build, venv_folder

ROOT = Path(__file__).resolve().parent.parent
FILES = {"learner": ROOT / "requirements.txt", "tests": ROOT / "tests" / "requirements.txt"}
# packages that are not imported under their own name but used by a command: the words that use them
USED_BY_COMMAND = {
    "jupyter": "jupyterlab",
    "myst-nb": "myst_nb",
    "nbval": "--nbval",
    "pytest": "pytest",
    "pytest-xdist": "-n 2",
    "ruff": "ruff",
    "sphinx": '"sphinx"',
    "sphinx-book-theme": "sphinx_book_theme",
}
# modules that a listed package is there to bring
BROUGHT_BY = {"IPython": "jupyter", "ipywidgets": "jupyter", "psutil": "jupyter"}

# modules that a command takes where they are installed, and does without elsewhere
OPTIONAL = {"llama_cpp", "nbgrader"}


def requirements(path):
    """Return {package: version} of a requirement file; psycopg for psycopg[binary]."""
    lines = [line.split("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines()]
    return dict(re.sub(r"\[.*\]", "", line).split("==") for line in lines if line)


def modules(paths):
    """Return the top-level modules that files of Python or notebooks import."""
    found = set()
    for path in paths:
        sources = [path.read_text(encoding="utf-8")]
        if path.suffix == ".ipynb":
            cells = nbformat.reads(sources[0], as_version=4).cells
            sources = [re.sub(r"^[%!].*", "", c.source) for c in cells if c.cell_type == "code"]
        for node in (node for source in sources for node in ast.walk(ast.parse(source))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add(node.module.split(".")[0])
    return found


HELPERS = sorted((ROOT / "helpers").rglob("*.py"))
LESSONS = sorted((ROOT / "lessons").glob("*.ipynb"))
# what hostile answers import is theirs: nobody runs it but the sandbox
TESTS = [path for path in sorted((ROOT / "tests").rglob("*.py")) if "hostile" not in path.parts]


@pytest.mark.parametrize("path", FILES.values(), ids=FILES)
def test_c76_every_line_is_pinned_and_of_no_one_device(path):
    lines = [line.split("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines()]
    for line in filter(None, lines):
        exact = r"[A-Za-z0-9_.-]+(\[[a-z]+\])?==[0-9][0-9.]*"
        assert re.fullmatch(exact, line), f"{path.name}: {line}"


def test_c76_every_package_is_used_directly():
    files = [ROOT / "Makefile", *HELPERS]
    commands = "".join(path.read_text(encoding="utf-8") for path in files)
    used = modules([*HELPERS, *LESSONS, *TESTS])
    for path in FILES.values():
        for package in requirements(path):
            by_command = USED_BY_COMMAND.get(package)
            imported = package.replace("-", "_") in used
            assert imported or (by_command and by_command in commands), package


def test_c76_every_imported_package_is_listed():
    known = set(sys.stdlib_module_names) | {"helpers"} | OPTIONAL
    learner = set(requirements(FILES["learner"]))
    for module in sorted(modules([*HELPERS, *LESSONS]) - known):
        assert BROUGHT_BY.get(module, module) in learner, f"{module} is imported but not listed"
    both = learner | set(requirements(FILES["tests"]))
    both |= {package.replace("-", "_") for package in both}
    for module in sorted(modules(TESTS) - known - {"tests"}):
        assert BROUGHT_BY.get(module, module) in both, f"{module} is imported but not listed"


def test_c76_an_optional_package_is_imported_where_its_absence_is_caught():
    caught, found = set(), set()
    for tree in (ast.parse(path.read_text(encoding="utf-8")) for path in HELPERS):
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found |= {id(node) for alias in node.names if alias.name.split(".")[0] in OPTIONAL}
            elif isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] not in OPTIONAL
            elif isinstance(node, ast.Try):
                types = {getattr(handler.type, "id", "") for handler in node.handlers}
                caught |= {id(x) for x in node.body if "ImportError" in types}
    assert found and found <= caught


def test_c76_torch_and_numpy_meet_without_a_warning():
    command = [sys.executable, "-W", "error", "-c", "import torch; torch.zeros(2).numpy()"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.skipif(not (ROOT / "README.md").exists(), reason="README.md is not written yet")
@pytest.mark.parametrize(
    "words",
    [python_version.supported_text(), "TORCH=cpu", torch_build.CPU_INDEX, "macOS 14", "Intel"],
)
def test_c76_the_readme_says_what_is_supported(words):
    assert words in (ROOT / "README.md").read_text(encoding="utf-8")


def builds_are_missing(version, folder, wanted):
    """Return pip's last words where that Python lacks a build of something wanted, or ""."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet"]
    command += ["--only-binary=:all:", "--python-version", version, "--target", str(folder)]
    done = subprocess.run([*command, *wanted], capture_output=True, text=True)
    if done.returncode and "could not be reached" in installing.remedy_for(done.stderr):
        pytest.skip("no network")
    said = venv_folder.last_lines(done.stderr)
    if done.returncode and not re.search("No matching distribution|ResolutionImpossible", said):
        pytest.fail(f"pip failed in another way: {said}")
    return said if done.returncode else ""


def lacking_in_the_readme():
    """Return the version that README says is not ready, and the pins that it names as missing."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    version, pins = re.search(
        r"For (3\.\d+) there are none yet of ([^,]+), and of all others", " ".join(readme.split())
    ).groups()
    return version, set(re.findall(r"`([^`]+)`", pins))


def test_c76_what_the_readme_misses_for_the_next_python_is_what_is_pinned():
    """So a new pin asks for a new look, by make check-wheels."""
    version, named = lacking_in_the_readme()
    newest = python_version.SUPPORTED[-1]
    assert version == python_version.version_text((newest[0], newest[1] + 1))
    assert named <= {f"{name}=={number}" for name, number in requirements(FILES["learner"]).items()}


@pytest.mark.slow
@pytest.mark.parametrize("version", python_version.SUPPORTED, ids=python_version.version_text)
def test_c76_there_are_builds_for_every_python(version, tmp_path):
    """Ask pip to resolve everything for that Python, taking built packages only."""
    files = [word for path in FILES.values() for word in ("-r", str(path))]
    lacking = builds_are_missing(python_version.version_text(version), tmp_path, files)
    assert not lacking, lacking


@pytest.mark.slow
def test_c76_the_readme_says_what_the_next_python_lacks(tmp_path):
    """Ask pip about each requirement alone, with what it needs in turn. Takes some minutes."""
    version, named = lacking_in_the_readme()
    text = "\n".join(path.read_text(encoding="utf-8") for path in FILES.values())
    pins = [pin for line in text.splitlines() if (pin := line.split("#")[0].strip())]
    found = {pin for pin in pins if builds_are_missing(version, tmp_path, [pin])}
    assert found == named, f"README must say: for {version} there are no builds of {found}"
