"""The exercises of lesson 13, model families: one file each."""

from helpers.exercises.checks.lesson_13.count_pairs import count_pairs
from helpers.exercises.checks.lesson_13.family import family
from helpers.exercises.checks.lesson_13.filled_apart import filled_apart
from helpers.exercises.checks.lesson_13.knows_all import knows_all
from helpers.exercises.checks.lesson_13.largest_shortlist import largest_shortlist
from helpers.exercises.checks.lesson_13.left_to_guess import left_to_guess

EXERCISES = (
    count_pairs,
    family,
    largest_shortlist,
    left_to_guess,
    knows_all,
    filled_apart,
)
