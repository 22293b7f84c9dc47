"""Checks of the exercises of lesson 10."""

EXERCISES = ()
