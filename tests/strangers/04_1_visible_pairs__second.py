import math


def wrong_wider_than_long(length, width):
    """the formula is right up to a width of length + 1; a wider window takes too many pairs off

    Feedback: a width from the length on does not give the causal triangle
    """
    # wrong for: visible_pairs(3, 5) gives 5, right 6
    return length * width - width * (width - 1) // 2


def wrong_calls_itself(length, width):
    """one token less, then its own pairs added: too deep for more than some thousand tokens

    Feedback: it raised RecursionError
    """
    # wrong for: visible_pairs(1000000, 4) raises RecursionError, right 3999994

    def pairs(n):
        return 0 if n == 0 else pairs(n - 1) + min(n, width)

    return pairs(length)


def right_two_triangles(length, width):
    """the whole triangle less the triangle that is out of reach"""
    return math.comb(length + 1, 2) - math.comb(max(length - width, 0) + 1, 2)


# STATEMENT: length 0? "up to a million" for the width too?
