"""Checks of the exercises of lesson 02."""

EXERCISES = ()
