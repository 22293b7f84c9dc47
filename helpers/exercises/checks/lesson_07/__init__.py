"""The exercises of lesson 07, decoding: one file each."""

from helpers.exercises.checks.lesson_07.count_valid import count_valid
from helpers.exercises.checks.lesson_07.greedy_and_best import greedy_and_best
from helpers.exercises.checks.lesson_07.law_at import law_at
from helpers.exercises.checks.lesson_07.read_script import read_script
from helpers.exercises.checks.lesson_07.run import run
from helpers.exercises.checks.lesson_07.temperature_for import temperature_for

EXERCISES = (
    read_script,
    law_at,
    temperature_for,
    run,
    count_valid,
    greedy_and_best,
)
