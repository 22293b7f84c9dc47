from itertools import groupby, pairwise


def wrong_twice_in_wsd(lengths, decay):
    """a length asked for twice is run once with a cosine, but branches off twice in WSD

    Feedback: wsd: a length that is asked for twice branches off twice
    """
    # wrong for: f([10, 10], 2) gives wsd 12, right 10
    return {"cosine": sum(set(lengths)), "wsd": max(lengths) - decay + decay * len(lengths)}


def wrong_only_neighbours_compared(lengths, decay):
    """equal lengths are joined only where they stand side by side

    Feedback: each length needs a cosine of its own
    """
    # wrong for: f([10, 20, 10], 2) gives {"cosine": 40, "wsd": 24}, right {"cosine": 30, "wsd": 22}
    different = [n for n, _ in groupby(lengths)]
    return {"cosine": sum(different), "wsd": max(lengths) + decay * (len(different) - 1)}


def wrong_last_is_the_longest(lengths, decay):
    """the last length is taken for the longest

    Feedback: the last of the list is taken for the longest
    """
    # wrong for: f([20, 10], 2) gives wsd 12, right 22 (right for rising lengths)
    different = list(dict.fromkeys(lengths))
    return {"cosine": sum(different), "wsd": different[-1] + decay * (len(different) - 1)}


def wrong_long_run_to_its_end(lengths, decay):
    """the long run stays at the peak up to the greatest length, further than any branch needs

    Feedback: the long run goes on to its end at the peak: no need
    """
    # wrong for: f([10], 2) gives wsd 12, right 10 (right for decay 0)
    different = set(lengths)
    return {"cosine": sum(different), "wsd": max(different) + decay * len(different)}


def wrong_shortest_has_no_branch(lengths, decay):
    """a length of exactly `decay` is thought to have no branch, as it has no step at the peak

    Feedback: it is not the long run and the branches
    """
    # wrong for: f([2, 10], 2) gives wsd 10, right 12
    different = set(lengths)
    branches = [n for n in different if n > decay]
    return {"cosine": sum(different), "wsd": max(different) - decay + decay * len(branches)}


def wrong_at_least_one_step(lengths, decay):
    """each branch is thought to take at least one step, also where decay is 0

    Feedback: it is not the long run and the branches
    """
    # wrong for: f([10, 20], 0) gives wsd 22, right 20 (right for decay above 0)
    different = set(lengths)
    return {
        "cosine": sum(different),
        "wsd": max(different) - decay + sum(max(decay, 1) for _ in different),
    }


def right_piece_by_piece(lengths, decay):
    """the long run is the sum of its pieces between saves"""
    different = sorted(set(lengths))
    saves = [0] + [n - decay for n in different]
    pieces = [b - a for a, b in pairwise(saves)]
    return {"wsd": sum(piece + decay for piece in pieces), "cosine": sum(different)}


def right_recursion(lengths, decay):
    """takes away the greatest length and asks itself about the rest"""

    def split(rest):
        longest = max(rest)
        shorter = [n for n in rest if n != longest]
        if not shorter:
            return longest, longest
        cosine, wsd = split(shorter)
        return cosine + longest, wsd + longest - max(shorter) + decay

    cosine, wsd = split(list(lengths))
    return {"cosine": cosine, "wsd": wsd}


# STATEMENT: the long run of the greatest length and its own branch: "each length branches off" includes the greatest; said clearly enough.
# May lengths be 0 (decay 0)? "whole numbers" and decay "from 0 to the least of them" allow it.
