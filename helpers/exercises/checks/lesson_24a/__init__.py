"""The exercises of lesson 24a, one training step: one file each."""

from helpers.exercises.checks.lesson_24a.adamw import adamw
from helpers.exercises.checks.lesson_24a.cause_of import cause_of
from helpers.exercises.checks.lesson_24a.clipped import clipped
from helpers.exercises.checks.lesson_24a.learned_instead import learned_instead
from helpers.exercises.checks.lesson_24a.rate_of import rate_of
from helpers.exercises.checks.lesson_24a.steps_to_run import steps_to_run
from helpers.exercises.checks.lesson_24a.whole_batch import whole_batch

EXERCISES = (
    adamw,
    rate_of,
    clipped,
    whole_batch,
    learned_instead,
    steps_to_run,
    cause_of,
)
