import math


def wrong_cosine_from_the_first_step(step, steps, start, warmup):
    """After the warm-up the rate lies on the cosine that began at step 0, so it never is `start`.

    Feedback: the cosine begins below start, since its steps are counted from 0
    """
    # wrong for: f(10, 100, 1.0, 10) gives 0.9755, right 1.0
    if step < warmup:
        return start * step / warmup
    return start * (1 + math.cos(math.pi * step / steps)) / 2


def wrong_quarter_of_a_cosine(step, steps, start, warmup):
    """A quarter of a cosine: it too falls from `start` to 0, on another curve.

    Feedback: it is a quarter of a cosine's round: it still falls steeply at the end
    """
    # wrong for: f(50, 100, 1.0, 0) gives 0.7071, right 0.5
    if step < warmup:
        return start * step / warmup
    return (
        start * math.cos(math.pi / 2 * (step - warmup) / (steps - warmup)) if step < steps else 0.0
    )


def wrong_no_warmup_divides_by_zero(step, steps, start, warmup):
    """The ramp includes its last step, which divides by zero where there is no warm-up.

    Feedback: it divides by a warm-up of 0 steps
    """
    # wrong for: f(0, 10, 1.0, 0) ZeroDivisionError, right 1.0
    if step <= warmup:
        return start * (step / warmup)
    return start * (1 + math.cos(math.pi * (step - warmup) / (steps - warmup))) / 2


def wrong_first_step_above_zero(step, steps, start, warmup):
    """The ramp begins one step up, so that no step is wasted on a rate of 0, and stands still
    before the end.

    Feedback: the warm-up is a step ahead
    """
    # wrong for: f(0, 100, 1.0, 10) gives 0.1, right 0.0
    if step < warmup:
        return start * (step + 1) / warmup
    return start * (1 + math.cos(math.pi * (step - warmup) / (steps - warmup))) / 2


def wrong_zero_at_the_last_update(step, steps, start, warmup):
    """The cosine ends at steps - 1, the last step that trains, and stays 0 for `steps`.

    Feedback: the way down is not half a cosine from start to 0
    """
    # wrong for: f(9, 10, 1.0, 0) gives 0.0, right 0.0245
    if step < warmup:
        return start * step / warmup
    share = min(1.0, (step - warmup) / max(steps - 1 - warmup, 1))
    return start * (1 + math.cos(math.pi * share)) / 2


def wrong_seven_places(step, steps, start, warmup):
    """The rate is rounded to seven places, which leaves nothing of a small one.

    Feedback: a small rate is rounded away
    """
    # wrong for: f(5, 10, 2e-8, 0) gives 0.0, right 1e-8
    if step < warmup:
        return round(start * step / warmup, 7)
    return round(start * (1 + math.cos(math.pi * (step - warmup) / (steps - warmup))) / 2, 7)


def right_square_of_a_cosine(step, steps, start, warmup):
    """Half a cosine is the square of a quarter of one; both ends are given by hand."""
    if step >= steps:
        return 0.0
    if step <= warmup:
        return start if step == warmup else start * step / warmup
    return start * math.cos(math.pi / 2 * ((step - warmup) / (steps - warmup))) ** 2


def right_turning_pointer(step, steps, start, warmup):
    """The cosine as the real part of a pointer on the circle, which the class turns by its share of half a round."""

    class Fall:
        def __init__(self, length):
            self.length = length

        def __call__(self, gone):
            # near the end the sine of what is left is exact where 1 + cos loses digits
            return math.sin(math.pi * (self.length - gone) / self.length / 2) ** 2

    return start * (step / warmup if step < warmup else Fall(steps - warmup)(step - warmup))


# STATEMENT: the tolerance is not stated, only that `start` is met "exactly": is start * warmup / warmup (off in the last digit)
# right? Are `start` below 0 or equal to 0, and steps that are no whole numbers, allowed?
