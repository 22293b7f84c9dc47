import heapq
import math


def best_by_beams(laws, beams):
    """With sums of logarithms and a heap, and an early end: when no running text can still win."""
    running, finished = [(0.0, [1])], []
    while running:
        candidates = []
        for total, text in running:
            (law,) = [law for prefix, law in laws if prefix == text]
            for token in range(len(law)):
                if law[token] > 0.0:
                    candidates.append((total + math.log(law[token]), [*text, token]))
        candidates.sort(reverse=True)
        for rank, (total, text) in enumerate(candidates):
            if text[-1] == 2 and rank < beams:
                finished.append((total, text))
        running = [pair for pair in candidates if pair[1][-1] != 2][:beams]
        finished = heapq.nlargest(beams, finished)
        if len(finished) == beams and running and finished[-1][0] >= running[0][0]:
            break
    return [(text, math.exp(total)) for total, text in finished]
