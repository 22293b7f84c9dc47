"""The exercises of lesson 05, the causal block: one file each."""

from helpers.exercises.checks.lesson_05.into_heads import into_heads
from helpers.exercises.checks.lesson_05.layer_norm import layer_norm
from helpers.exercises.checks.lesson_05.parameter_count import parameter_count
from helpers.exercises.checks.lesson_05.pre_norm_block import pre_norm_block
from helpers.exercises.checks.lesson_05.silenced import silenced

EXERCISES = (
    parameter_count,
    into_heads,
    layer_norm,
    silenced,
    pre_norm_block,
)
