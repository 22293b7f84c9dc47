"""Checks of the exercises of lesson 12."""

EXERCISES = ()
