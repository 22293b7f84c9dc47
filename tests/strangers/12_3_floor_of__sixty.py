import math
from collections import Counter


def wrong_joined_by_a_blank(cases):
    """Keeps sight and sequel as one text with a blank between: "a b" then "c" and "a" then "b c"
    count as the same pair.

    Feedback: sight and outcome are joined with a space, and texts hold spaces themselves
    """
    # wrong for: f([["a b", "c"], ["a", "b c"], ["a", "d"], ["a b", "e"]]) gives less than the
    # right ln 2
    pairs = Counter(f"{seen} {followed}" for seen, followed in cases)
    sights = Counter(seen for seen, _ in cases)
    loss = 0.0
    for seen, followed in cases:
        loss -= math.log(pairs[f"{seen} {followed}"] / sights[seen])
    return max(0.0, loss / len(cases))


def wrong_every_sight_alike(cases):
    """Averages over the different sights, as if each came equally often; in the example they do.

    Feedback: it is another floor
    """
    # wrong for: f([["a", "x"], ["a", "y"], ["b", "x"]]) gives 0.347, right 0.462
    behind = {}
    for seen, followed in cases:
        behind.setdefault(seen, Counter())[followed] += 1
    losses = []
    for counts in behind.values():
        total = sum(counts.values())
        losses.append(-sum(n / total * math.log(n / total) for n in counts.values()))
    return sum(losses) / len(losses)
