"""Grading one submission: points, states, feedback, and what is never told."""

import math
from dataclasses import replace

import nbformat
import pytest

from helpers.exercises import catalog
from helpers.exercises.answers import Answer
from helpers.exercises.exercise import FAILED, NOT_ATTEMPTED, PASSED, Exercise, Report
from helpers.grading import grade, sandbox, submission
from helpers.grading.gradebook import seed
from tests.grading import school

OWN = grade.Terms("secret", own=True, seconds=6)


def hand(sources, **more):
    answers = {e: Answer(source, school.FUNCTIONS[e]) for e, source in sources.items()}
    return submission.Submission("ann", "ann.json", "digest", answers, **more)


def by_exercise(graded):
    return {one.exercise: one for one in graded.grades}


class NoProcess:
    """Stands for a process that nothing can be asked; counts."""

    started = stopped = 0
    start_seconds = 0.0

    def start(self):
        NoProcess.started += 1

    def stop(self):
        NoProcess.stopped += 1


@pytest.fixture
def no_process(monkeypatch):
    NoProcess.started = NoProcess.stopped = 0
    monkeypatch.setattr(grade, "Process", NoProcess)
    monkeypatch.setattr(sandbox, "SandboxProcess", lambda slot: NoProcess())
    return NoProcess


def test_c81_an_endless_loop_costs_its_own_exercise_only():
    remarks = {"10.4": "it was handed in more than once: the last one counts"}
    graded = grade.grade(hand(school.answers("loops"), remarks=remarks), OWN)
    found = by_exercise(graded)
    states = [found[exercise].state for exercise in school.EXERCISES]
    assert states == [PASSED, FAILED, PASSED]
    assert [found[e].points for e in school.EXERCISES] == [1, 0, 2]
    assert "it took longer than 6 s" in str(found["02.2"].feedback)
    assert found["10.4"].feedback[-1] == ["", "", remarks["10.4"]]
    assert list(found) == list(school.KNOWN)
    rest = [one for name, one in found.items() if name not in school.EXERCISES]
    assert {one.state for one in rest} == {grade.MISSING}
    assert graded.start_seconds > 0 and graded.check_seconds > 0


def test_c79_the_feedback_names_the_property_and_no_value_source_or_path(sandboxed):
    spied = "def window_matrix(*x):\n    raise ValueError(open('/etc/passwd').read())\n"
    sources = school.answers("wrong") | {"02.2": spied}
    found = by_exercise(grade.grade(hand(sources), grade.Terms("secret", seconds=20), 11))
    process = sandbox.SandboxProcess(12)
    try:
        reports = {
            exercise: school.KNOWN[exercise].check(
                Answer(source, school.FUNCTIONS[exercise]),
                process,
                seed("secret", exercise, "digest"),
            )
            for exercise, source in sources.items()
        }
    finally:
        process.stop()
    for exercise in school.EXERCISES:
        one = found[exercise]
        assert one.state == FAILED
        texts = {text for text, _ in school.KNOWN[exercise].properties}
        texts.add("what it is given stays as it was")
        assert {text for _, text, _ in one.feedback} <= texts
        assert any(fault for _, _, fault in one.feedback)
        said = str(one.feedback)
        # what a learner sees in the notebook: the input, and what came out
        seen = [line.seen for line in reports[exercise].lines if line.seen]
        assert seen and not any(words in said for words in seen)
        for secret in ("answer.py", "/etc", "root:", "line ", "tensor([", "Traceback"):
            assert secret not in said, said


def test_empty_stub_and_too_long_are_told_apart_and_start_no_process(no_process):
    sources = {"01.1": school.stub("01.1"), "02.2": "x" * (submission.LONGEST + 1)}
    found = by_exercise(grade.grade(hand(sources), OWN))
    assert found["01.1"].state == NOT_ATTEMPTED
    assert found["01.1"].feedback == [["", "", "the function is still empty"]]
    assert found["02.2"].state == FAILED
    assert "longer than" in found["02.2"].feedback[0][2]
    assert (found["10.4"].state, found["10.4"].feedback) == ("missing", [])
    assert (no_process.started, no_process.stopped) == (0, 1)


def test_the_inputs_depend_on_the_secret_the_exercise_and_what_was_handed_in(
    no_process, monkeypatch
):
    drawn = []

    def check(self, answer, process, inputs, seconds):
        drawn.append((self.id, inputs, seconds))
        return Report(PASSED)

    monkeypatch.setattr(Exercise, "check", check)
    grade.grade(hand(school.answers("right")), OWN)
    grade.grade(replace(hand(school.answers("right")), learner="bob", name="bob.json"), OWN)
    # the same answers in another file: something else in it may have changed
    grade.grade(replace(hand(school.answers("right")), digest="other digest"), OWN)
    grade.grade(hand(school.answers("right")), grade.Terms("other"))
    ways = ("secret", "digest", 6), ("secret", "other digest", 6), ("other", "digest", math.inf)
    first, second, third = [
        [(exercise, seed(secret, exercise, digest), limit) for exercise in school.EXERCISES]
        for secret, digest, limit in ways
    ]
    assert drawn == first + first + second + third
    assert len({inputs for _, inputs, _ in first + second + third}) == 9


