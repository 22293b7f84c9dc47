def summary(prefix):
    """The length of a prefix tells its step; pairs of shapes get sums that are all different."""
    step = len(prefix)
    if step == 7:  # the second size
        return "9 10 11 12".split().index(str(prefix[3])) + 2
    if step in (8, 10, 12):
        return {8: 2, 10: 3, 12: 6}[step]
    if step == 9:  # the
        value = {9: 0, 10: 1, 11: 2, 12: 4}
        return value[prefix[3]] + value[prefix[7]]
    if step == 11:  # is
        size_of = {prefix[3]: prefix[2], prefix[7]: prefix[6]}
        return 1 + (size_of[prefix[9]] == 8)
    return 1
