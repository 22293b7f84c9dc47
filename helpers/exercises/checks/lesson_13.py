"""Checks of the exercises of lesson 13."""

EXERCISES = ()
