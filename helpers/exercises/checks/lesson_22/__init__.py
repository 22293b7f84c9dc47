"""The exercises of lesson 22, fast decoding: one file each."""

from helpers.exercises.checks.lesson_22.enough_rows import enough_rows
from helpers.exercises.checks.lesson_22.floor_ms import floor_ms
from helpers.exercises.checks.lesson_22.four_bits import four_bits
from helpers.exercises.checks.lesson_22.int8_product import int8_product
from helpers.exercises.checks.lesson_22.two_numbers import two_numbers

EXERCISES = (
    floor_ms,
    two_numbers,
    int8_product,
    four_bits,
    enough_rows,
)
