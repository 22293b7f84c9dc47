"""The exercises of lesson 06, training: one file each."""

from helpers.exercises.checks.lesson_06.counted_targets import counted_targets
from helpers.exercises.checks.lesson_06.joined_loss import joined_loss
from helpers.exercises.checks.lesson_06.leaky_positions import leaky_positions
from helpers.exercises.checks.lesson_06.my_loss import my_loss
from helpers.exercises.checks.lesson_06.rate_at import rate_at
from helpers.exercises.checks.lesson_06.train_and_write import train_and_write

EXERCISES = (
    counted_targets,
    my_loss,
    rate_at,
    joined_loss,
    leaky_positions,
    train_and_write,
)
