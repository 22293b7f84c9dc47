"""The exercises of lesson 03, causal attention: one file each."""

from helpers.exercises.checks.lesson_03.attend_in_pieces import attend_in_pieces
from helpers.exercises.checks.lesson_03.attend_last import attend_last
from helpers.exercises.checks.lesson_03.causal_head import causal_head
from helpers.exercises.checks.lesson_03.largest_length import largest_length
from helpers.exercises.checks.lesson_03.row_weights import row_weights

EXERCISES = (
    row_weights,
    largest_length,
    causal_head,
    attend_last,
    attend_in_pieces,
)
