import math


def wrong_mended_by_one(memory, heads, blocks, bytes_each):
    """a float root that is mended by one step up or down, which is not enough from some 10 to the
    33 on

    Feedback: for a huge memory it is far off
    """
    # wrong for: largest_length(3 * 10**40 - 7, 1, 1, 1), right 173205080756887729352
    room = memory // (heads * blocks * bytes_each)
    T = int(math.sqrt(room))
    if T * T > room:
        T -= 1
    elif (T + 1) ** 2 <= room:
        T += 1
    return T


def wrong_search_with_a_ceiling(memory, heads, blocks, bytes_each):
    """the search by halves begins at 2 to the 44, enough for the 10 to the 26 of the statement and
    no more

    Feedback: for a huge memory it is far off
    """
    # wrong for: largest_length(10**30, 1, 1, 1) gives 2**44 - 1, right 10**15
    low, high = 0, 2**44
    while high - low > 1:
        middle = (low + high) // 2
        if middle * middle * heads * blocks * bytes_each <= memory:
            low = middle
        else:
            high = middle
    return low


def right_bit_by_bit(memory, heads, blocks, bytes_each):
    """the bits of T are tried from the highest down"""
    each = heads * blocks * bytes_each
    T = 0
    for bit in reversed(range(memory.bit_length() // 2 + 1)):
        tried = T | 1 << bit
        if tried**2 * each <= memory:
            T = tried
    return T


# STATEMENT: "all four are whole numbers": heads, blocks or bytes of 0, a negative memory?
