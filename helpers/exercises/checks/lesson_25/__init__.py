"""The exercises of lesson 25, planning: one file each."""

from helpers.exercises.checks.lesson_25.best_size import best_size
from helpers.exercises.checks.lesson_25.cheapest import cheapest
from helpers.exercises.checks.lesson_25.fitted_law import fitted_law
from helpers.exercises.checks.lesson_25.largest_batch import largest_batch
from helpers.exercises.checks.lesson_25.lowest_point import lowest_point
from helpers.exercises.checks.lesson_25.parameter_total import parameter_total
from helpers.exercises.checks.lesson_25.training_operations import training_operations

EXERCISES = (
    parameter_total,
    training_operations,
    largest_batch,
    fitted_law,
    best_size,
    lowest_point,
    cheapest,
)
