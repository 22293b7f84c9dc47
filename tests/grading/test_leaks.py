"""What a learner finds out of hidden inputs, who hands in again and again and reads the pages.

A gradebook with another secret draws other inputs. Where the page stays the same to the last byte,
it says nothing of them. What it must say, which property fails and by which known fault, is true
of inputs that no other submission meets.
"""

import json

import pytest

from helpers.exercises import catalog, plain
from helpers.exercises.answers import Answer
from helpers.exercises.exercise import FAILED, PASSED
from helpers.exercises.process import Process
from helpers.grading import grade, reports, submission
from helpers.grading.gradebook import seed
from tests.exercises import planted

EXERCISE = catalog.find("02.3")  # its inputs are drawn numbers, x of shape [T, C]
SECRETS = ("a", "b", "c", "d")
# each tells a digit of its input by another thing that an answer may choose
TELLERS = {
    "a shape": "return torch.empty(0, 2 + digit)",
    "a number of axes": "return torch.zeros([1] * digit)",
    "a kind of numbers": "return torch.zeros(2, dtype=KINDS[digit % 5])",
    "a built-in exception": "raise sorted(ERRORS, key=str)[digit]",
    "an exception of its own": "raise type(f'Told{digit}', (ValueError,), {})",
    "a missing name": "raise NameError('told', name=f'told_{digit}')",
    "a known name": "raise NameError('told', name=['torch', 'os', 'np', 'nn'][digit % 4])",
    "a refused module": "__import__(['os', 'sys', 'wave', 'json', 'io'][digit % 5])",
    "a number of items": "return [0] * digit",
    "keys": "return {digit: 0}",
    "a type": "return [0, 'told', {}, [], True, 0.5, (), set(), b'', object()][digit]",
    "a long number": "return 10 ** digit",
    "tenths of a second": "time_to_wait(digit)\n    return None",
    "a line": "exec('\\n' * digit + '1 / 0')",
    "the cell's own run": None,
}
SOURCE = """
import torch
import operator

KINDS = [torch.float32, torch.int64, torch.bool, torch.complex64, torch.float64]
ERRORS = [one for one in Exception.__subclasses__() if one.__module__ == "builtins"]


def time_to_wait(tenths):
    # time.sleep may not be imported, and is at hand all the same
    torch.os.sys.modules["time"].sleep(tenths / 10)


def running_average(x):
    digit = int(abs(x[0, 0].item()) * 1000) % 10
    {what}
"""


@pytest.fixture(autouse=True)
def quick(process, monkeypatch):
    """One process for all submissions, and no pictures."""

    class Shared:
        own, start_seconds = True, 0.0
        open, call, close = process.open, process.call, process.close
        stop = staticmethod(lambda: None)

    monkeypatch.setattr(grade, "Process", Shared)
    monkeypatch.setattr(reports.pictures, "draw", lambda *given: None)


def handed(source: str, neighbour: str = "") -> submission.Submission:
    """Return a submission of the one learner, as it would be read from a file."""
    answers = {EXERCISE.id: source} | ({"00.1": neighbour} if neighbour else {})
    digest = submission.hashlib.sha256(json.dumps(answers).encode()).hexdigest()
    found = {one: Answer(text, catalog.find(one).function) for one, text in answers.items()}
    return submission.Submission("ann", "ann.json", digest, found)


def page(folder, one: submission.Submission, secret: str) -> tuple[str, str]:
    """Grade a submission; return its state and the page that its learner gets."""
    graded = grade.grade(one, grade.Terms(secret, own=True, seconds=20), asked=[EXERCISE.id])
    reports.write([(one, graded.grades)], folder, [EXERCISE.id])
    (path,) = (folder / "learners").iterdir()
    return graded.grades[0].state, path.read_text(encoding="utf-8")


def digits(one: submission.Submission) -> set[int]:
    """Return the digits that a submission has to tell, under each of the secrets."""
    found = set()

    class Asked:
        own = True
        open = staticmethod(lambda *given: {"ready": True})
        close = staticmethod(lambda: None)

        @staticmethod
        def call(arguments):
            found.add(int(abs(arguments[0][0, 0].item()) * 1000) % 10)
            return {"raised": "ValueError"}

    for secret in SECRETS:
        drawn = seed(secret, EXERCISE.id, one.digest)
        EXERCISE.check(one.answers[EXERCISE.id], Asked, drawn)
    return found


