import math
from fractions import Fraction


def wrong_cosine_over_all_steps(step, steps, warm, decay, kind):
    """the cosine is laid over all steps, not over those behind the warm-up

    Feedback: the cosine counts from step 0, and begins below the peak
    """
    # wrong for: f(2, 10, 2, 0, "cosine") gives 0.905, right 1.0 (right for warm 0)
    if step < warm:
        return (step + 1) / (warm + 1)
    if kind == "cosine":
        return 0.5 * (1 + math.cos(math.pi * step / steps))
    return min(1, (steps - step) / (decay + 1))


def wrong_cosine_ends_at_zero(step, steps, warm, decay, kind):
    """the cosine reaches 0 in the last step, one step too early

    Feedback: the last step has rate 0, and is lost
    """
    # wrong for: f(9, 10, 0, 0, "cosine") gives 0.0, right 0.0245
    if step < warm:
        return (step + 1) / (warm + 1)
    if kind == "cosine":
        share = (step - warm) / max(1, steps - 1 - warm)
        return 0.5 * (1 + math.cos(math.pi * share))
    return min(1, (steps - step) / (decay + 1))


def wrong_decay_begins_late(step, steps, warm, decay, kind):
    """n is divided by decay, so that the first step of the decay is still at the peak

    Feedback: the decay starts a step late
    """
    # wrong for: f(8, 10, 0, 2, "wsd") gives 1.0, right 2/3
    if step < warm:
        return (step + 1) / (warm + 1)
    if kind == "wsd":
        left = steps - step
        return left / decay if left <= decay else 1.0
    return (1 + math.cos(math.pi * (step - warm) / (steps - warm))) / 2


def wrong_last_zero_steps(step, steps, warm, decay, kind):
    """the last `decay` steps are cut out by [-decay:], which are all steps where decay is 0

    Feedback: a run whose stretches are empty or fill all goes wrong
    """
    # wrong for: f(5, 10, 0, 0, "wsd") gives 5.0, right 1.0 (right for decay above 0)
    if step < warm:
        return (step + 1) / (warm + 1)
    if kind == "cosine":
        return (1 + math.cos(math.pi * (step - warm) / (steps - warm))) / 2
    if step in range(steps)[-decay:]:
        return (steps - step) / (decay + 1)
    return 1.0


def wrong_kind_from_decay(step, steps, warm, decay, kind):
    """a decay of 0 is taken as the sign of a cosine, whatever kind says

    Feedback: a run whose stretches are empty or fill all goes wrong
    """
    # wrong for: f(5, 10, 0, 0, "wsd") gives 0.5, right 1.0 (right for decay above 0)
    if step < warm:
        return (step + 1) / (warm + 1)
    if not decay:
        return 0.5 + 0.5 * math.cos(math.pi * (step - warm) / (steps - warm))
    return min(1.0, (steps - step) / (decay + 1))


def wrong_warm_up_one_step_longer(step, steps, warm, decay, kind):
    """the warm-up is one step too long; that shows only where the decay follows at once

    Feedback: a run whose stretches are empty or fill all goes wrong
    """
    # wrong for: f(4, 8, 4, 4, "wsd") gives 1.0, right 0.8 (right where warm + decay is below steps)
    if step <= warm:
        return (step + 1) / (warm + 1)
    if kind == "cosine":
        return 0.5 * (1 + math.cos(math.pi * (step - warm) / (steps - warm)))
    return min(1.0, (steps - step) / (decay + 1))


def right_squared_sine(step, steps, warm, decay, kind):
    """the cosine as a squared sine of the steps to come, which is above 0 for any number of steps"""
    left = steps - step
    match kind:
        case _ if step < warm:
            return float(Fraction(step + 1, warm + 1))
        case "cosine":
            return math.sin(math.pi / 2 * (left / (steps - warm))) ** 2
        case "wsd":
            return float(min(Fraction(left, decay + 1), Fraction(1)))


def right_least_of_three(step, steps, warm, decay, kind):
    """one expression: the least of warm-up, peak and way down"""
    return min(
        1.0,
        (step + 1) / (warm + 1),
        (steps - step) / (decay + 1)
        if kind == "wsd"
        else 1.0
        if step < warm
        else math.cos(math.pi / 2 * (step - warm) / (steps - warm)) ** 2,
    )


# STATEMENT: "No step has the rate 0" / "a number above 0" in floats: (1 + cos(pi * share)) / 2 is exactly 0.0 in the last steps of a cosine of about
# 3e8 steps and more; a squared sine is not. Whether such step counts are allowed is not said. "steps" of at least 1 follows from the range of step.
# For "cosine" decay is 0: is warm = steps allowed then (no step of the cosine)? "together all steps" says yes.
