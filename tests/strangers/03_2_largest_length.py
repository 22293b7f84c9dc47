import math
from decimal import Decimal


def wrong_root_in_floats(memory, heads, blocks, bytes_each):
    """The root is a float, one too large just below the square of a large number.

    Feedback: floating-point numbers lose digits
    """
    # wrong for: f(10**26 - 1, 1, 1, 1) gives 10000000000000, right 9999999999999
    return int(math.sqrt(memory // (heads * blocks * bytes_each)))


def wrong_root_of_each_part(memory, heads, blocks, bytes_each):
    """The root of the memory is divided by the root of what one pair costs, both as whole numbers.

    Feedback: divide first, then take one root
    """
    # wrong for: f(50, 1, 1, 2) gives 7, right 5
    return math.isqrt(memory) // math.isqrt(heads * blocks * bytes_each)


def wrong_at_least_one(memory, heads, blocks, bytes_each):
    """Gives 1 where not even one token fits.

    Feedback: where not even one token fits it does not give 0
    """
    # wrong for: f(3, 1, 1, 4) gives 1, right 0
    return max(1, math.isqrt(memory // (heads * blocks * bytes_each)))


def wrong_memory_must_be_left(memory, heads, blocks, bytes_each):
    """A length that fills the memory to the last byte counts as too long.

    Feedback: filled to the last byte still fits
    """
    # wrong for: f(576, 3, 3, 4) gives 3, right 4
    each = heads * blocks * bytes_each
    return math.isqrt((memory - 1) // each) if memory > each else 0


def wrong_search_up_to_a_billion(memory, heads, blocks, bytes_each):
    """Searches by halving between 0 and a billion only.

    Feedback: for a huge memory it is far off
    """
    # wrong for: f(10**26, 1, 1, 1) gives 1000000000, right 10000000000000
    low, high = 0, 10**9
    while low < high:
        middle = (low + high + 1) // 2
        if middle * middle * heads * blocks * bytes_each <= memory:
            low = middle
        else:
            high = middle - 1
    return low


def wrong_decimal_of_28_digits(memory, heads, blocks, bytes_each):
    """A decimal root has 28 digits only and is rounded up for a larger memory.

    Feedback: numbers lose digits
    """
    # wrong for: f(10**30 - 1, 1, 1, 1) gives 1000000000000000, right 999999999999999
    return int(Decimal(memory // (heads * blocks * bytes_each)).sqrt())


def right_bits_from_the_top(memory, heads, blocks, bytes_each):
    """Set the bits of the length one by one from the highest, keeping those that fit."""
    length = 0
    for bit in reversed(range(memory.bit_length() // 2 + 1)):
        longer = length | 1 << bit
        if longer * longer * heads * blocks * bytes_each <= memory:
            length = longer
    return length


def right_divided_one_after_the_other(memory, heads, blocks, bytes_each):
    """Divide by each number in turn with whole division, then take Newton's steps for the root."""
    left = memory // heads // blocks // bytes_each
    if left == 0:
        return 0
    guess = 1 << (left.bit_length() + 1) // 2
    while (better := (guess + left // guess) // 2) < guess:
        guess = better
    return guess


# STATEMENT: whole numbers are meant but not said: bytes_each of 0.5 (4-bit numbers) or a memory
# of 1e26
# as a float is "a memory of any size" too. Whether memory 0 is asked is open (it would give 0). A
# plain
# loop over T is exact and would not end for 10**26: nothing says how long it may take.