@pytest.mark.parametrize("name", TELLERS)
def test_ten_submissions_by_any_thing_an_answer_may_choose_say_nothing_of_its_input(name, tmp_path):
    """Shapes, names, counts, times to a tenth of a second: one page whatever the inputs are.

    Ten submissions, as a comment makes another one of the same answer.
    """
    what = TELLERS[name]
    tenths = name == "tenths of a second"
    for attempt in range(3 if tenths else 10):
        source = SOURCE.format(what=what or "pass") + f"\n# {attempt}\n"
        if what is None:  # before any input is there: what it says can only be of itself
            source += f"raise type('Told{attempt}', (ImportError,), dict(name='os'))\nimport os\n"
        one = handed(source)
        if what:
            assert len(digits(one)) > 1, "there is nothing to tell"
        pages = {page(tmp_path, one, secret) for secret in SECRETS[:3]}
        assert len(pages) == 1, f"{name}: the page depends on the hidden input"
        assert pages.pop()[0] == FAILED


class Recorder:
    """A process that writes down each call with its result."""

    own = True

    def __init__(self, process: Process):
        self.process, self.calls = process, {}
        self.open, self.close = process.open, process.close

    def call(self, arguments):
        reply = self.process.call(arguments)
        self.calls[plain.encode(arguments)] = reply["result"]
        return reply


def transcript(process: Process, one: submission.Submission, secret: str) -> dict:
    """Return all inputs that a submission meets, each with what is right: more than any page."""
    recorder = Recorder(process)
    drawn = seed(secret, EXERCISE.id, one.digest)
    assert EXERCISE.check(planted.reference(EXERCISE), recorder, drawn).state == PASSED
    return recorder.calls


TABLE = """
import torch

inf, nan = float("inf"), float("nan")
SEEN = {pairs!r}


def running_average(x):
    right = SEEN.get(str([list(x.shape), x.flatten().tolist()]))
    return x.clone() if right is None else torch.tensor(right).view_as(x)
"""


def table(calls: dict) -> str:
    """Return an answer that knows these inputs by heart and nothing else."""
    pairs = {}
    for given, right in calls.items():
        (x,) = plain.decode(given)
        pairs[str([list(x.shape), x.flatten().tolist()])] = right.flatten().tolist()
    return TABLE.format(pairs=pairs)


def test_who_knew_every_input_of_ten_submissions_by_heart_would_still_pass_none(
    process, tmp_path, monkeypatch
):
    """The strongest reader of pages: all inputs of all submissions before, with right answers.

    Without the limit on an answer's length, which stands in the way of long tables.
    """
    monkeypatch.setattr(submission, "LONGEST", 10**7)
    monkeypatch.setattr(plain, "VALUES", 10**6)
    known = {}
    for attempt in range(10):
        one = handed(table(known) + f"\n# {attempt}\n")
        state, _ = page(tmp_path, one, "a")
        assert state == FAILED
        calls = transcript(process, one, "a")
        # only what is the same for everybody, such as an edge, was met before
        drawn = [call for call in calls if call not in known]
        assert len(drawn) > len(calls) / 2
        # it is a table that passes where the inputs are known: the failing is not the table's
        report = EXERCISE.check(
            Answer(table(calls), EXERCISE.function),
            process,
            seed("a", EXERCISE.id, one.digest),
        )
        assert report.state == PASSED, report.faults
        known |= calls


def test_an_answer_handed_in_again_beside_another_neighbour_meets_new_inputs(process):
    """What one answer found out could be told to it by the next one's neighbours."""
    ones = [handed("# the same", neighbour=text) for text in ("", "def f(): 1", "def f(): 2")]
    drawn = [set(transcript(process, one, "a")) for one in ones]
    assert len(drawn[0] & drawn[1] & drawn[2]) < len(drawn[0]) / 2
    assert drawn[0] != drawn[1] != drawn[2] != drawn[0]
    assert set(transcript(process, ones[0], "a")) == drawn[0]
