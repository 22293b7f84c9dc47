"""An answer that imports an old path of the course is told the new one, here and when graded."""

import pytest

from helpers.exercises import moved, words
from helpers.exercises.answers import Answer
from helpers.exercises.exercise import FAILED, _raised
from helpers.files import ROOT
from tests.exercises import tiny

TABLE = {
    "helpers.masks": "helpers.decoder.masks",
    "helpers.decoding": "helpers.decoding.generation",
    "helpers.families.configs": "helpers.real_models.configs",
}


@pytest.fixture(autouse=True)
def table(monkeypatch):
    """A table of three moves, one of them into a package of the old module's name."""
    monkeypatch.setattr(moved, "MOVED", TABLE)


class Never:
    """A process that must not be used; own: whether its answers' words may be shown."""

    def __init__(self, own=True):
        self.own = own


@pytest.mark.parametrize(
    "name, old",
    [
        ("helpers.masks", "helpers.masks"),
        ("helpers.masks.causal_mask", "helpers.masks"),
        ("helpers.decoding", "helpers.decoding"),
        ("helpers.decoding.old_name", "helpers.decoding"),
        ("helpers.decoding.generate", ""),
        ("helpers.families.configs.Config", "helpers.families.configs"),
        ("helpers.decoding.generation", ""),
        ("helpers.decoding.generation.generate", ""),
        ("helpers.decoder.masks", ""),
        ("helpers.maskss", ""),
        ("helpers.families", ""),
        ("helpers", ""),
        ("os", ""),
        ("", ""),
        (".masks", ""),
    ],
)
def test_an_old_module_is_known_by_its_name_and_by_what_stood_in_it(name, old):
    assert moved.moved_from(name) == old
    assert moved.sentence(name) == (f"{old} is {TABLE[old]} now" if old else "")


@pytest.mark.parametrize("own", [True, False], ids=["own", "graded"])
@pytest.mark.parametrize(
    "line, old",
    [
        ("from helpers.masks import causal_mask", "helpers.masks"),
        ("from helpers import masks", "helpers.masks"),
        ("import helpers.masks", "helpers.masks"),
        ("from helpers.decoding import old_name", "helpers.decoding"),
    ],
)
def test_the_refusal_is_one_sentence_with_the_new_place(line, old, own):
    """In the notebook, whether the new place is allowed or not; a page has fixed words only."""
    answer = Answer(f"{line}\n\n\ndef twice(x):\n    return 2 * x\n", "twice")
    allowed = tiny.exercise(imports=("torch", TABLE[old])).check(answer, Never(own))
    refused = tiny.exercise().check(answer, Never(own))
    assert allowed.state == refused.state == FAILED
    if own:
        assert allowed.problem == f"{old} is {TABLE[old]} now: import it from there"
        assert f" is not allowed ({old} is {TABLE[old]} now; to try" in refused.problem
    else:
        assert allowed.problem == refused.problem == f"{old} is {TABLE[old]} now"


def test_an_import_that_only_shows_when_it_runs_is_told_too(monkeypatch):
    reply = {"raised": "Refused", "refused": "helpers.masks", "line": 3}
    assert words.without_words(reply)["refused"] == "helpers.masks"
    assert words.known_name("helpers.masks.what_its_author_chose") == "helpers.masks"
    said = "it imported helpers.masks, which is not allowed: helpers.masks is helpers.decoder.masks"
    assert _raised(reply, "it") == said + " now"


def test_every_row_of_the_table_leads_to_a_file_and_from_none(monkeypatch):
    monkeypatch.undo()

    def there(name):
        place = ROOT / name.replace(".", "/")
        return place.with_suffix(".py").is_file() or (place / "__init__.py").is_file()

    for old, new in moved.MOVED.items():
        assert there(new), new
        package = any(name.startswith(old + ".") for name in moved.MOVED.values())
        assert package or not there(old), old
