"""Wrong answers to 00.2. A docstring holds the words that only this fault's feedback contains."""


def _last(law):
    return max(index for index, share in enumerate(law) if share > 0)


def likeliest(law, spot):
    """it returns the likeliest word every time"""
    return law.index(max(law))


def greater_or_equal(law, spot):
    """gets the piece that ends there"""
    end = 0
    for index, share in enumerate(law):
        end += share
        if end >= spot:
            return index
    return _last(law)


def no_sum(law, spot):
    """some words come up too often"""
    for index, share in enumerate(law):
        if spot < share:
            return index
    return _last(law)


def last_index(law, spot):
    """gets a word that cannot come"""
    end = 0
    for index, share in enumerate(law):
        end += share
        if spot < end:
            return index
    return len(law) - 1


def stops_with_an_error(law, spot):
    """it raises an exception where the sum"""
    ends = [sum(law[: index + 1]) for index in range(len(law))]
    return next(index for index, end in enumerate(ends) if spot < end)


def from_the_right(law, spot):
    """the pieces lie from right to left"""
    end = 0
    for index in reversed(range(len(law))):
        end += law[index]
        if spot < end:
            return index
    return min(index for index, share in enumerate(law) if share > 0)


def counts_from_one(law, spot):
    """an index that the law does not have"""
    end = 0
    for index, share in enumerate(law, start=1):
        end += share
        if spot < end:
            return index
    return _last(law) + 1


def first_word_takes_the_rest(law, spot):
    """gets the first word"""
    end = 0
    for index, share in enumerate(law):
        end += share
        if spot < end:
            return index
    return 0
