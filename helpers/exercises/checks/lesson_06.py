"""Checks of the exercises of lesson 06."""

EXERCISES = ()
