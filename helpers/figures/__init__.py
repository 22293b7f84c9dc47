"""Pictures of the course, and figures to operate."""

from helpers.front_door import front_door

NAMES = {
    "live": "operate",
    "mask": "MASK TOKENS",
    "cache": "CACHE",
    "sampling": "SAMPLING",
}
__all__, __getattr__, __dir__ = front_door(__name__, NAMES)
