def wrong_squeezed(query, keys, values):
    """Makes a matrix of the query and squeezes the result, which takes the only axis away when the
    values are one number wide.

    Feedback: it returned a tensor of shape [] where [1] is asked for
    """
    # wrong for: f(zeros(2), zeros(3, 2), ones(3, 1)) has shape [], right [1]
    scores = query[None] @ keys.T / query.shape[0] ** 0.5
    return (scores.softmax(dim=-1) @ values).squeeze()


def wrong_scores_cut_at_80(query, keys, values):
    """Cuts the scores to -80 .. 80 so that exp survives; two scores beyond the same end then count
    as equal.

    Feedback: scores are cut off at a bound: their differences must count, however large they
    """
    # wrong for: f([1.], [[100.], [200.]], [[0.], [1.]]) gives 0.5, right 1
    scores = (keys @ query / len(query) ** 0.5).clamp(-80, 80)
    powers = scores.exp()
    return (powers / powers.sum()) @ values
