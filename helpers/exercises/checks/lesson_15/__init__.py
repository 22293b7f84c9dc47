"""The exercises of lesson 15, rotary positions: one file each."""

from helpers.exercises.checks.lesson_15.layout_of import layout_of
from helpers.exercises.checks.lesson_15.lost_steps import lost_steps
from helpers.exercises.checks.lesson_15.rows_for_halves import rows_for_halves
from helpers.exercises.checks.lesson_15.stretched import stretched
from helpers.exercises.checks.lesson_15.tokens_a_turn import tokens_a_turn
from helpers.exercises.checks.lesson_15.turn import turn

EXERCISES = (tokens_a_turn, turn, lost_steps, rows_for_halves, layout_of, stretched)
