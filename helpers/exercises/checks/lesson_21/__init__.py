"""The exercises of lesson 21, a real model: one file each."""

from helpers.exercises.checks.lesson_21.agreement import agreement
from helpers.exercises.checks.lesson_21.block_weights import block_weights
from helpers.exercises.checks.lesson_21.chat_ids import chat_ids
from helpers.exercises.checks.lesson_21.lens import lens
from helpers.exercises.checks.lesson_21.show_until import show_until
from helpers.exercises.checks.lesson_21.to_halves import to_halves

EXERCISES = (
    block_weights,
    to_halves,
    lens,
    agreement,
    chat_ids,
    show_until,
)
