"""Checks of the exercises of lesson 08."""

EXERCISES = ()
