"""What the tests of set-up share: small copies of the course, and commands without this machine."""

import os
import shutil
import subprocess
import sys

import pytest

from helpers.course.notes import ROOT
from tests.course.small_index import Index, wheel


class Course:
    """A copy of what sets the course up, in a folder of its own."""

    def __init__(self, folder, learner="# nothing\n", tests="# nothing\n"):
        self.folder = folder
        shutil.copytree(
            os.path.join(ROOT, "helpers", "course"),
            folder / "helpers" / "course",
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        for name in ("__init__.py", "__main__.py", "hiding.py"):
            shutil.copy(os.path.join(ROOT, "helpers", name), folder / "helpers" / name)
        (folder / "tests").mkdir()
        (folder / "requirements.txt").write_text(learner)
        (folder / "tests" / "requirements.txt").write_text(tests)
        self.variables = {"PIP_NO_INDEX": "1"}

    def settings(self, **variables):
        """Return the environment of a command: nothing of this machine's pip, Python and proxy."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PIP_", "PYTHON", "TORCH")) and "proxy" not in name.lower()
        }
        kept |= {"PIP_CONFIG_FILE": os.devnull, **self.variables, **variables}
        return {name: value for name, value in kept.items() if value is not None}

    def uses(self, index):
        """Let pip use an index, and no other; set-up takes it for the one of CPU builds as well."""
        self.variables = {
            "PIP_INDEX_URL": index.address,
            "TORCH_CPU_INDEX": f"{index.host}/cpu",
            "PIP_CACHE_DIR": str(self.folder / "cache"),
            "PIP_TRUSTED_HOST": "127.0.0.1",  # only of such does pip keep copies
            "PIP_RETRIES": "0",
        }

    def run(self, *words, python=sys.executable, before=(), cwd=None, **variables):
        """Run python -m helpers ... in the folder, or elsewhere; no traceback may show."""
        done = subprocess.run(
            [*before, python, "-m", "helpers", *words],
            cwd=cwd or self.folder,
            env=self.settings(**variables),
            capture_output=True,
            text=True,
        )
        assert "Traceback" not in done.stdout + done.stderr
        return done

    @property
    def python(self):
        """The interpreter of the copy's own environment."""
        return self.folder.joinpath(
            ".venv", *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python"))
        )

    def finds(self, cwd, python=None, **variables):
        """Return where `import helpers` comes from, seen from another folder."""
        done = subprocess.run(
            [python or self.python, "-c", "import helpers; print(helpers.__file__, end='')"],
            cwd=cwd,
            env=self.settings(**variables),
            capture_output=True,
            text=True,
        )
        return done.stdout

    @property
    def own(self):
        """What `import helpers` should find."""
        return str(self.folder / "helpers" / "__init__.py")


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A set-up copy in a folder with a space, with nothing to install."""
    folder = tmp_path_factory.mktemp("set up") / "my course"
    made = Course(folder)
    done = made.run("setup")
    assert done.returncode == 0, done.stderr
    return made


@pytest.fixture(scope="session")
def empty_environment(tmp_path_factory):
    """empty_environment(folder): an environment with pip alone, quicker than making one."""
    made = tmp_path_factory.mktemp("environment") / ".venv"
    subprocess.run([sys.executable, "-m", "venv", made], check=True)
    return lambda folder: shutil.copytree(made, folder, symlinks=True)


@pytest.fixture
def fresh(tmp_path):
    """A copy that was not set up; learners need two packages, the tests one more."""
    return Course(tmp_path / "course", "torch==2.0\nnumpy==1.0\n", "pytest==3.0\n")


@pytest.fixture
def begun(fresh, empty_environment):
    """The same with an environment in which nothing is installed yet."""
    empty_environment(fresh.folder / ".venv")
    return fresh


@pytest.fixture
def index():
    """An index with the packages that the fresh copy needs, in the builds of both kinds."""
    wheels = [wheel("torch", "2.0", ["filelock"]), wheel("torch", "2.0+cpu", ["filelock"])]
    wheels += [wheel(name, v) for name, v in (("numpy", "1.0"), ("pytest", "3.0"))]
    with Index([*wheels, wheel("filelock", "5")]) as served:
        yield served


@pytest.fixture
def read_only():
    """read_only(folder): take away the right to write; root has to give up more. A prefix."""
    made = []

    def take(folder):
        if os.name == "nt":
            pytest.skip("Windows has no such folders")
        for path in (folder, *(p for p in folder.rglob("*") if p.is_dir())):
            path.chmod(0o555)
            made.append(path)
        if os.geteuid():
            return []
        prefix = ["setpriv", "--bounding-set=-dac_override"]
        try:
            tried = subprocess.run([*prefix, "touch", folder / "x"], capture_output=True)
        except OSError:
            tried = None
        if tried is None or b"Permission denied" not in tried.stderr:
            pytest.skip("root may write everywhere here")
        return prefix

    yield take
    for path in made:
        path.chmod(0o755)
