"""Checks of the exercises of lesson 11."""

EXERCISES = ()
