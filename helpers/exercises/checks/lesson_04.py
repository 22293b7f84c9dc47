"""Checks of the exercises of lesson 04."""

EXERCISES = ()
