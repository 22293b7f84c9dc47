"""Settings of the unit and property tests: every run is the same, and leaves nothing behind."""

from pathlib import Path

import pytest
from hypothesis import configuration, settings

from helpers.real_model import model_file

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
