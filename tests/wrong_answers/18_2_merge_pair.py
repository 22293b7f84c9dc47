"""Wrong answers to 18.2. A docstring holds the words that only this fault's feedback contains."""


def _merge(row, pair, new):
    merged, i = [], 0
    while i < len(row):
        hit = row[i : i + 2] == pair
        merged.append(new if hit else row[i])
        i += 2 if hit else 1
    return merged


def from_the_right(row, pair, new):
    """merging goes from the right"""
    return _merge(row[::-1], pair[::-1], new)[::-1]


def the_first_only(row, pair, new):
    """only the first occurrence is merged"""
    for i in range(len(row) - 1):
        if row[i : i + 2] == pair:
            return [*row[:i], new, *row[i + 2 :]]
    return list(row)


def uses_an_id_twice(row, pair, new):
    """an id is used for two products"""
    merged, i = [], 0
    while i < len(row):
        if row[i : i + 2] == pair:
            merged.append(new)
            i += 1 if row[i + 1 : i + 3] == pair else 2
        else:
            merged.append(row[i])
            i += 1
    return merged


def loses_the_last(row, pair, new):
    """the last id of the row is lost"""
    merged, i = [], 0
    while i < len(row) - 1:
        hit = row[i : i + 2] == pair
        merged.append(new if hit else row[i])
        i += 2 if hit else 1
    return merged


def reversed_pair(row, pair, new):
    """in its reverse order"""
    return _merge(row, pair[::-1], new)


def single_ids(row, pair, new):
    """ids of the pair are replaced one by one"""
    return [new if token in pair else token for token in row]


def does_nothing(row, pair, new):
    """nothing is merged"""
    return list(row)
