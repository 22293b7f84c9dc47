"""Checks of the exercises of lesson 07."""

EXERCISES = ()
