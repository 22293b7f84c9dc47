"""The exercises of lesson 01, a toy language: one file each."""

from helpers.exercises.checks.lesson_01.best_loss import best_loss
from helpers.exercises.checks.lesson_01.floor_bits import floor_bits
from helpers.exercises.checks.lesson_01.law_after import law_after
from helpers.exercises.checks.lesson_01.read import read
from helpers.exercises.checks.lesson_01.smoothed import smoothed

EXERCISES = (
    floor_bits,
    read,
    law_after,
    smoothed,
    best_loss,
)
