import heapq
from functools import reduce


def _greedy(table, key=tuple):
    text, chance = [1], 1.0
    while text[-1] != 2:
        law = table[key(text)]
        ways = [i for i in range(len(law)) if i == 2 or key([*text, i]) in table]
        token = max(ways, key=lambda i: law[i])
        text, chance = [*text, token], chance * law[token]
    return text, chance


def _best(table, key=tuple, cap=10**9):
    best, running = ([], -1.0), [([1], 1.0)]
    while running:
        text, chance = running.pop()
        for i, p in enumerate(table[key(text)]):
            if i == 2:
                best = max(best, ([*text, 2], chance * p), key=lambda pair: pair[1])
            elif key([*text, i]) in table and len(text) < cap:
                running.append(([*text, i], chance * p))
    return best


def wrong_rescaled(laws):
    """What an impossible word has is shared out among the others, as softmax would do.

    Feedback: the probability is not the product over the sentence's steps
    """
    # wrong for: f([[[1], [0, 0, 0.5, 0.5]]]) gives [[1, 2], 1.0, [1, 2], 1.0], right 0.5 twice
    known, table = {tuple(prefix) for prefix, _ in laws}, {}
    for prefix, law in laws:
        ways = [p if i == 2 or (*prefix, i) in known else 0.0 for i, p in enumerate(law)]
        table[tuple(prefix)] = [p / (sum(ways) or 1.0) for p in ways]
    return [*_greedy(table), *_best(table)]


def wrong_two_beams(laws):
    """The likeliest sentence is sought with two beams.

    Feedback: what it gives as the likeliest sentence is only the greedy one
    """
    # wrong for: three first words 0.4, 0.35, 0.25, of which the first two split evenly over four words and the last over one:
    # gives 0.1, right 0.25
    table = {tuple(prefix): law for prefix, law in laws}
    running, ended = [([1], 1.0)], []
    while running:
        new = [([*text, i], c * p) for text, c in running for i, p in enumerate(table[tuple(text)])]
        ended += [one for one in new if one[0][-1] == 2]
        new = [one for one in new if tuple(one[0]) in table]
        running = sorted(new, key=lambda one: -one[1])[:2]
    return [*_greedy(table), *max(ended, key=lambda one: one[1])]


def wrong_in_the_order_given(laws):
    """One pass over the pairs as they come: a beginning that stands before its own beginning is
    missed.

    Feedback: it gives an impossible sentence
    """
    # wrong for: f([[[1, 3], [0, 0, 1, 0]], [[1], [0, 0, 0.4, 0.6]]]) gives best [1, 2] 0.4, right [1, 3, 2] 0.6
    table = {tuple(prefix): law for prefix, law in laws}
    chances, best = {(1,): 1.0}, ([], -1.0)
    for prefix, law in laws:
        chance = chances.get(tuple(prefix))
        if chance is None:
            continue
        if chance * law[2] > best[1]:
            best = [*prefix, 2], chance * law[2]
        for i, p in enumerate(law):
            if i != 2 and (*prefix, i) in table:
                chances[(*prefix, i)] = chance * p
    return [*_greedy(table), *best]


def wrong_last_of_equals(laws):
    """Of equally likely tokens greedy takes the highest id.

    Feedback: of equally likely tokens greedy does not take the lowest id
    """
    # wrong for: f([[[1], [0, 0, 0, 0.5, 0.5]], [[1, 3], [0, 0, 1, 0, 0]], [[1, 4], [0, 0, 1, 0, 0]]]) gives greedy [1, 4, 2], right [1, 3, 2]
    table, text, chance = {tuple(prefix): law for prefix, law in laws}, (1,), 1.0
    while text[-1] != 2:
        ways = [(p, i) for i, p in enumerate(table[text]) if i == 2 or (*text, i) in table]
        p, token = max(ways)
        text, chance = (*text, token), chance * p
    return [list(text), chance, *_best(table)]


