"""The exercises of lesson 14, positions: one file each."""

from helpers.exercises.checks.lesson_14.alibi_reach import alibi_reach
from helpers.exercises.checks.lesson_14.bucket import bucket
from helpers.exercises.checks.lesson_14.distance_bias import distance_bias
from helpers.exercises.checks.lesson_14.kind_of import kind_of
from helpers.exercises.checks.lesson_14.moved_on import moved_on
from helpers.exercises.checks.lesson_14.slopes import slopes

EXERCISES = (alibi_reach, slopes, distance_bias, moved_on, kind_of, bucket)
