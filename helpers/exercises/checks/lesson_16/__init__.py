"""The exercises of lesson 16, norms and feed-forward: one file each."""

from helpers.exercises.checks.lesson_16.gated import gated
from helpers.exercises.checks.lesson_16.hidden_width import hidden_width
from helpers.exercises.checks.lesson_16.rms_norm import rms_norm
from helpers.exercises.checks.lesson_16.rms_norm_backward import rms_norm_backward
from helpers.exercises.checks.lesson_16.which_norm import which_norm

EXERCISES = (
    hidden_width,
    rms_norm,
    gated,
    which_norm,
    rms_norm_backward,
)
