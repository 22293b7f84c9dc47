import math

import torch


def _join(key, value, keys, values):
    return torch.cat([keys, key[None]]), torch.cat([values, value[None]])


def wrong_scale_of_the_lesson(query, key, value, keys, values):
    """Scores are divided by 2, the root of the lesson's D = 4, whatever D is.

    Feedback: the scores are divided by 2, whatever D is
    """
    # wrong for: D = 8, random numbers, t = 3: context 0.1 away and more; right for D = 4
    keys, values = _join(key, value, keys, values)
    return (keys @ query / 2).softmax(dim=0) @ values, keys, values


def wrong_bare_exp(query, key, value, keys, values):
    """The softmax is written as exp over sum, which overflows for large scores.

    Feedback: a large score overflows: subtract the largest before exp, or call softmax
    """
    # wrong for: D = 4, query and keys of 20 each (scores 800): context nan, right the mean of the values
    keys, values = _join(key, value, keys, values)
    powers = (keys @ query / math.sqrt(len(query))).exp()
    return (powers / powers.sum()) @ values, keys, values


def wrong_query_divided_in_place(query, key, value, keys, values):
    """The query is divided in place, so the tensor that went in is changed.

    Feedback: it changed what it was given: work on a copy
    """
    # wrong for: D = 4, query [2., 0, 0, 0]: it is [1., 0, 0, 0] afterwards, right unchanged
    query /= math.sqrt(len(query))
    keys, values = _join(key, value, keys, values)
    return (keys @ query).softmax(dim=0) @ values, keys, values


def wrong_put_in_front(query, key, value, keys, values):
    """The new key and value are put before the others; the context does not mind.

    Feedback: the newest token stands first: it is the last of the text
    """
    # wrong for: t = 1, keys [[1., 1.]], key [2., 2.]: keys [[2., 2.], [1., 1.]], right [[1., 1.], [2., 2.]]
    keys, values = torch.cat([key[None], keys]), torch.cat([value[None], values])
    return (keys @ query / math.sqrt(len(query))).softmax(dim=0) @ values, keys, values


def wrong_squeezed(query, key, value, keys, values):
    """The context is squeezed, and for heads of width one it loses its only axis.

    Feedback: a head of width 1 loses its axis
    """
    # wrong for: D = 1: context of shape [], right [1]
    keys, values = _join(key, value, keys, values)
    weights = (query[None] @ keys.T / math.sqrt(len(query))).softmax(dim=-1)  # [1, t + 1]
    return (weights @ values).squeeze(), keys, values


def wrong_zero_key_is_no_key(query, key, value, keys, values):
    """A key of zeros is taken for an empty place and gets no weight.

    Feedback: a key of zeros is left out, and its score 0 is not nothing
    """
    # wrong for: keys [[0., 0.]], values [[1., 1.]], query = key = [1., 0.], value [3., 3.]: context [3., 3.],
    # right about [2.34, 2.34]
    keys, values = _join(key, value, keys, values)
    scores = keys @ query / math.sqrt(len(query))
    empty = (keys == 0).all(dim=1)
    empty[-1] = False
    return scores.masked_fill(empty, -math.inf).softmax(dim=0) @ values, keys, values


def right_attention_of_torch(query, key, value, keys, values):
    """One query for torch's own attention, no mask."""
    keys = torch.vstack([keys, key])
    values = torch.vstack([values, value])
    context = torch.nn.functional.scaled_dot_product_attention(query[None], keys, values)
    return context[0], keys, values


def right_running_softmax(query, key, value, keys, values):
    """One key after another with a running maximum, in float64, rounded at the end."""
    D = query.shape[0]
    keys, values = _join(key, value, keys, values)
    top, total, context = -math.inf, 0.0, torch.zeros(D, dtype=torch.float64)
    for k, v in zip(keys.double(), values.double(), strict=True):
        score = float(k @ query.double()) * D**-0.5
        higher = max(top, score)
        shrink, weight = math.exp(top - higher), math.exp(score - higher)
        context, total, top = context * shrink + weight * v, total * shrink + weight, higher
    return (context / total).to(query.dtype), keys, values


# STATEMENT: that scores are divided by the root of D is said only by "the full causal head" of the lesson. No tolerance
# is stated, and no dtype. Whether the returned keys may share memory with those that went in is not said. (Its tests
# of NaN, gradient or infinite scores are not named either; the running softmax has gradient only through the values.)
