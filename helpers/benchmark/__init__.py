"""Measuring: time taken honestly, and the records that lessons and README show."""

from helpers.front_door import front_door

NAMES = {
    "measuring": "NotEqual compare measure measurement_of",
    "noise": "load_noise",
    "width": "load_widths",
    "scaling": "load_runs",
    "cache_grid": "GRID cache_sides grid_config load_grid same_generation",
}
__all__, __getattr__, __dir__ = front_door(__name__, NAMES)
