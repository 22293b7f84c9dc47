"""The exercises of lesson 12, cross-attention: one file each."""

from helpers.exercises.checks.lesson_12.cheapest_split import cheapest_split
from helpers.exercises.checks.lesson_12.cross_attend import cross_attend
from helpers.exercises.checks.lesson_12.cross_shapes import cross_shapes
from helpers.exercises.checks.lesson_12.floor_of import floor_of
from helpers.exercises.checks.lesson_12.prefix_mask import prefix_mask

EXERCISES = (
    cross_shapes,
    cross_attend,
    floor_of,
    cheapest_split,
    prefix_mask,
)
