"""Wrong answers to 11.1. A docstring holds the words that only this fault's feedback contains."""


def mean(times):
    """this is the mean of all times"""
    return sum(times) / len(times)


def not_sorted(times):
    """this is the middle of the list as it was given"""
    return (times[(len(times) - 1) // 2] + times[len(times) // 2]) / 2


def lower_middle(times):
    """this is the lower of the two"""
    return sorted(times)[(len(times) - 1) // 2]


def upper_middle(times):
    """this is the upper of the two"""
    return sorted(times)[len(times) // 2]


def middle_of_the_range(times):
    """halfway from the fastest to the slowest"""
    return (min(times) + max(times)) / 2


def equal_times_once(times):
    """equal times must each count"""
    ordered = sorted(set(times))
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
