import math


def temperature_for(share):
    """Return the temperature at which step-by-step sampling gives style 0 this share.

    share: a number from 0 to 1. None if no positive temperature gives it.
    """
    # share = 1 / (1 + 2^(1 - 1/T)). Cold: 2^(-inf), the share nears 1. Hot: 2^1, it nears 1/3,
    # since then photo, large and small have a third each.
    if not 1 / 3 < share < 1:
        return None
    return 1 / (1 - math.log2(1 / share - 1))
