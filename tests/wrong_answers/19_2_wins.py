"""Wrong answers to 19.2. A docstring holds the words that only this fault's feedback contains."""


def higher_wins(before, after):
    """a lower loss wins"""
    points = sum((b > a) + (b == a) / 2 for a in before for b in after)
    return points / (len(before) * len(after))


def ties_lose(before, after):
    """a tie counts as lost"""
    return sum(b < a for a in before for b in after) / (len(before) * len(after))


def ties_win(before, after):
    """a tie counts as won"""
    return sum(b <= a for a in before for b in after) / (len(before) * len(after))


def same_seed_only(before, after):
    """only seeds with the same number meet"""
    pairs = list(zip(before, after, strict=False))
    return sum((b < a) + (b == a) / 2 for a, b in pairs) / len(pairs)


def means(before, after):
    """it compares the means"""
    old, new = sum(before) / len(before), sum(after) / len(after)
    return (new < old) + (new == old) / 2


def a_number_of_pairs(before, after):
    """it is a number of pairs"""
    return sum((b < a) + (b == a) / 2 for a in before for b in after)


def divided_by_a_square(before, after):
    """the lists need not be equally long"""
    return sum((b < a) + (b == a) / 2 for a in before for b in after) / len(before) ** 2
