def _triangle_without_middle(n):
    return n // 2 * (n + 1)


def wrong_gauss_without_the_middle(family, source, text):
    """Adds 1 to n in n // 2 pairs of n + 1 and forgets the middle number of an odd n; the example
    has even numbers only.

    Feedback: the decoder's number is another one
    """
    # wrong for: f("decoder", 2, 1) gives 4, right 6
    both = source + text
    if family == "encoder":
        return both**2
    if family == "decoder":
        return _triangle_without_middle(both)
    return source**2 + source * text + _triangle_without_middle(text)


def right_half_as_a_float(family, source, text):
    """Halves with / and makes a whole number of it afterwards: beyond 2**53 the last digits are
    wrong."""
    # wrong for: f("decoder", 10**9, 1) gives 500000001500000000, right 500000001500000001
    n = source + text
    match family:
        case "encoder":
            pairs = n * n
        case "decoder":
            pairs = n * (n + 1) / 2
        case "prefix" | "encoder-decoder":
            pairs = source * source + source * text + text * (text + 1) / 2
    return int(pairs)
