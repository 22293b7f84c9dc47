"""What must hold for every causal model, who depends on whom, and a yardstick for long texts."""

from helpers.front_door import front_door

NAMES = {
    "influence": "check_no_leak check_sees_all influence_by_change influence_by_gradient",
    "long_recall": "questions share_right sizes_only",
    "invariants": "ladder",
}
__all__, __getattr__, __dir__ = front_door(__name__, NAMES)
