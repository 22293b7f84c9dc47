import torch


def wrong_top_starts_at_minus_1000(query, keys, values, size):
    """The running maximum begins at -1000 in place of minus infinity: if all scores lie far below
    that, all weights vanish and the result is 0 / 0.

    Feedback: scores that all lie far below 0 come to nothing: the largest so far must begin
    """
    # wrong for: f([1.], [[-2000.], [-2000.]], [[1.], [3.]], 1) gives nan, right 2
    top = torch.tensor(-1000.0, dtype=query.dtype)
    total = torch.zeros((), dtype=query.dtype)
    context = torch.zeros_like(values[0])
    for start in range(0, len(keys), size):
        scores = keys[start : start + size] @ query / len(query) ** 0.5
        new_top = torch.maximum(top, scores.max())
        weights = (scores - new_top).exp()
        shrink = (top - new_top).exp()
        total = total * shrink + weights.sum()
        context = context * shrink + weights @ values[start : start + size]
        top = new_top
    return context / total


def wrong_top_of_the_newest_piece(query, keys, values, size):
    """Measures everything against the maximum of the newest piece, not against the largest so far:
    what was summed before overflows when a later piece lies far lower.

    Feedback: large scores overflow: subtract the largest one before you take powers
    """
    # wrong for: f([1.], [[1000.], [-1000.]], [[1.], [3.]], 1) gives nan, right 1
    top = total = context = None
    for part, rows in zip(keys.split(size), values.split(size)):
        scores = part @ query / query.shape[0] ** 0.5
        new = scores.max()
        weights = (scores - new).exp()
        if top is None:
            total, context = weights.sum(), weights @ rows
        else:
            scale = (top - new).exp()
            total = total * scale + weights.sum()
            context = context * scale + weights @ rows
        top = new
    return context / total
