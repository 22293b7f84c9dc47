from fractions import Fraction


def _memory(kept={}):
    return kept


def wrong_width_beyond_the_length(length, width):
    """The triangle at the beginning is counted in full, also where the width exceeds the length.

    Feedback: a width from the length on does not give the causal triangle
    """
    # wrong for: f(3, 5) gives 15, right 6
    return width * (width + 1) // 2 + max(0, length - width) * width


def right_half_in_floats(length, width):
    """The half is a float, which is exact far beyond a million tokens."""
    width = min(width, length)
    return int(width * (width + 1) / 2) + (length - width) * width


def wrong_halved_before_the_product(length, width):
    """The width is halved as a whole number before it is multiplied, right for even widths only.

    Feedback: its own is one of them
    """
    # wrong for: f(5, 3) gives 10, right 12
    width = min(width, length)
    return width // 2 * (width + 1) + (length - width) * width


def wrong_every_token_sees_the_width(length, width):
    """Length times width, without the shorter rows at the beginning.

    Feedback: no past to fill the window
    """
    # wrong for: f(4, 2) gives 8, right 7
    return length * min(width, length) if width < length else length * (length + 1) // 2


def wrong_a_float_comes_out(length, width):
    """The result is a float, though a whole number is asked for.

    Feedback: a float where a whole number is asked for
    """
    # wrong for: f(4, 2) gives 7.0, right 7
    width = min(width, length)
    return width * (width + 1) / 2 + (length - width) * width


def wrong_remembers_by_length(length, width):
    """An earlier count for the same length is given again, whatever the width is.

    Feedback: what was counted for another width is given again
    """
    # wrong for: f(6, 4); f(6, 1) gives 18, right 6
    cut = min(width, length)
    return _memory().setdefault(length, cut * (cut + 1) // 2 + (length - cut) * cut)


def right_triangle_less_a_triangle(length, width):
    """All causal pairs, less the triangle of those that lie too far back."""

    def triangle(n):
        return n * (n + 1) // 2 if n > 0 else 0

    return triangle(length) - triangle(length - width)


def right_distances_back(length, width):
    """For each distance back there are length - distance pairs; their mean times their number."""
    distances = min(length, width)
    mean = Fraction(length + (length - distances + 1), 2)
    return int(mean * distances)


# STATEMENT: "a whole number" and `length * (length + 1) / 2`, which is a float in Python: the
# type is
# open. Length 0 is open. "Without visiting every pair": a loop over the tokens is let in by the
# words.
