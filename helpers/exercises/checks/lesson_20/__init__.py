"""The exercises of lesson 20, nine architectures: one file each."""

from helpers.exercises.checks.lesson_20.cut_by_head import cut_by_head
from helpers.exercises.checks.lesson_20.expert_counts import expert_counts
from helpers.exercises.checks.lesson_20.mixture import mixture
from helpers.exercises.checks.lesson_20.read_off import read_off
from helpers.exercises.checks.lesson_20.shares_of_experts import shares_of_experts

EXERCISES = (
    expert_counts,
    shares_of_experts,
    cut_by_head,
    read_off,
    mixture,
)
