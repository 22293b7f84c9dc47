def wrong_visible_pairs_only(B, T, V, C, L, h):
    """counts only the pairs that the causal mask leaves: T (T + 1) / 2

    Feedback: hidden pairs are computed as well, and masked afterwards
    """
    # wrong for: f(2, 4, 10, 8, 1, 16): right has 16 pairs a row, here 10
    matrices = B * T * (L * (4 * C * C + 2 * C * h) + C * V)
    return 6 * (matrices + B * L * (T * (T + 1) // 2) * 2 * C)


def wrong_not_with_itself(B, T, V, C, L, h):
    """a pair is thought to need two different tokens: T (T - 1)

    Feedback: it is another number
    """
    # wrong for: f(1, 1, 10, 8, 1, 16): the one pair of the token with itself is missing
    matrices = B * T * (L * (4 * C * C + 2 * C * h) + C * V)
    return 6 * (matrices + B * L * T * (T - 1) * 2 * C)


def wrong_pairs_across_rows(B, T, V, C, L, h):
    """pairs all tokens of the batch with each other, not only those of a row

    Feedback: it is another number
    """
    # wrong for: f(2, 4, 10, 8, 1, 16): right for B = 1 only
    tokens = B * T
    matrices = tokens * (L * (4 * C * C + 2 * C * h) + C * V)
    return 6 * (matrices + L * tokens * tokens * 2 * C)


def wrong_nothing_without_blocks(B, T, V, C, L, h):
    """without blocks nothing is thought to be computed; the head is forgotten

    Feedback: it is another number
    """
    # wrong for: f(2, 4, 10, 8, 0, 16) gives 0, right 3840
    if L == 0:
        return 0
    matrices = B * T * (L * (4 * C * C + 2 * C * h) + C * V)
    return 6 * (matrices + 2 * B * L * T * T * C)


def wrong_pairs_go_back_once(B, T, V, C, L, h):
    """going back is twice the forward for matrices, but only once for the pairs

    Feedback: it is another number
    """
    # wrong for: f(2, 4, 10, 8, 1, 16): the pairs cost 4 a number here, right 6
    matrices = B * T * (L * (4 * C * C + 2 * C * h) + C * V)
    return 6 * matrices + 4 * (2 * B * L * T * T * C)


def wrong_floats(B, T, V, C, L, h):
    """computes in floats, so the operations of a large step are off by some units

    Feedback: a huge count is rounded: floats hold no whole numbers of that size
    """
    # wrong for: f(1025, 2049, 50257, 4099, 33, 16387): above 2**53, off by some units
    forward = 2.0 * B * T * (L * (4 * C * C + 2 * C * h) + C * V)
    forward += 4.0 * B * L * T * T * C
    return int(3 * forward)


def right_product_by_product(B, T, V, C, L, h):
    """lists each product as (how often, rows, inner, columns) and adds them up"""

    class Product:
        def __init__(self, times, rows, inner, columns):
            self.forward = 2 * times * rows * inner * columns

        def step(self):
            return self.forward + 2 * self.forward

    products = [
        Product(4 * L, B * T, C, C),
        Product(L, B * T, C, h),
        Product(L, B * T, h, C),
        Product(B * L, T, C, T),
        Product(B * L, T, T, C),
        Product(1, B * T, C, V),
    ]
    return sum(product.step() for product in products)


def right_by_recursion(B, T, V, C, L, h):
    """peels off one half of the blocks at a time, down to the head"""

    def blocks(count):
        if count == 0:
            return 0
        if count == 1:
            return 2 * C * (2 * C + h + T)
        return blocks(count // 2) + blocks(count - count // 2)

    return 6 * B * T * (blocks(L) + C * V)


# STATEMENT: "every pair of two tokens of a row" does not say that a token pairs with itself and
# that (i, j) and (j, i) are two; "hidden pairs included" helps with the second only. T * T is
# meant; the lesson never writes it down. That a multiply-add is two stands in the lesson, not here.
