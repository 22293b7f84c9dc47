"""The exercises of lesson 10, the KV cache: one file each."""

from helpers.exercises.checks.lesson_10.longest import longest
from helpers.exercises.checks.lesson_10.piece_mask import piece_mask
from helpers.exercises.checks.lesson_10.ring_attention import ring_attention
from helpers.exercises.checks.lesson_10.rows_computed import rows_computed
from helpers.exercises.checks.lesson_10.saving import saving
from helpers.exercises.checks.lesson_10.step import step

EXERCISES = (
    rows_computed,
    longest,
    step,
    piece_mask,
    saving,
    ring_attention,
)
