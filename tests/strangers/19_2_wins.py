import statistics
from bisect import bisect_left, bisect_right
from itertools import product


def wrong_pairs_by_seed(before, after):
    """compares seed with seed only, as far as the shorter list goes

    Feedback: only seeds with the same number meet: each one can meet each
    """
    # wrong for: f([1, 3], [2, 4]) gives 0.0, right 0.25
    pairs = list(zip(before, after))
    return sum((a < b) + (a == b) / 2 for b, a in pairs) / len(pairs)


def wrong_tie_is_no_win(before, after):
    """a tie counts as nothing

    Feedback: a tie counts as lost: it is worth one half
    """
    # wrong for: f([1], [1]) gives 0.0, right 0.5
    return sum(a < b for b in before for a in after) / (len(before) * len(after))


def wrong_tie_within_a_little(before, after):
    """losses that are close count as a tie

    Feedback: losses that are only close count as a tie
    """
    # wrong for: f([1.0], [1.0 - 1e-10]) gives 0.5, right 1.0
    share = 0.0
    for b, a in product(before, after):
        share += 0.5 if abs(a - b) < 1e-9 else float(a < b)
    return share / (len(before) * len(after))


def wrong_repeated_losses_dropped(before, after):
    """losses that come twice are counted once

    Feedback: it is not the share of pairs in which the new model has the lower loss
    """
    # wrong for: f([2, 2, 0], [1]) gives 0.5, right 2/3
    old, new = set(before), set(after)
    return sum(1.0 if a < b else 0.5 if a == b else 0.0 for b in old for a in new) / (
        len(old) * len(new)
    )


def wrong_ties_left_out(before, after):
    """ties are left out of wins and of pairs, and 0.5 only stands where all are ties

    Feedback: it is not the share of pairs in which the new model has the lower loss
    """
    # wrong for: f([1, 2], [1]) gives 1.0, right 0.75
    won = sum(a < b for b in before for a in after)
    lost = sum(a > b for b in before for a in after)
    return won / (won + lost) if won + lost else 0.5


def wrong_mean_of_old(before, after):
    """each new loss is compared with the median of the old ones

    Feedback: it is not the share of pairs in which the new model has the lower loss
    """
    # wrong for: f([1, 2, 9], [3]) gives 0.0, right 1/3
    middle = statistics.median(before)
    return sum((a < middle) + (a == middle) / 2 for a in after) / len(after)


def wrong_square_of_the_old(before, after):
    """divides by the square of one length, as if the lists were equally long

    Feedback: it divides by the square of one length: the lists need not be equally long
    """
    # wrong for: f([2, 3], [1]) gives 0.5, right 1.0
    won = sum((a < b) + 0.5 * (a == b) for b in before for a in after)
    return won / len(before) ** 2


def wrong_equal_lists_shortcut(before, after):
    """the larger loss is thought to be better; 0.5 for equal lists all the same

    Feedback: it counts where the new loss is higher: a lower loss wins
    """
    # wrong for: f([2], [1]) gives 0.0, right 1.0
    return sum((a > b) + (a == b) / 2 for b in before for a in after) / len(before) / len(after)


def wrong_sorted_in_place(before, after):
    """the two lists are cut to one length after sorting

    Feedback: it is not the share of pairs in which the new model has the lower loss
    """
    # wrong for: f([1, 5, 5], [2]) gives 0.0, right 2/3
    n = min(len(before), len(after))
    old, new = sorted(before)[:n], sorted(after)[:n]
    return sum((a < b) + (a == b) / 2 for b in old for a in new) / n**2


def right_bisect(before, after):
    """counts by bisection in the sorted old losses; half of those on each side of a tie"""
    old = sorted(before)
    twice = sum(2 * len(old) - bisect_left(old, a) - bisect_right(old, a) for a in after)
    return twice / (2 * len(old) * len(after))


def right_mean_of_signs(before, after):
    """the mean of 0, a half and 1 by the sign of the comparison"""
    return statistics.fmean(((b > a) - (b < a) + 1) / 2 for b, a in product(before, after))


# STATEMENT: empty lists are not defined. nan or inf as losses (a run that fell out)? inf compares well, nan does not. "A tie" is exact equality of floats (read so).
