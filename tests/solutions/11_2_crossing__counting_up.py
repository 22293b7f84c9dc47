from fractions import Fraction


def crossing(overhead, price, width, hidden):
    """Add row after row, in exact fractions, until the work takes longer."""
    attention = [width * width] * 4  # query, key, value, output
    feed_forward = [width * hidden, hidden * width]
    row = Fraction(price) * (sum(attention) + sum(feed_forward))
    rows, seconds = 1, row
    while seconds <= Fraction(overhead):
        rows, seconds = rows + 1, seconds + row
    return rows
