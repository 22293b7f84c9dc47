"""Wrong answers to 18.4. A docstring holds the words that only this fault's feedback contains."""


def _encode(data, ordered, product):
    row = list(data)
    while True:
        for pair in ordered:
            if any(row[i : i + 2] == pair for i in range(len(row))):
                break
        else:
            return row
        i = 0
        while i < len(row):
            if row[i : i + 2] == pair:
                row[i : i + 2] = [product(pair)]
            i += 1


def ids_one_higher(data, merges):
    """the first product has id 256"""
    higher = [[n + (n > 255) for n in pair] for pair in merges]
    return _encode(data, higher, lambda pair: 257 + higher.index(pair))


def bytes_only(data, merges):
    """products are never merged further"""
    few = [pair for pair in merges if max(pair) < 256]
    return _encode(data, few, lambda pair: 256 + merges.index(pair))


def learned_last_first(data, merges):
    """the merge learned last goes first"""
    return _encode(data, merges[::-1], lambda pair: 256 + merges.index(pair))


def leftmost_first(data, merges):
    """the leftmost pair is merged first"""
    row = list(data)
    while True:
        for i in range(len(row) - 1):
            if row[i : i + 2] in merges:
                row[i : i + 2] = [256 + merges.index(row[i : i + 2])]
                break
        else:
            return row


def longest_token(data, merges):
    """the longest token is taken"""
    content = {n: [n] for n in range(256)}
    for number, (left, right) in enumerate(merges):
        content[256 + number] = content[left] + content[right]
    row, ids = list(data), []
    while row:
        fitting = [n for n, c in content.items() if row[: len(c)] == c]
        ids.append(max(fitting, key=lambda n: len(content[n])))
        row = row[len(content[ids[-1]]) :]
    return ids


def plain_bytes(data, merges):
    """no merge is applied"""
    return list(data)


def one_of_each(data, merges):
    """only one occurrence of a merge is merged"""
    row = list(data)
    for number, pair in enumerate(merges):
        for i in range(len(row) - 1):
            if row[i : i + 2] == pair:
                row[i : i + 2] = [256 + number]
                break
    return row
