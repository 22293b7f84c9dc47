"""The exercises of lesson 08, sampling controls: one file each."""

from helpers.exercises.checks.lesson_08.best_by_beams import best_by_beams
from helpers.exercises.checks.lesson_08.conditional_step import conditional_step
from helpers.exercises.checks.lesson_08.frequency_penalty import frequency_penalty
from helpers.exercises.checks.lesson_08.survivors import survivors
from helpers.exercises.checks.lesson_08.top_p import top_p
from helpers.exercises.checks.lesson_08.turning_point import turning_point

EXERCISES = (
    survivors,
    frequency_penalty,
    top_p,
    turning_point,
    best_by_beams,
    conditional_step,
)
