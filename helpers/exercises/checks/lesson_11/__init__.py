"""The exercises of lesson 11, measuring the cache: one file each."""

from helpers.exercises.checks.lesson_11.broken_rules import broken_rules
from helpers.exercises.checks.lesson_11.crossing import crossing
from helpers.exercises.checks.lesson_11.fitted_prices import fitted_prices
from helpers.exercises.checks.lesson_11.median import median
from helpers.exercises.checks.lesson_11.predicted_speed_up import predicted_speed_up

EXERCISES = (
    median,
    crossing,
    broken_rules,
    predicted_speed_up,
    fitted_prices,
)
