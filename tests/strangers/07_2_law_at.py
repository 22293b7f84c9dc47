import math


def _softmax(values):
    top = max(values)
    parts = [math.exp(value - top) for value in values]
    return [part / sum(parts) for part in parts]


def _greedy(logits):
    best = logits.index(max(logits))
    return [float(i == best) for i in range(len(logits))]


def wrong_divided_before_the_maximum(logits, temperature):
    """The logits are divided by the temperature first and the maximum is subtracted afterwards,
    too late for a tiny temperature.

    Feedback: a large logit at a small temperature goes wrong: subtract the largest before
    """
    # wrong for: f([1e10, 0.0], 1e-300) gives [nan, nan], right [1.0, 0.0]
    if not temperature >= 0:
        raise ValueError("temperature")
    if temperature == 0:
        return _greedy(logits)
    return _softmax([logit / temperature for logit in logits])


def wrong_nan_passes(logits, temperature):
    """Only a negative temperature is refused: a comparison with NaN is never true.

    Feedback: an impossible temperature is not refused with ValueError
    """
    # wrong for: f([2.0, 0.0], nan) gives [nan, nan], right ValueError
    if temperature < 0:
        raise ValueError("temperature")
    if temperature == 0:
        return _greedy(logits)
    top = max(logits)
    parts = [math.exp((logit - top) / temperature) for logit in logits]
    return [part / sum(parts) for part in parts]


def wrong_equals_share_at_zero(logits, temperature):
    """At temperature 0 equal largest logits share the probability, as in the limit.

    Feedback: at temperature 0 equal logits share: greedy takes the first alone
    """
    # wrong for: f([1.0, 3.0, 3.0], 0) gives [0, 0.5, 0.5], right [0, 1, 0]
    if not temperature >= 0:
        raise ValueError("temperature")
    top = max(logits)
    if temperature == 0:
        return [(logit == top) / logits.count(top) for logit in logits]
    parts = [math.exp((logit - top) / temperature) for logit in logits]
    return [part / sum(parts) for part in parts]


def wrong_tiny_is_greedy(logits, temperature):
    """A temperature under a millionth is taken for 0, so equal logits do not share any more.

    Feedback: a tiny temperature is taken for 0: equal logits still share
    """
    # wrong for: f([3.0, 3.0], 1e-300) gives [1, 0], right [0.5, 0.5]
    if not temperature >= 0:
        raise ValueError("temperature")
    if temperature < 1e-6:
        return _greedy(logits)
    top = max(logits)
    parts = [math.exp((logit - top) / temperature) for logit in logits]
    return [part / sum(parts) for part in parts]


def wrong_large_number_for_infinity(logits, temperature):
    """Minus infinity is replaced by minus ten thousand, which heat brings back to life.

    Feedback: minus infinity is taken for a large number, which heat brings to life
    """
    # wrong for: f([0.0, -inf], 1e4) gives [0.731, 0.269], right [1, 0]; also f([-2e4, -inf], 1.0) gives [0, 1]
    if not temperature >= 0:
        raise ValueError("temperature")
    logits = [-1e4 if logit == -math.inf else logit for logit in logits]
    if temperature == 0:
        return _greedy(logits)
    top = max(logits)
    parts = [math.exp((logit - top) / temperature) for logit in logits]
    return [part / sum(parts) for part in parts]


def wrong_powers_of_the_law(logits, temperature):
    """Softmax first and then the power 1/temperature: what has rounded to 0 stays 0 and a large
    power leaves nothing.

    Feedback: it raised ZeroDivisionError
    """
    # wrong for: f([0.0, 0.0, 0.0], 1e-300) ZeroDivisionError, right thirds; f([0.0, -1000.0], 1e6) gives [1, 0], right [0.50025, 0.49975]
    if not temperature >= 0:
        raise ValueError("temperature")
    if temperature == 0:
        return _greedy(logits)
    parts = [p ** (1 / temperature) for p in _softmax(logits)]
    return [part / sum(parts) for part in parts]


def right_one_over_the_odds(logits, temperature):
    """Each probability by itself: one over the sum of the odds of all others against it."""
    if math.isnan(temperature) or temperature < 0:
        raise ValueError("temperature must be 0 or more")
    if temperature == 0:
        return [
            float(i == max(range(len(logits)), key=logits.__getitem__)) for i in range(len(logits))
        ]

    def odds(one, other):
        if other == -math.inf:
            return 0.0
        gap = (other - one) / temperature
        return math.exp(gap) if gap < 700 else math.inf

    return [
        0.0 if one == -math.inf else 1 / math.fsum(odds(one, other) for other in logits)
        for one in logits
    ]


def right_one_pass_with_running_maximum(logits, temperature):
    """The online way: one pass that keeps the running maximum and rescales the sum when a larger logit comes."""

    class Running:
        top, total = -math.inf, 0.0

        def scaled(self, low, high):
            return 0.0 if low == -math.inf else math.exp((low - high) / temperature)

        def add(self, logit):
            if logit > self.top:
                self.total = self.total * self.scaled(self.top, logit) + 1.0
                self.top = logit
            elif logit > -math.inf:
                self.total += self.scaled(logit, self.top)

    if not 0 <= temperature:
        raise ValueError(f"temperature {temperature}")
    if not temperature:
        first = sorted(range(len(logits)), key=lambda i: -logits[i])[0]
        return [1.0 if i == first else 0.0 for i in range(len(logits))]
    running = Running()
    for logit in logits:
        running.add(logit)
    return [running.scaled(logit, running.top) / running.total for logit in logits]


# STATEMENT: an infinite temperature is "0 or more" and not defined (is -inf / inf still impossible?). -0.0 is not named (equal to 0).
# A logit of +inf or NaN and an empty list are not named. No tolerance is stated beyond six digits of the example.
