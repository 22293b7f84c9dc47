"""Checks of the exercises of lesson 05."""

EXERCISES = ()
