import math

import torch


def wrong_periods_are_mixed(speeds, factor, length, low, high):
    """Between the two limits the periods are mixed, and not the speeds.

    Feedback: it blends the wavelengths
    """
    # wrong for: f(torch.tensor([2.5 * 2 * math.pi / 100]), 8.0, 100, 1.0, 4.0) gives
    # [0.0349065848], right
    # [0.0883572996]
    turns = length * speeds / (2 * math.pi)
    share = ((turns - low) / (high - low)).clamp(0, 1)
    return speeds / (share + (1 - share) * factor)


def wrong_share_grows_with_the_logarithm(speeds, factor, length, low, high):
    """The kept share grows evenly with the logarithm of the turns.

    Feedback: the share grows with the logarithm
    """
    # wrong for: f(torch.tensor([2.0 * 2 * math.pi / 100]), 8.0, 100, 1.0, 4.0) gives
    # [0.0706858411], right
    # [0.0523598827]
    turns = (length * speeds / (2 * math.pi)).clamp(min=1e-9)
    share = ((turns / max(low, 1e-9)).log() / math.log(high / max(low, 1e-9))).clamp(0, 1)
    return share * speeds + (1 - share) * speeds / factor


def wrong_limits_of_llama(speeds, factor, length, low, high):
    """The limits are 1 and 4 turns as in Llama 3.1, whatever is asked for.

    Feedback: low and high are always 1 and 4
    """
    # wrong for: f(torch.tensor([3.0 * 2 * math.pi / 100]), 8.0, 100, 1.0, 2.0) gives
    # [0.133517697], right
    # [0.188495561]
    share = ((length * speeds / (2 * math.pi) - 1.0) / 3.0).clamp(0, 1)
    return share * speeds + (1 - share) * speeds / factor


def wrong_speeds_taken_as_sorted(speeds, factor, length, low, high):
    """The pairs are counted and cut into three runs, as if the fast ones always came first.

    Feedback: with speeds in another order it gives others
    """
    # wrong for: f(torch.tensor([0.001, 1.0]), 8.0, 100, 1.0, 4.0) gives [0.00100000005, 0.125],
    # right
    # [0.000125000006, 1.0]
    turns = length * speeds / (2 * math.pi)
    kept, slowed = int((turns >= high).sum()), int((turns <= low).sum())
    middle = slice(kept, len(speeds) - slowed)
    share = (turns[middle] - low) / (high - low)
    mixed = share * speeds[middle] + (1 - share) * speeds[middle] / factor
    return torch.cat((speeds[:kept], mixed, speeds[len(speeds) - slowed :] / factor))


def wrong_share_under_zero(speeds, factor, length, low, high):
    """The kept share stops at 1 but may fall under 0, so the slowest pairs are slowed by more
    than the factor.

    Feedback: a share falls below 0
    """
    # wrong for: f(torch.tensor([0.5 * 2 * math.pi / 100]), 2.0, 100, 1.0, 4.0) gives
    # [0.0130899679], right
    # [0.0157079641]
    share = ((length * speeds / (2 * math.pi) - low) / (high - low)).clamp(max=1)
    return share * speeds + (1 - share) * speeds / factor


def wrong_turns_over_the_new_length(speeds, factor, length, low, high):
    """The turns are counted over the text that shall be read, and not over that of training.

    Feedback: turns are counted over the new length
    """
    # wrong for: f(torch.tensor([2.0 * 2 * math.pi / 100]), 2.0, 100, 1.0, 4.0) gives
    # [0.125663713], right
    # [0.0837758109]
    turns = factor * length * speeds / (2 * math.pi)
    share = ((turns - low) / (high - low)).clamp(0, 1)
    return share * speeds + (1 - share) * speeds / factor


def right_one_number_at_a_time(speeds, factor, length, low, high):
    """A small function for one pair, in plain Python numbers."""

    def one(speed):
        turns = length * speed / math.tau
        if turns >= high:
            return speed
        if turns <= low:
            return speed / factor
        kept = (turns - low) / (high - low)
        return speed * (kept + (1 - kept) / factor)

    return torch.tensor([one(speed) for speed in speeds.tolist()], dtype=speeds.dtype)


def right_line_through_two_points(speeds, factor, length, low, high):
    """In float64: the multiplier is a straight line of the turns, held between 1/factor and 1."""
    turns = speeds.double() * length / math.tau
    slope = (1 - 1 / factor) / (high - low) if high > low else 0.0
    multiplier = 1 / factor + (turns - low) * slope
    multiplier = torch.where(turns <= low, 1 / factor, torch.where(turns >= high, 1.0, multiplier))
    return (speeds.double() * multiplier).to(speeds.dtype)


# STATEMENT: "Count each pair's full turns" can be read as whole turns (2.7 turns count 2); "grows
# evenly" then
# contradicts it, but only by a hair. low = high is contradictory at just that number of turns.
# Whether speeds are
# sorted, may be 0, may be float64, whether the given tensor may be changed in place, and N = 0 are
# open.
