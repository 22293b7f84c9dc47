"""The exercises of lesson 09, prompting: one file each."""

from helpers.exercises.checks.lesson_09.fit import fit
from helpers.exercises.checks.lesson_09.last_real import last_real
from helpers.exercises.checks.lesson_09.possible import possible
from helpers.exercises.checks.lesson_09.posterior import posterior
from helpers.exercises.checks.lesson_09.render import render

EXERCISES = (
    possible,
    posterior,
    last_real,
    render,
    fit,
)
