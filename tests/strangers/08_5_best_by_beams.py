import heapq
from fractions import Fraction


def _grown(table, running, key=tuple):
    """Every candidate with a probability above 0, the likeliest first."""
    new = [
        ([*text, i], c * p)
        for text, c in running
        for i, p in enumerate(table[key(text)])
        if c * p > 0
    ]
    return sorted(new, key=lambda pair: -pair[1])


def wrong_only_the_taken_go_on(laws, beams):
    """Only those of the taken candidates that do not end go on, so each end costs a beam.

    Feedback: finished texts take the places of running ones: of those that do not end
    """
    # wrong for: two beams; [1] -> 2 0.4, 3 0.35, 4 0.25; [1, 3] -> 3 0.31, 4 0.29, 5 0.21, 6 0.19, each with a sure end; [1, 4] -> 2 1.0:
    # gives [1, 2] 0.4 and [1, 3, 3, 2] 0.1085, right [1, 2] 0.4 and [1, 4, 2] 0.25
    table, running, ended = {tuple(prefix): law for prefix, law in laws}, [([1], 1.0)], []
    while running:
        taken = _grown(table, running)[:beams]
        ended += [pair for pair in taken if pair[0][-1] == 2]
        running = [pair for pair in taken if pair[0][-1] != 2]
    return sorted(ended, key=lambda pair: -pair[1])[:beams]


def wrong_stops_when_enough_have_ended(laws, beams):
    """The search ends as soon as as many texts as there are beams have been set aside.

    Feedback: it ends once `beams` texts have ended: one that goes on may still win
    """
    # wrong for: two beams; [1] -> 2 0.4, 3 0.6; [1, 3] -> 2 0.25, 4 0.75; [1, 3, 4] -> 2 1.0:
    # gives [1, 2] 0.4 and [1, 3, 2] 0.15, right [1, 3, 4, 2] 0.45 and [1, 2] 0.4
    table, running, ended = {tuple(prefix): law for prefix, law in laws}, [([1], 1.0)], []
    while running and len(ended) < beams:
        grown = _grown(table, running)
        ended += [pair for pair in grown[:beams] if pair[0][-1] == 2]
        running = [pair for pair in grown if pair[0][-1] != 2][:beams]
    return sorted(ended, key=lambda pair: -pair[1])[:beams]


def wrong_every_end_is_set_aside(laws, beams):
    """All candidates that end are set aside, not only those among the taken ones.

    Feedback: one beam does not say what greedy says
    """
    # wrong for: one beam; [1] -> 3 0.6, 4 0.4; [1, 3] -> 2 0.3, 3 0.7; [1, 3, 3] -> 3 0.37, 4 0.33, 5 0.3, each with a sure end; ...:
    # gives [1, 3, 2] 0.18, which was not the likeliest candidate of its step, right [1, 3, 3, 3, 2] 0.1554
    table, running, ended = {tuple(prefix): law for prefix, law in laws}, [([1], 1.0)], []
    while running:
        grown = _grown(table, running)
        ended += [pair for pair in grown if pair[0][-1] == 2]
        running = [pair for pair in grown if pair[0][-1] != 2][:beams]
    return sorted(ended, key=lambda pair: -pair[1])[:beams]


def wrong_impossible_candidates(laws, beams):
    """Tokens of probability 0 are candidates too, as long as there are beams for them.

    Feedback: a text of probability 0 is among the found ones
    """
    # wrong for: f([[[1], [0, 0, 0, 1]], [[1, 3], [0, 0, 1, 0]]], 5): also [[1, 2], 0.0], right [[1, 3, 2], 1.0] alone
    table, running, ended = {tuple(prefix): law for prefix, law in laws}, [([1], 1.0)], []
    while running:
        new = [([*text, i], c * p) for text, c in running for i, p in enumerate(table[tuple(text)])]
        new = sorted(
            (one for one in new if one[0][-1] == 2 or tuple(one[0]) in table),
            key=lambda pair: -pair[1],
        )
        ended += [pair for pair in new[:beams] if pair[0][-1] == 2]
        running = [pair for pair in new if pair[0][-1] != 2][:beams]
    return sorted(ended, key=lambda pair: -pair[1])[:beams]


def wrong_in_the_order_found(laws, beams):
    """The texts come in the order in which they ended, and the first ones are taken.

    Feedback: the texts do not stand in order, the likeliest first
    """
    # wrong for: f([[[1], [0, 0, 0.3, 0.7]], [[1, 3], [0, 0, 1, 0]]], 2): gives [1, 2] first, right [1, 3, 2] first
    table, running, ended = {tuple(prefix): law for prefix, law in laws}, [([1], 1.0)], []
    while running:
        grown = _grown(table, running)
        ended += [pair for pair in grown[:beams] if pair[0][-1] == 2]
        running = [pair for pair in grown if pair[0][-1] != 2][:beams]
    return ended[:beams]


def wrong_keys_as_joined_text(laws, beams):
    """The beginnings are kept as joined text, where 3 and 34 look like 33 and 4.

    Feedback: beginnings are told apart by their digits: 3 and 34 are not 33 and 4
    """

    # wrong for: a table with [1, 3, 34] and [1, 33, 4]: both get the law of the one that stands later
    def key(ids):
        return "".join(map(str, ids))

    table, running, ended = {key(prefix): law for prefix, law in laws}, [([1], 1.0)], []
    while running:
        grown = _grown(table, running, key)
        ended += [pair for pair in grown[:beams] if pair[0][-1] == 2]
        running = [pair for pair in grown if pair[0][-1] != 2][:beams]
    return sorted(ended, key=lambda pair: -pair[1])[:beams]


def right_recursion_with_heaps(laws, beams):
    """One call for each step, the likeliest by heaps, the ended texts handed back and merged."""
    table = {tuple(prefix): law for prefix, law in laws}

    def step(running):
        if not running:
            return []
        new = [
            (c * p, (*text, i)) for c, text in running for i, p in enumerate(table[text]) if c * p
        ]
        aside = [one for one in heapq.nlargest(beams, new) if one[1][-1] == 2]
        return aside + step(heapq.nlargest(beams, [one for one in new if one[1][-1] != 2]))

    return [[list(text), c] for c, text in heapq.nlargest(beams, step([(1.0, (1,))]))]


def right_exact_fractions_by_rank(laws, beams):
    """Exact fractions in one list of candidates; a text is set aside by its rank, and linked back to where it came from."""

    class Node:
        def __init__(self, token, chance, before=None):
            self.token, self.chance, self.before = token, chance, before

        def ids(self):
            node, found = self, []
            while node:
                found, node = [*found, node.token], node.before
            return found[::-1]

    table = {tuple(prefix): [Fraction(p) for p in law] for prefix, law in laws}
    running, aside = [Node(1, Fraction(1))], []
    while running:
        candidates = [
            Node(token, node.chance * p, node)
            for node in running
            for token, p in enumerate(table[tuple(node.ids())])
            if p
        ]
        candidates.sort(key=lambda node: node.chance, reverse=True)
        aside.extend(
            node for rank, node in enumerate(candidates) if rank < beams and node.token == 2
        )
        running = [node for node in candidates if node.token != 2][:beams]
    aside.sort(key=lambda node: node.chance, reverse=True)
    return [[node.ids(), float(node.chance)] for node in aside[:beams]]


# STATEMENT: a product that rounds to 0 (long texts of small probabilities): a candidate or none? May the table hold beginnings that no
# law leads to, or the same beginning twice? "The inputs have no ties": among candidates of one step, or also among ended texts of
# different lengths? Pairs as tuples?
