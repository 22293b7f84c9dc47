import heapq
import math


def greedy_and_best(laws):
    """The likeliest by a heap of beginnings, the most likely first: the first end is the best.

    A probability only falls when a text grows, so nothing behind it in the heap can win.
    """
    table = [(prefix, law) for prefix, law in laws]
    known = [prefix for prefix, _ in table]

    def possible(prefix):
        law = table[known.index(prefix)][1]
        for token in range(len(law)):
            if law[token] > 0 and (token == 2 or [*prefix, token] in known):
                yield token, math.log(law[token])

    def walk(prefix, total):
        if prefix[-1] == 2:
            return prefix, math.exp(total)
        token, step = max(possible(prefix), key=lambda pair: (pair[1], -pair[0]))
        return walk([*prefix, token], total + step)

    heap = [(0.0, [1])]
    while heap[0][1][-1] != 2:
        cost, prefix = heapq.heappop(heap)
        for token, step in possible(prefix):
            heapq.heappush(heap, (cost - step, [*prefix, token]))
    return (*walk([1], 0.0), heap[0][1], math.exp(-heap[0][0]))