def wrong_keys_as_joined_text(laws):
    """The beginnings are kept as joined text, where 3 and 34 look like 33 and 4.

    Feedback: beginnings are told apart by their digits: 3 and 34 are not 33 and 4
    """

    # wrong for: 0.6 for [1, 3, 34, 2], 0.4 for [1, 33, 4, 5, 2]: with the pair [1, 33, 4] behind [1, 3, 34] it gives greedy
    # [1, 3, 34, 5, 2], which nobody can say, right [1, 3, 34, 2]
    def key(ids):
        return "".join(map(str, ids))

    table = {key(prefix): law for prefix, law in laws}
    return [*_greedy(table, key), *_best(table, key)]


def wrong_greedy_steps_into_the_impossible(laws):
    """Greedy takes the likeliest token of the whole law, and where that is impossible it ends the
    sentence.

    Feedback: greedy goes wrong beside a gap
    """
    # wrong for: f([[[1], [0, 0, 0.1, 0.3, 0.6]], [[1, 3], [0, 0, 1, 0, 0]]]) gives greedy [1, 2] 0.1, right [1, 3, 2] 0.3
    table, text, chance = {tuple(prefix): law for prefix, law in laws}, [1], 1.0
    while text[-1] != 2:
        law = table[tuple(text)]
        token = law.index(max(law))
        token = token if (*text, token) in table else 2
        text, chance = [*text, token], chance * law[token]
    return [text, chance, *_best(table)]


def right_likeliest_first(laws):
    """A heap that always goes on with the likeliest beginning: the first sentence taken from it is the likeliest."""
    table = {tuple(prefix): law for prefix, law in laws}

    def ways(text):
        return [(p, (*text, i)) for i, p in enumerate(table[text]) if i == 2 or (*text, i) in table]

    text, greedy = (1,), 1.0
    while text[-1] != 2:
        p, text = max(ways(text), key=lambda way: (way[0], -way[1][-1]))
        greedy *= p
    heap = [(-1.0, (1,))]
    while heap[0][1][-1] != 2:
        chance, best = heapq.heappop(heap)
        for p, longer in ways(best):
            heapq.heappush(heap, (chance * p, longer))
    return [list(text), greedy, list(heap[0][1]), -heap[0][0]]


def right_from_the_leaves(laws):
    """Longest beginnings first: each keeps the best way to an end, and the answer stands at [1]."""
    table = {tuple(prefix): law for prefix, law in laws}
    best, first = (
        {},
        {},
    )  # prefix -> (probability of the rest, the rest as a linked pair); prefix -> greedy token
    for prefix in sorted(table, key=len, reverse=True):
        if 2 in prefix:
            continue
        found = []
        for i, p in enumerate(table[prefix]):
            if i == 2:
                found.append((p, p, 2, ()))
            elif (*prefix, i) in best:
                found.append((p * best[*prefix, i][0], p, i, best[*prefix, i][1]))
        if found:
            chance, _, token, rest = max(found, key=lambda way: way[0])
            best[prefix] = chance, (token, rest)
            first[prefix] = max(found, key=lambda way: (way[1], -way[2]))[2]
    greedy = [1]
    while greedy[-1] != 2:
        greedy.append(first[tuple(greedy)])
    likeliest, rest = [1], best[1,][1]
    while rest:
        likeliest, rest = [*likeliest, rest[0]], rest[1]

    def chance_of(text):
        return reduce(lambda c, t: c * table[tuple(text[:t])][text[t]], range(1, len(text)), 1.0)

    return [greedy, chance_of(greedy), likeliest, chance_of(likeliest)]


# STATEMENT: "at least one way leads on": with a probability above 0, or may it be 0? (At a tie of zeros, greedy may have to choose
# between ending and going on with chance 0.) "That can be reached": does a beginning count that stands in the table while its own
# beginning does not, or that can be reached only with probability 0? Whether a key may hold 2 inside, e.g. [1, 2, 3], is not said.
# Is the first tie rule about equal numbers as floats, exactly? Very long sentences, whose products round to 0, are not excluded.
