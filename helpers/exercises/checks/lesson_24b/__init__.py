"""The exercises of lesson 24b, long runs: one file each."""

from helpers.exercises.checks.lesson_24b.batch_at import batch_at
from helpers.exercises.checks.lesson_24b.best_group import best_group
from helpers.exercises.checks.lesson_24b.noise_of import noise_of
from helpers.exercises.checks.lesson_24b.scaler_step import scaler_step
from helpers.exercises.checks.lesson_24b.spacing import spacing
from helpers.exercises.checks.lesson_24b.text_if_whole import text_if_whole
from helpers.exercises.checks.lesson_24b.unmoved import unmoved

EXERCISES = (
    spacing,
    unmoved,
    scaler_step,
    best_group,
    batch_at,
    text_if_whole,
    noise_of,
)
