def two_numbers(asked, times):
    """Return [seconds to the first token, tokens a second after it]; None for a rate of one token.

    asked: when the prompt was handed in. times: when each token came, in seconds, rising.
    """
    first, last = times[0], times[-1]
    rate = (len(times) - 1) / (last - first) if len(times) > 1 else None
    return [first - asked, rate]
