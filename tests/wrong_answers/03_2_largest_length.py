"""Wrong answers to 03.2. A docstring holds the words that only this fault's feedback contains."""

import math


def one_head(memory, heads, blocks, bytes_each):
    """count the heads"""
    return math.isqrt(memory // (blocks * bytes_each))


def one_block(memory, heads, blocks, bytes_each):
    """count the blocks"""
    return math.isqrt(memory // (heads * bytes_each))


def a_byte_an_entry(memory, heads, blocks, bytes_each):
    """use bytes_each"""
    return math.isqrt(memory // (heads * blocks))


def no_root(memory, heads, blocks, bytes_each):
    """T * T entries, not T"""
    return memory // (heads * blocks * bytes_each)


def half_the_matrix(memory, heads, blocks, bytes_each):
    """not a half"""
    pairs = memory // (heads * blocks * bytes_each)
    return (math.isqrt(1 + 8 * pairs) - 1) // 2


def to_the_nearest(memory, heads, blocks, bytes_each):
    """nearest number, not down"""
    return round((memory / (heads * blocks * bytes_each)) ** 0.5)


def in_floats(memory, heads, blocks, bytes_each):
    """floating-point numbers lose digits"""
    return int(math.sqrt(memory / (heads * blocks * bytes_each)))


def strictly_less(memory, heads, blocks, bytes_each):
    """filled to the last byte"""
    return math.isqrt(max(memory - 1, 0) // (heads * blocks * bytes_each))


def a_float(memory, heads, blocks, bytes_each):
    """a float where a whole number"""
    return (memory / (heads * blocks * bytes_each)) ** 0.5 // 1


def root_of_each_part(memory, heads, blocks, bytes_each):
    """the roots are divided"""
    return math.isqrt(memory) // math.isqrt(heads * blocks * bytes_each)


EQUAL = {}
