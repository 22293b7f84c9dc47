def wrong_formula_for_every_number(heads):
    """The lesson's formula is used for every number of heads.

    Feedback: the formula for powers of two is used for every number
    """
    # wrong for: f(6) gives [0.3968502629920499, 0.15749013123685915, 0.0625, 0.024803141437003122,
    # 0.009843133202303695, 0.00390625], right [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]
    return [2 ** (-8 * h / heads) for h in range(1, heads + 1)]


def wrong_whole_exponents(heads):
    """The exponents are divided as whole numbers, right up to 8 heads; 9 or more need halves.

    Feedback: two heads have the same slope
    """
    # wrong for: f(9)[8:] gives [1.0], right [0.7071067811865476]
    n = 1
    while 2 * n <= heads:
        n *= 2
    own = [1 / 2 ** (8 * h // n) for h in range(1, n + 1)]
    return own + [1 / 2 ** (8 * h // (2 * n)) for h in range(1, 2 * n, 2)][: heads - n]


def wrong_sixty_four_at_most(heads):
    """Powers of two above 64 are not known, so more than 128 heads do not all get a slope.

    Feedback: it returned 128 items where 130 are asked for
    """
    # wrong for: len(f(130)) gives 128, right 130
    n = max(power for power in (1, 2, 4, 8, 16, 32, 64) if power <= heads)
    own = [2 ** (-8 * h / n) for h in range(1, n + 1)]
    return own + [2 ** (-4 * h / n) for h in range(1, 2 * n, 2)][: heads - n]


def wrong_single_head_gets_a_half(heads):
    """A single head gets the first slope of eight heads, 1/2.

    Feedback: they halve from head to head whatever H is
    """
    # wrong for: f(1) gives [0.5], right [0.00390625]
    if heads == 1:
        return [0.5]
    n = 2 ** (heads.bit_length() - 1)
    own = [2 ** (-8 * h / n) for h in range(1, n + 1)]
    return own + [2 ** (-4 * h / n) for h in range(1, 2 * n, 2)][: heads - n]


def wrong_missing_ones_by_range_of_missing(heads):
    """Of the larger power every second slope is taken, but only among its first n, so at most n /
    2 are found.

    Feedback: it returned 6 items where 7 are asked for
    """
    # wrong for: f(7) gives [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125], right [0.25, 0.0625, 0.015625,
    # 0.00390625, 0.5, 0.125, 0.03125]
    n = 2 ** (heads.bit_length() - 1)
    own = [2 ** (-8 * h / n) for h in range(1, n + 1)]
    return own + [2 ** (-4 * h / n) for h in range(1, n + 1, 2)][: heads - n]


def wrong_what_is_not_there_yet(heads):
    """Slopes by repeated multiplication, and the missing ones found by comparing floats, which
    differ by rounding.

    Feedback: all of the longer list is taken, not every other
    """

    # wrong for: f(10)[8:] gives [0.7071067811865476, 0.5000000000000001], right [0.7071067811865476,
    # 0.3535533905932738]
    def powers(n):
        slope, all_of_them = 1.0, []
        for _ in range(n):
            slope *= 2 ** (-8 / n)
            all_of_them.append(slope)
        return all_of_them

    n = 2 ** (heads.bit_length() - 1)
    own = powers(n)
    return own + [m for m in powers(2 * n) if m not in own][: heads - n]


def right_exponents_in_one_expression(heads):
    """All exponents in halves of a step: first the even ones, then the odd ones; each one is a power by math.exp2."""
    import math

    n = 1 << heads.bit_length() - 1
    steps = [*range(2, 2 * n + 1, 2), *range(1, 2 * n, 2)][:heads]
    return [math.exp2(-4 * step / n) for step in steps]


def right_recursion_as_in_the_paper(heads):
    """Calls itself for the powers of two, as ALiBi's authors do."""

    def slopes(n):
        if n & (n - 1) == 0:
            return [2.0 ** (-(8 * h) / n) for h in range(1, n + 1)]
        below = 1
        while below * 2 < n:
            below *= 2
        return slopes(below) + slopes(2 * below)[0::2][: n - below]

    return slopes(heads)


# STATEMENT: the order is shown by the example of 6 heads only ("take those of ...", then "what is missing"). heads of 1
# is allowed ("every number of heads") and gives 1/256. 0 heads: not said.
