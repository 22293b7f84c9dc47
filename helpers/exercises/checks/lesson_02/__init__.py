"""The exercises of lesson 02, averaging the past: one file each."""

from helpers.exercises.checks.lesson_02.bigram_law import bigram_law
from helpers.exercises.checks.lesson_02.running_average import running_average
from helpers.exercises.checks.lesson_02.shares import shares
from helpers.exercises.checks.lesson_02.summary import summary
from helpers.exercises.checks.lesson_02.window_matrix import window_matrix

EXERCISES = (
    shares,
    window_matrix,
    running_average,
    bigram_law,
    summary,
)
