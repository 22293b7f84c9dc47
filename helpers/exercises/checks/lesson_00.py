"""Checks of the exercises of lesson 00."""

EXERCISES = ()
