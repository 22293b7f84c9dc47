import torch


def wrong_first_time_is_once_only(logits, counts, each, once):
    """The first time costs `once`, and `each` comes only with the repeats after it.

    Feedback: the first time does not cost `each`
    """
    # wrong for: counts [1], each 1, once 0: lowers by 0, right by 1
    return logits - each * (counts - 1).clamp(min=0) - once * (counts > 0)


def wrong_sign_of_the_logit(logits, counts, each, once):
    """As with the repetition penalty, logits below 0 are treated the other way round.

    Feedback: a word that stood loses the wrong amount
    """
    # wrong for: logits [-1.0], counts [1], each 1, once 0: gives 0, right -2
    cost = each * counts + once * (counts > 0)
    return torch.where(logits > 0, logits - cost, logits + cost)


def wrong_logarithms_of_the_law(logits, counts, each, once):
    """The lowered logits are normalised, which keeps the law but moves the words that never stood.

    Feedback: a word that never stood loses something, or wins
    """
    # wrong for: logits [1.0, 1.0], counts [0, 1]: the first becomes a log-probability, right 1.0
    return (logits - each * counts - once * (counts > 0)).log_softmax(dim=-1)


def wrong_stood_in_any_row(logits, counts, each, once):
    """`once` is charged in all rows of a batch for a word that stood in any of them.

    Feedback: one row pays for another
    """
    # wrong for: counts [[1, 0], [0, 0]], once 1: lowers the first word in the second row too, right not
    stood = (counts > 0).reshape(-1, counts.shape[-1]).any(dim=0)
    return logits - each * counts - once * stood


def wrong_counts_in_one_byte(logits, counts, each, once):
    """The counts are kept in one byte each to save memory, which begins again at 256.

    Feedback: a large count is lost: it does not fit into a byte or two
    """
    # wrong for: counts [300], each 1, once 0: lowers by 44, right by 300
    return logits - each * counts.byte() - once * (counts > 0)


def wrong_removed_words_return(logits, counts, each, once):
    """Minus infinity is replaced by the smallest finite number, "so that nothing becomes NaN".

    Feedback: a logit of minus infinity becomes finite
    """
    # wrong for: logits [-inf, 0.0]: gives -3.4e38, right -inf
    return torch.nan_to_num(logits) - each * counts - once * (counts > 0)


def right_in_a_clone(logits, counts, each, once):
    """A copy that is lowered only at the places where a word has stood."""
    lowered, stood = logits.clone(), counts != 0
    lowered[stood] -= each * counts[stood].to(logits.dtype) + once
    return lowered


def right_price_list(logits, counts, each, once):
    """A price for each possible count, looked up by index."""
    most = int(counts.max()) if counts.numel() else 0
    prices = torch.arange(most + 1, dtype=torch.float64) * each
    prices[1:] += once
    return (logits.double() - prices[counts.long()]).to(logits.dtype)


# STATEMENT: may the function change the logits it was given? May `each` or `once` be below 0 (a reward)? The dtype of the result
# is not named (float64 logits, 16-bit logits), nor the tolerance of "exactly `each`": with whole counts torch makes each * counts
# in float32, which for float64 logits is off by 1e-9. Are the counts an int64 tensor, or perhaps floats with whole values?
