import math


def saving(T, C):
    """Every pass of two blocks is counted."""
    plain = cached = 0
    for t in range(1, T + 1):
        for _ in range(2):
            plain += 12 * C**2 * t + 2 * C * t * t
            cached += 12 * C**2 + 2 * C * t
    common = math.gcd(plain, cached)
    return plain // common, cached // common
