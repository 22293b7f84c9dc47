"""Checks of the exercises of lesson 09."""

EXERCISES = ()