@pytest.fixture
def slow(monkeypatch):
    """Let each check take a time of its own; return {exercise: seconds}, and what was run."""
    took, ran, now = {}, [], [0.0]

    def check(self, answer, process, inputs, seconds):
        ran.append(self.id)
        now[0] += took.get(self.id, 0)
        return Report(PASSED)

    monkeypatch.setattr(Exercise, "check", check)
    monkeypatch.setattr(grade.time, "monotonic", lambda: now[0])
    return took, ran


def test_when_the_time_of_a_submission_is_used_up_the_rest_is_not_run_and_says_so(no_process, slow):
    """126 endless loops would hold a core for 42 minutes."""
    took, ran = slow
    everything = dict.fromkeys(school.KNOWN, "def f(): ...")
    took |= dict.fromkeys(school.KNOWN, 20)
    terms = replace(OWN, in_all=60)
    found = by_exercise(grade.grade(hand(everything), terms))
    assert ran == list(school.KNOWN)[:3]
    assert [one.state for one in found.values()][:4] == [PASSED] * 3 + [FAILED]
    rest = list(found.values())[3:]
    assert {one.points for one in rest} == {0}
    said = "not run: the time for the whole submission was used up (60 s)"
    assert all(one.feedback == [["", "", said]] for one in rest)
    # what was not handed in is missing, whatever the time
    few = {exercise: everything[exercise] for exercise in list(school.KNOWN)[:5]}
    states = [one.state for one in grade.grade(hand(few), terms).grades]
    assert states[3:6] == [FAILED, FAILED, grade.MISSING]


def test_what_takes_less_than_a_second_costs_nothing_of_the_submissions_time(no_process, slow):
    """However busy the machine is, right answers to all exercises are run."""
    took, ran = slow
    took |= dict.fromkeys(school.KNOWN, 0.99)
    everything = dict.fromkeys(school.KNOWN, "def f(): ...")
    found = grade.grade(hand(everything), replace(OWN, in_all=1)).grades
    assert len(ran) == len(school.KNOWN)
    assert {one.state for one in found} == {PASSED}


def test_the_process_is_ended_whatever_happens(no_process, monkeypatch):
    def check(*arguments):
        raise RuntimeError("the process that runs answers did not start")

    monkeypatch.setattr(Exercise, "check", check)
    with pytest.raises(RuntimeError):
        grade.grade(hand(school.answers("right")), OWN)
    assert no_process.stopped == 1


def test_other_checks_or_terms_are_another_version(monkeypatch, tmp_path):
    versions = [
        grade.Terms("a").version(),
        grade.Terms("a", own=True).version(),
        grade.Terms("a", seconds=3).version(),
        grade.Terms("a", seconds=4).version(),
        grade.Terms("a", in_all=4).version(),
    ]
    assert len(set(versions)) == 5
    assert grade.Terms("b").version() == versions[0]
    assert versions[0].startswith(grade.checks_version())
    assert all(len(version) <= 64 for version in versions)

    course = tmp_path / "grading"  # wherever the course lies
    for name in ("helpers/exercises/checks/a.py", "helpers/grading/b.py", "helpers/site/c.py"):
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        (course / name).write_bytes(b"x = 1\n")
    monkeypatch.setattr(grade.catalog, "ROOT", course)
    before = grade.checks_version()
    (course / "helpers/exercises/checks/a.py").write_bytes(b"x = 1\r\n")
    (course / "helpers/grading/b.py").write_bytes(b"x = 2\n")
    (course / "helpers/site/c.py").write_bytes(b"x = 2\n")
    assert grade.checks_version() == before
    (course / "helpers/exercises/checks/a.py").write_bytes(b"x = 2\n")
    assert grade.checks_version() != before


def test_the_lessons_with_the_reference_answers_get_all_points(sandboxed, tmp_path):
    """All notebooks as a folder, each answer in the sandbox."""
    (tmp_path / "ann").mkdir()
    for path in sorted((catalog.ROOT / "lessons").glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if "exercise" in cell.metadata:
                exercise = catalog.find(cell.metadata["exercise"])
                cell.source = catalog.solution_text(exercise)
        nbformat.write(notebook, tmp_path / "ann" / path.name)
    handed = submission.read(tmp_path / "ann", "ann", school.FUNCTIONS)
    assert (set(handed.answers), handed.remarks) == (set(catalog.exercises()), {})
    graded = grade.grade(handed, grade.Terms("a secret"), slot=9)
    wrong = {one.exercise: one.feedback for one in graded.grades if one.state != PASSED}
    assert wrong == {}
