"""The exercises of lesson 18, tokenizers: one file each."""

from helpers.exercises.checks.lesson_18.bits_per_byte import bits_per_byte
from helpers.exercises.checks.lesson_18.encode import encode
from helpers.exercises.checks.lesson_18.learn import learn
from helpers.exercises.checks.lesson_18.merge_pair import merge_pair
from helpers.exercises.checks.lesson_18.most_frequent_pair import most_frequent_pair
from helpers.exercises.checks.lesson_18.stream import stream

EXERCISES = (
    most_frequent_pair,
    merge_pair,
    bits_per_byte,
    encode,
    stream,
    learn,
)
