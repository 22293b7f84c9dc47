from fractions import Fraction

import torch


def wrong_last_index_beyond(law, spot):
    """A spot beyond the sum falls on the last word of the list, even if its probability is 0.

    Feedback: a spot beyond the last sum gets a word that cannot come
    """
    # wrong for: f([0.5, 0.4999, 0.0], 0.99995) gives 2, right 1
    end = 0.0
    for index, share in enumerate(law):
        end += share
        if spot < end:
            return index
    return len(law) - 1


def wrong_likeliest_beyond(law, spot):
    """A spot beyond the sum falls on the likeliest word, not on the last possible one.

    Feedback: a spot beyond the last sum gets the likeliest word
    """
    # wrong for: f([0.6, 0.3999], 0.99995) gives 0, right 1
    end = 0.0
    for index, share in enumerate(law):
        end += share
        if spot < end:
            return index
    return max(range(len(law)), key=law.__getitem__)


def wrong_stretched_to_one(law, spot):
    """The law is first divided by its sum, which moves every cut where the sum is under 1.

    Feedback: a spot on a cut lies on another piece
    """
    # wrong for: f([0.5, 0.499], 0.5) gives 0, right 1
    total, end = sum(law), 0.0
    for index, share in enumerate(law):
        end += share / total
        if spot < end:
            return index
    return max(index for index, share in enumerate(law) if share > 0)


def right_single_precision(law, spot):
    """The cuts and the spot are float32, so a spot just before a cut is counted behind it."""
    # right: the statement keeps spots a millionth away from cuts, or on exact ones.
    cuts = torch.tensor(law).cumsum(dim=0)
    index = int(torch.searchsorted(cuts, torch.tensor(float(spot)), right=True))
    while index >= len(law) or law[index] == 0:
        index -= 1
    return index


def wrong_cuts_have_a_width(law, spot):
    """A spot within a billionth before a cut counts as on it, so words of tiny probability vanish.

    Feedback: a word of tiny probability is passed over
    """
    # wrong for: f([1e-12, 1 - 1e-12], 0.0) gives 1, right 0
    end = 0.0
    for index, share in enumerate(law):
        end += share
        if share > 0 and spot < end - 1e-9:
            return index
    return max(index for index, share in enumerate(law) if share > 0)


def wrong_strip_of_hundred_cells(law, spot):
    """The strip is a list of 100 cells, so probabilities are rounded to hundredths.

    Feedback: a thin piece has another width than its probability: is something rounded?
    """
    # wrong for: f([0.5, 0.004, 0.496], 0.502) gives 2, right 1
    cells = [index for index, share in enumerate(law) for _ in range(round(share * 100))]
    last = max(index for index, share in enumerate(law) if share > 0)
    place = int(spot * 100 + 1e-9)
    return cells[place] if place < len(cells) else last


def right_exact_fractions(law, spot):
    """Cut the strip with exact fractions, from the right end to the left."""
    shares = [Fraction(share) for share in law]
    last = max(index for index, share in enumerate(shares) if share)
    for index in range(last, -1, -1):
        if shares[index] and sum(shares[:index]) <= Fraction(spot):
            return index


def right_searched_by_torch(law, spot):
    """Search a float64 strip of the possible words only."""
    shares = torch.tensor(law, dtype=torch.float64)
    possible = shares.nonzero().flatten()
    cuts = shares[possible].cumsum(dim=0)[:-1]
    return int(
        possible[torch.searchsorted(cuts, torch.tensor(spot, dtype=torch.float64), right=True)]
    )


# STATEMENT: where the cut itself is a rounded sum (0.1 + 0.2), "exactly on a cut" is open by one
# rounding step: added floats, exact fractions and a spot that is lowered piece by piece differ
# there. A sum a little above 1 is not spoken of. Whether the answer may be a numpy or torch number
# is open.
