"""The checks, tested five ways: stubs, right answers, planted wrong answers, strangers' answers,
mutations.

A check that accepts wrong work or refuses right work misleads whoever learns with it, so every
exercise passes through all of them. Strangers saw the statement only: planted.py.
"""

import ast

import pytest

from helpers import lesson_names
from helpers.exercises import catalog
from helpers.exercises.answers import Answer
from helpers.exercises.exercise import FAILED, NOT_ATTEMPTED, PASSED, Exercise
from helpers.exercises.process import Process
from helpers.grading import page_words
from tests.exercises import planted, verdicts
from tests.exercises.check_the_checks import feedback, survivors, tried
from tests.exercises.mutations import mutations
from tests.tiers import ALL

EXERCISES = list(catalog.exercises().values())
SEEDS = range(40 if ALL else 3)  # on these a stranger's right answer must pass
MUTATION_SECONDS = 4  # a mutant that loops is stopped after this; where answers train, later
every_exercise = pytest.mark.parametrize(
    "exercise", EXERCISES, ids=lambda exercise: f"{exercise.id}-{exercise.function}"
)


def those_that_changed():
    """Return the exercises for a test that tries all kept answers.

    Where a check and its answers are as they were when all of them held over forty seeds
    (verdicts.py), they wait for make test-all: nothing in them can have broken.
    """
    records = {exercise.lesson: verdicts.Record(exercise.lesson) for exercise in EXERCISES}
    return [
        pytest.param(
            exercise,
            id=f"{exercise.id}-{exercise.function}",
            marks=() if records[exercise.lesson].changed(exercise) else pytest.mark.thorough,
        )
        for exercise in EXERCISES
    ]


every_exercise_that_changed = pytest.mark.parametrize("exercise", those_that_changed())


def explain(report):
    return f"{report.state}: {feedback(report)}"


@every_exercise
def test_the_untouched_stub_is_not_attempted(exercise, process):
    report = exercise.check(planted.stub(exercise), process)
    assert report.state == NOT_ATTEMPTED, explain(report)


@every_exercise
def test_stub_and_reference_ask_for_the_same(exercise):
    def head(answer):
        tree = ast.parse(answer.source)
        (node,) = [
            node
            for node in tree.body
            if isinstance(node, ast.FunctionDef) and node.name == exercise.function
        ]
        imports = {ast.unparse(n) for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)}
        return ast.unparse(node.args), imports

    stub, reference = head(planted.stub(exercise)), head(planted.reference(exercise))
    assert stub[0] == reference[0]
    # what the reference needs from the course, the stub shows
    assert {line for line in reference[1] if "helpers" in line} <= stub[1]


@every_exercise
def test_the_reference_passes_also_on_other_inputs(exercise, process):
    for seed in (0, 1, 20261130):
        report = exercise.check(planted.reference(exercise), process, seed)
        assert report.state == PASSED, f"seed {seed}: {explain(report)}"


@every_exercise_that_changed
def test_right_answers_written_differently_pass(exercise, process):
    """C85."""
    others = planted.others(exercise)
    assert others, "write at least one more right answer, in another way"
    for name, answer in others.items():
        report = exercise.check(answer, process)
        assert report.state == PASSED, f"{name}: {explain(report)}"


@every_exercise_that_changed
def test_every_planted_wrong_answer_fails_with_words_of_its_own(exercise, process):
    assert len(planted.written(exercise)) >= 4
    names, found = survivors(exercise, process, page_words.allowed)
    assert len(names) >= 7
    assert not found, "\n".join(found)


@every_exercise_that_changed
def test_strangers_wrong_answers_fail_with_their_words(exercise, process):
    wrong, _ = planted.strangers(exercise)
    _, found = tried(exercise, wrong, process)
    assert not found, "\n".join(found)


@every_exercise_that_changed
def test_strangers_right_answers_pass_whatever_is_drawn(exercise, process):
    _, right = planted.strangers(exercise)
    for name, answer in right.items():
        for seed in SEEDS:
            report = exercise.check(answer, process, seed)
            assert report.state == PASSED, f"{name}, seed {seed}: {explain(report)}"


@pytest.mark.thorough
@every_exercise
def test_every_mutation_is_noticed_or_an_equal_program(exercise, process):
    alive, stopped = tried_mutations(exercise, process)
    reasons = planted.equal_mutations(exercise)
    unexplained = [name for name in alive if name not in reasons]
    assert not unexplained, "these mutations pass the check:\n" + "\n".join(unexplained)
    assert all(reasons.values()), "each equal program needs its reason"
    # on a busy machine an equal program may run out of time, and is then not missed
    stale = [name for name in reasons if name not in alive and name not in stopped]
    assert not stale, "these do not pass, or are no mutations:\n" + "\n".join(stale)


def tried_mutations(exercise: Exercise, process: Process) -> tuple[list[str], list[str]]:
    """Return the names of the mutations of the reference that pass, and those that time stopped."""
    alive, stopped = [], []
    # where answers train, they need their own time
    seconds = MUTATION_SECONDS if exercise.seconds <= 20 else exercise.seconds
    for mutation in mutations(planted.reference(exercise).source):
        answer = Answer(mutation.source, exercise.function)
        report = exercise.check(answer, process, seconds=seconds, first_fault_ends=True)
        if report.state != FAILED:
            alive.append(mutation.name)
        elif "took longer than" in feedback(report):
            stopped.append(mutation.name)
    return alive, stopped


def test_each_lesson_from_01_has_at_least_four_exercises_and_a_challenge():
    by_lesson = {}
    for exercise in EXERCISES:
        by_lesson.setdefault(exercise.lesson, []).append(exercise)
    assert [number for number, found in by_lesson.items() if len(found) < 4] == []


def test_the_catalogue_has_the_checks_of_every_lesson():
    names = [lesson.__name__.rpartition(".")[2] for lesson in catalog.LESSONS]
    folder = catalog.ROOT / "helpers/exercises/checks"
    assert names == sorted(path.name for path in folder.glob("lesson_*"))
    for name, lesson in zip(names, catalog.LESSONS, strict=True):
        numbers = {exercise.lesson for exercise in lesson.EXERCISES}
        assert numbers == {name.removeprefix("lesson_")}
        assert numbers <= lesson_names.lessons_in(planted.LESSONS).keys()


def test_ids_follow_one_another_and_no_two_functions_share_a_name():
    ids = [exercise.id for exercise in EXERCISES]
    assert ids == sorted(ids, key=lesson_names.order)
    assert len(set(ids)) == len(ids)
    for lesson in {exercise.lesson for exercise in EXERCISES}:
        names = [exercise.function for exercise in EXERCISES if exercise.lesson == lesson]
        assert len(set(names)) == len(names), f"lesson {lesson}: a name twice"
