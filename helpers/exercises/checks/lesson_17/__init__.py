"""The exercises of lesson 17, heads and memory: one file each."""

from helpers.exercises.checks.lesson_17.cache_bytes import cache_bytes
from helpers.exercises.checks.lesson_17.grouped_attention import grouped_attention
from helpers.exercises.checks.lesson_17.paged_step import paged_step
from helpers.exercises.checks.lesson_17.pooled import pooled
from helpers.exercises.checks.lesson_17.who_reads import who_reads

EXERCISES = (
    cache_bytes,
    grouped_attention,
    pooled,
    who_reads,
    paged_step,
)
