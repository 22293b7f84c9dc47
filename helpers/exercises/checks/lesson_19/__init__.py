"""The exercises of lesson 19, from GPT to Llama: one file each."""

from helpers.exercises.checks.lesson_19.absorbed import absorbed
from helpers.exercises.checks.lesson_19.folded import folded
from helpers.exercises.checks.lesson_19.gated_width import gated_width
from helpers.exercises.checks.lesson_19.llama_step import llama_step
from helpers.exercises.checks.lesson_19.wins import wins

EXERCISES = (
    gated_width,
    wins,
    absorbed,
    folded,
    llama_step,
)
