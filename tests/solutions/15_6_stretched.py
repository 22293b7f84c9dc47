import math


def stretched(speeds, factor, length, low, high):
    """Return the speeds for texts `factor` times longer than `length`, [N], as Llama 3 does it.

    speeds: radians a token, float [N]. low, high: turns over `length`.
    """
    turns = length * speeds / (2 * math.pi)
    kept = ((turns - low) / (high - low)).clamp(0, 1)  # 1 = keeps its speed, 0 = slowed
    return kept * speeds + (1 - kept) * speeds / factor
