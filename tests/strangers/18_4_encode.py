from itertools import pairwise


def wrong_longest_first(data, merges):
    """takes from the left the longest token that fits

    Feedback: the longest token is taken, not the strongest merge
    """
    # wrong for: f(list(b"abc"), [[98, 99], [97, 98]]) gives [257, 99], right [97, 256]
    tokens = [bytes([n]) for n in range(256)]
    for a, b in merges:
        tokens.append(tokens[a] + tokens[b])
    ids = {}
    for number, token in enumerate(tokens):
        ids.setdefault(token, number)
    longest = max(map(len, tokens))
    data, out = bytes(data), []
    while data:
        for size in range(min(longest, len(data)), 0, -1):
            if data[:size] in ids:
                out.append(ids[data[:size]])
                data = data[size:]
                break
    return out


def wrong_ties_from_the_right(data, merges):
    """of equally strong pairs the last in the row is merged first

    Feedback: the ids are not those that the merges give
    """
    # wrong for: f([97, 97, 97], [[97, 97]]) gives [97, 256], right [256, 97]
    rank = {tuple(pair): number for number, pair in enumerate(merges)}
    row = list(data)
    while len(row) > 1:
        best, at = None, None
        for place, pair in enumerate(pairwise(row)):
            number = rank.get(pair)
            if number is not None and (best is None or number <= best):
                best, at = number, place
        if best is None:
            break
        row[at : at + 2] = [256 + best]
    return row


def wrong_digits_run_together(data, merges):
    """the ranks are kept under the two ids joined as text

    Feedback: ids are joined as digits: 1, 11 is not 11, 1
    """
    # wrong for: f([1, 11, 11, 1], [[1, 11]]) gives [256, 256], right [256, 11, 1]
    rank = {}
    for number, (a, b) in enumerate(merges):
        rank.setdefault(f"{a}{b}", number)
    row = list(data)
    while len(row) > 1:
        best = min(range(len(row) - 1), key=lambda at: rank.get(f"{row[at]}{row[at + 1]}", 10**9))
        found = rank.get(f"{row[best]}{row[best + 1]}")
        if found is None:
            break
        row[best : best + 2] = [256 + found]
    return row


def wrong_two_passes(data, merges):
    """two passes from left to right that merge whatever fits where they stand

    Feedback: the leftmost pair is merged first, not the strongest
    """
    # wrong for: f(list(b"abc"), [[98, 99], [97, 98]]) gives [257, 99], right [97, 256]
    rank = {tuple(pair): number for number, pair in enumerate(merges)}
    row = list(data)
    for _ in range(2):
        out = []
        for token in row:
            out.append(token)
            while len(out) > 1 and (out[-2], out[-1]) in rank:
                number = rank[out[-2], out[-1]]
                out[-2:] = [256 + number]
        row = out
    return row


def wrong_remembers_the_piece(data, merges, known={}):
    """a piece that was seen before is looked up, even if the merges are others now

    Feedback: a piece that was seen before keeps the ids of other merges
    """
    # wrong for: f([97, 98], []) and then f([97, 98], [[97, 98]]) gives [97, 98], right [256]
    if tuple(data) not in known:
        row = list(data)
        for number, (a, b) in enumerate(merges):
            out = []
            for token in row:
                if out and out[-1] == a and token == b:
                    out[-1] = 256 + number
                else:
                    out.append(token)
            row = out
        known[tuple(data)] = row
    return list(known[tuple(data)])


def wrong_once_for_each_merge(data, merges):
    """each merge is done at its first place only

    Feedback: only one occurrence of a merge is merged
    """
    # wrong for: f([97, 98, 97, 98], [[97, 98]]) gives [256, 97, 98], right [256, 256]
    row = list(data)
    for number, pair in enumerate(merges):
        for at in range(len(row) - 1):
            if row[at : at + 2] == list(pair):
                row[at : at + 2] = [256 + number]
                break
    return row


def wrong_deep_recursion(data, merges):
    """calls itself for every single merge, too deep for a long row

    Feedback: it calls itself for each merge, too deep for 1,200 bytes
    """
    # wrong for: f([97] * 1200, [[97, 97]] + [[256 + k, 256 + k] for k in range(9)]) raises RecursionError, right [265, 262, 260, 259]
    rank = {tuple(pair): number for number, pair in enumerate(merges)}
    none = len(merges)

    def go(row):
        if len(row) < 2:
            return row
        at = min(range(len(row) - 1), key=lambda n: rank.get((row[n], row[n + 1]), none))
        number = rank.get((row[at], row[at + 1]), none)
        return row if number == none else go(row[:at] + [256 + number] + row[at + 2 :])

    return go(list(data))


def right_merge_by_merge(data, merges):
    """goes once through the merges in their order, each over the whole row; none can come back"""
    row = list(data)
    for new, (a, b) in enumerate(merges, 256):
        if a not in row or b not in row:
            continue
        out, steps = [], iter(range(len(row)))
        for at in steps:
            if at + 1 < len(row) and row[at] == a and row[at + 1] == b:
                out.append(new)
                next(steps)
            else:
                out.append(row[at])
        row = out
    return row


def right_heap_on_a_chain(data, merges):
    """a heap of pairs over a chain of linked ids"""
    import heapq

    rank = {(a, b): number for number, (a, b) in enumerate(merges)}
    ids, n = list(data), len(data)
    before, after = [*range(-1, n - 1)], [*range(1, n + 1)]
    heap = []

    def look(at):
        if 0 <= at < n and after[at] < n and (pair := (ids[at], ids[after[at]])) in rank:
            heapq.heappush(heap, (rank[pair], at, pair))

    for at in range(n - 1):
        look(at)
    while heap:
        number, at, pair = heapq.heappop(heap)
        if ids[at] is None or after[at] >= n or (ids[at], ids[after[at]]) != pair:
            continue
        gone = after[at]
        ids[at], ids[gone] = 256 + number, None
        after[at] = after[gone]
        if after[at] < n:
            before[after[at]] = at
        look(before[at])
        look(at)
    return [token for token in ids if token is not None]


# STATEMENT: overlapping occurrences of one merge (aaa with [97, 97]): that the left one goes is said in 18.2 and the lesson, not here.
# The same pair twice in merges: neither allowed nor excluded. How many merges can come with 1,200 bytes (1,000? 50,000?) and how long "a few seconds" is, are open.
