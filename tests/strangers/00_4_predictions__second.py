import torch


def wrong_best_starts_at_zero(table):
    """the best score so far starts at 0, so a row of negative logits answers 0

    Feedback: a row of logits far below 0 goes wrong: where does the search begin?
    """
    # wrong for: predictions([[-3.0, -1.0]]) gives [0], right [1]
    ids = []
    for row in table:
        best, at = 0.0, 0
        for token, logit in enumerate(row):
            if logit > best:
                best, at = logit, token
        ids.append(at)
    return ids


def wrong_powers_compared(table):
    """e to the power of the logits is compared: beyond 88 they all are infinite, below -104 all 0

    Feedback: very low or very high logits look equal: powers of e become 0 or overflow there
    """
    # wrong for: predictions([[100.0, 200.0]]) gives [0], right [1]
    ids = []
    for row in table:
        powers = torch.tensor(row, dtype=torch.float32).exp().tolist()
        ids.append(powers.index(max(powers)))
    return ids


def right_sorted_pairs(table):
    """each row is sorted as pairs of the negative logit and the id"""
    return [min(zip((-z for z in row), range(len(row))))[1] for row in table]


# STATEMENT: "float32 numbers of any size": are infinities numbers? (-inf as a hidden word?)
