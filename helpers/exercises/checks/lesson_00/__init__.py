"""The exercises of lesson 00, one token: one file each."""

from helpers.exercises.checks.lesson_00.count import count
from helpers.exercises.checks.lesson_00.finish import finish
from helpers.exercises.checks.lesson_00.pick import pick
from helpers.exercises.checks.lesson_00.predictions import predictions
from helpers.exercises.checks.lesson_00.shapes import shapes

EXERCISES = (
    shapes,
    pick,
    count,
    predictions,
    finish,
)
