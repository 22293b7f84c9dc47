import math

import torch


def _pieces(query, keys, values, size):
    for start in range(0, len(keys), size):
        yield (
            keys[start : start + size] @ query / math.sqrt(len(query)),
            values[start : start + size],
        )


def wrong_mean_of_the_pieces(query, keys, values, size):
    """Each piece is averaged alone, and the averages count by the length of the piece.

    Feedback: each piece weighs the same, whatever its scores are
    """
    # wrong for: f(torch.tensor([1.0]), torch.tensor([[0.0], [5.0]]), torch.eye(2), 1) gives
    # [0.5, 0.5], right
    # [0.00669285096, 0.993307173]
    total = torch.zeros_like(values[0])
    for scores, rows in _pieces(query, keys, values, size):
        total = total + len(rows) * (scores.softmax(dim=0) @ rows)
    return total / len(keys)


def wrong_short_piece_is_dropped(query, keys, values, size):
    """Only whole pieces are looked at; the shorter one at the end is left out.

    Feedback: where T is no multiple of the size, does not count
    """
    # wrong for: f(torch.zeros(1), torch.zeros(3, 1), torch.tensor([[0.0], [0.0], [3.0]]), 2)
    # gives [0.0], right [1.0]
    top, powers_sum, rows_sum = -math.inf, 0.0, torch.zeros_like(values[0])
    for number, (scores, rows) in enumerate(_pieces(query, keys, values, size)):
        if number and len(rows) < size:
            break
        higher = max(top, scores.max().item())
        powers = (scores - higher).exp()
        powers_sum = powers_sum * math.exp(top - higher) + powers.sum()
        rows_sum, top = rows_sum * math.exp(top - higher) + powers @ rows, higher
    return rows_sum / powers_sum


def wrong_only_the_sum_is_rescaled(query, keys, values, size):
    """When a larger score comes, the sum of powers is rescaled, the summed rows are not.

    Feedback: only one of the two sums shrinks
    """
    # wrong for: f(torch.tensor([1.0]), torch.tensor([[0.0], [2.0]]), torch.eye(2), 1) gives
    # [0.880797029,
    # 0.880797029], right [0.119202919, 0.880797029]
    top, powers_sum, rows_sum = -math.inf, 0.0, torch.zeros_like(values[0])
    for scores, rows in _pieces(query, keys, values, size):
        higher = max(top, scores.max().item())
        powers = (scores - higher).exp()
        powers_sum = powers_sum * math.exp(top - higher) + powers.sum()
        rows_sum, top = rows_sum + powers @ rows, higher
    return rows_sum / powers_sum


def wrong_largest_starts_at_nought(query, keys, values, size):
    """The largest score so far starts at 0, so with very negative scores 0 / 0 is left.

    Feedback: the largest so far must begin at -inf
    """
    # wrong for: f(torch.tensor([1.0]), torch.tensor([[-1000.0], [-1000.0]]), torch.eye(2), 1)
    # gives [nan, nan],
    # right [0.5, 0.5]
    top, powers_sum, rows_sum = 0.0, 0.0, torch.zeros_like(values[0])
    for scores, rows in _pieces(query, keys, values, size):
        higher = max(top, scores.max().item())
        powers = (scores - higher).exp()
        powers_sum = powers_sum * math.exp(top - higher) + powers.sum()
        rows_sum, top = rows_sum * math.exp(top - higher) + powers @ rows, higher
    return rows_sum / powers_sum


def wrong_first_piece_knows_the_largest(query, keys, values, size):
    """The largest score of the first piece is subtracted everywhere; a later one can overflow.

    Feedback: large scores overflow
    """
    # wrong for: f(torch.tensor([1.0]), torch.tensor([[-1000.0], [1000.0]]), torch.eye(2), 1)
    # gives [nan, nan],
    # right [0.0, 1.0]
    shift, powers_sum, rows_sum = None, 0.0, 0.0
    for scores, rows in _pieces(query, keys, values, size):
        shift = scores.max() if shift is None else shift
        powers = (scores - shift).exp()
        powers_sum, rows_sum = powers_sum + powers.sum(), rows_sum + powers @ rows
    return rows_sum / powers_sum


def wrong_last_key_alone_is_missed(query, keys, values, size):
    """The pieces start before T - 1, so a last key that would be a piece of its own is never seen.

    Feedback: a last key that is a piece of its own is never looked at
    """
    # wrong for: f(torch.zeros(1), torch.zeros(3, 1), torch.tensor([[0.0], [0.0], [3.0]]), 2)
    # gives [0.0], right [1.0]
    top, powers_sum, rows_sum = -math.inf, 0.0, torch.zeros_like(values[0])
    for start in range(0, max(1, len(keys) - 1), size):
        rows = values[start : start + size]
        scores = keys[start : start + size] @ query / math.sqrt(len(query))
        higher = max(top, scores.max().item())
        powers = (scores - higher).exp()
        powers_sum = powers_sum * math.exp(top - higher) + powers.sum()
        rows_sum, top = rows_sum * math.exp(top - higher) + powers @ rows, higher
    return rows_sum / powers_sum


def right_two_walks(query, keys, values, size):
    """Walk once for the largest score and once more for the sums."""
    root = math.sqrt(query.numel())

    def walk():
        for some_keys, rows in zip(keys.split(size), values.split(size)):
            yield some_keys.mv(query) / root, rows

    top = max(scores.max().item() for scores, _ in walk())
    sums = [((scores - top).exp().sum(), (scores - top).exp() @ rows) for scores, rows in walk()]
    return sum(rows for _, rows in sums) / sum(number for number, _ in sums)


def right_merged_by_sigmoid(query, keys, values, size):
    """Keep the average so far and the logarithm of its sum; sigmoid of the lead says how to mix."""
    done, context = None, None
    for start in range(0, keys.size(0), size):
        scores = keys[start : start + size].double() @ query.double() / query.numel() ** 0.5
        new = scores.softmax(dim=0) @ values[start : start + size].double()
        level = scores.logsumexp(dim=0)
        if done is None:
            done, context = level, new
        else:
            context = torch.lerp(context, new, torch.sigmoid(level - done))
            done = torch.logaddexp(done, level)
    return context.to(values.dtype)


# STATEMENT: "survive scores of 1000 and -1000": before or after the division by the root of D is
# open.
# "The same for every size" has no tolerance (bit for bit cannot be meant). Not holding is
# unchecked.
