import math


def wrong_rounded_to_six_places(slope, share):
    """Rounds the distance to six decimal places before it goes up to the next whole token: for a
    very steep slope nothing is left, and it says 0.

    Feedback: with a very steep slope the distance is rounded away
    """
    # wrong for: f(1e7, 0.5) gives 0, right 1 (at distance 0 the whole weight is left)
    return math.ceil(round(-math.log(share) / slope, 6))


def wrong_guarded_logarithm(slope, share):
    """Adds 1e-12 to the share so that the logarithm never meets 0: shares far below that all count
    as 1e-12.

    Feedback: a tiny share goes wrong
    """
    # wrong for: f(1.0, 1e-300) gives 28, right 691
    return max(0, math.ceil(-math.log(share + 1e-12) / slope))
