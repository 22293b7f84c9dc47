"""Checks of the exercises of lesson 01."""

EXERCISES = ()
