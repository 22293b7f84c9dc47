"""Wrong answers to 24b.4. A docstring holds the words that only this fault's feedback contains."""

import math


def _states(blocks, inside, g):
    return -(-blocks // g) + inside * g


def largest_of_equal(blocks, inside):
    """the smallest is asked for"""
    g = min(range(blocks, 0, -1), key=lambda g: _states(blocks, inside, g))
    return [g, _states(blocks, inside, g)]


def last_group_forgotten(blocks, inside):
    """a last group that is not full has an input as well"""
    g = min(range(1, blocks + 1), key=lambda g: blocks // g + inside * g)
    return [g, blocks // g + inside * g]


def parts_of_groups(blocks, inside):
    """there is no part of a group"""
    g = min(range(1, blocks + 1), key=lambda g: blocks / g + inside * g)
    return [g, blocks / g + inside * g]


def root_cut_off(blocks, inside):
    """the root is cut off to a whole number"""
    g = max(1, min(blocks, int(math.sqrt(blocks / inside))))
    return [g, _states(blocks, inside, g)]


def root_rounded(blocks, inside):
    """the root is rounded to a whole number"""
    g = max(1, min(blocks, round(math.sqrt(blocks / inside))))
    return [g, _states(blocks, inside, g)]


def root_of_blocks(blocks, inside):
    """how large the inside is has to count"""
    g = max(1, round(math.sqrt(blocks)))
    return [g, _states(blocks, inside, g)]


def all_insides(blocks, inside):
    """the insides of all groups are never there at once"""
    g = min(range(1, blocks + 1), key=lambda g: (-(-blocks // g) + inside * blocks, g))
    return [g, -(-blocks // g) + inside * blocks]


def worst(blocks, inside):
    """it is the worst"""
    g = max(range(1, blocks + 1), key=lambda g: _states(blocks, inside, g))
    return [g, _states(blocks, inside, g)]


def divisors_only(blocks, inside):
    """groups need not divide the blocks"""
    divisors = [g for g in range(1, blocks + 1) if blocks % g == 0]
    g = min(divisors, key=lambda g: _states(blocks, inside, g))
    return [g, _states(blocks, inside, g)]


def without_inside(blocks, inside):
    """the inside is missing from the states"""
    g = min(range(1, blocks + 1), key=lambda g: _states(blocks, inside, g))
    return [g, -(-blocks // g)]


def without_inputs(blocks, inside):
    """the inputs are missing from the states"""
    g = min(range(1, blocks + 1), key=lambda g: _states(blocks, inside, g))
    return [g, inside * g]


def no_group(blocks, inside):
    """a group has 1 to all blocks"""
    g = round(math.sqrt(blocks / inside))
    return [g, _states(blocks, inside, max(1, g))]


EQUAL = {
    "1  ->  2  (2)": "a group of more than all blocks has one input too, and a larger inside: it "
    "is never the best",
}
