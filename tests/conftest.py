"""Settings of the unit and property tests: every run is the same, and leaves nothing behind."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import configuration, settings

from helpers.exercises.process import Process
from helpers.files import ROOT
from helpers.real_models import model_file

# the same examples each time, no limit on a slow machine, no store of found examples
settings.register_profile("course", derandomize=True, deadline=None, database=None)
settings.load_profile("course")
# hypothesis keeps tables of its own; they belong with what is built
configuration.set_hypothesis_home_dir(Path(__file__).resolve().parent.parent / ".build/hypothesis")


@pytest.fixture(scope="session")
def model_path():
    """The real model's file; a test that needs it is skipped without it, and says how to get it."""
    try:
        return model_file.find()
    except model_file.NoModelFile as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def process():
    """A process that runs answers, one for all tests of a file."""
    process = Process()
    yield process
    process.stop()


@pytest.fixture
def on_a_narrow_console():
    """C83: runs a command of the course where the console knows no UTF-8."""
    narrow = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252"}
    narrow["PYTHONCOERCECLOCALE"] = "0"

    def run(*words):
        command = [sys.executable, "-m", "helpers", *map(str, words)]
        return subprocess.run(command, cwd=ROOT, env=os.environ | narrow, capture_output=True)

    return run
