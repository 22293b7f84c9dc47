import math


def largest_length(memory, heads, blocks, bytes_each):
    """Return the largest T whose matrices fit into memory bytes, all kept at once; 0 if none does.

    There is a T x T matrix in each of `heads` heads of each of `blocks` blocks, and each of its
    entries takes bytes_each bytes.
    """
    # Four times the memory is twice the length. For GPT-2's smallest model, 80 GiB and 4-byte
    # entries it is largest_length(80 * 2**30, 12, 12, 4) = 12211 tokens.
    return math.isqrt(memory // (heads * blocks * bytes_each))
