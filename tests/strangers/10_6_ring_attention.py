import math

import torch


def _attend(query, keys, values):
    return (keys @ query / math.sqrt(len(query))).softmax(dim=0) @ values


def wrong_empty_places_join(query, key, value, W):
    """The softmax runs over the whole ring, so places that were never filled take a share with
    score 0.

    Feedback: places that were never filled get weight: a score of 0 is not nothing
    """
    # wrong for: T = 1, W = 2: context is part of value[0], right all of value[0]; right once the ring is full
    T, D = query.shape
    keys, values, rows = key.new_zeros(W, D), value.new_zeros(W, D), []
    for t in range(T):
        keys[t % W], values[t % W] = key[t], value[t]
        rows.append(_attend(query[t], keys, values))
    return torch.stack(rows), keys


def wrong_band_over_everything(query, key, value, W):
    """All T x T scores and a band mask: a weight of 0 times NaN is NaN, and nothing is forgotten.

    Feedback: a token that has left the window still spoils later rows: hold only W values
    """
    # wrong for: T = 6, W = 2, value[0] = nan: all rows nan, right only rows 0 and 1
    T, D = query.shape
    back = torch.arange(T)[:, None] - torch.arange(T)
    scores = (query @ key.T / math.sqrt(D)).masked_fill((back < 0) | (back >= W), -math.inf)
    ring = key.new_zeros(W, D)
    for t in range(T):
        ring[t % W] = key[t]
    return scores.softmax(dim=-1) @ value, ring


def wrong_in_order_of_time(query, key, value, W):
    """The last W keys are kept in the order of time instead of in the places of the ring.

    Feedback: the last W keys stand in order: a ring does not move what it holds
    """
    # wrong for: T = 6, W = 4: keys of tokens 2, 3, 4, 5, right 4, 5, 2, 3
    T, D = query.shape
    rows = [
        _attend(query[t], key[max(0, t + 1 - W) : t + 1], value[max(0, t + 1 - W) : t + 1])
        for t in range(T)
    ]
    ring = key.new_zeros(W, D)
    ring[: min(T, W)] = key[-W:]
    return torch.stack(rows), ring


def wrong_ring_grows_on_demand(query, key, value, W):
    """The ring grows until it has W places, so after a short text it has fewer rows.

    Feedback: it returned a tensor of shape [3, 4] where [6, 4] is asked for
    """
    # wrong for: T = 2, W = 4: keys [2, D], right [4, D] with two rows of zeros
    keys, values, rows = [], [], []
    for t in range(len(query)):
        if t < W:
            keys.append(key[t])
            values.append(value[t])
        else:
            keys[t % W], values[t % W] = key[t], value[t]
        rows.append(_attend(query[t], torch.stack(keys), torch.stack(values)))
    return torch.stack(rows), torch.stack(keys)


def wrong_zero_key_is_an_empty_place(query, key, value, W):
    """A place of the ring counts as empty when its key is all zeros.

    Feedback: a key of zeros is taken for an empty place
    """
    # wrong for: T = 2, W = 2, key[0] = 0, value [[1.], [3.]], query 1 and key[1] 1: row 1 gives 3, right about 2.46
    T, D = query.shape
    keys, values, rows = key.new_zeros(W, D), value.new_zeros(W, D), []
    for t in range(T):
        keys[t % W], values[t % W] = key[t], value[t]
        filled = (keys != 0).any(dim=1)
        filled[t % W] = True
        rows.append(_attend(query[t], keys[filled], values[filled]))
    return torch.stack(rows), keys


def wrong_nan_swept_away(query, key, value, W):
    """NaN is turned to 0 in the ring, so rows that should be spoiled come out as numbers.

    Feedback: NaN is swept away: a row whose window holds it must be spoiled
    """
    # wrong for: T = 2, W = 2, value[0] = nan: rows 0 and 1 are numbers, right nan
    T, D = query.shape
    keys, values, rows = key.new_zeros(W, D), value.new_zeros(W, D), []
    for t in range(T):
        keys[t % W], values[t % W] = key[t].nan_to_num(), value[t].nan_to_num()
        n = min(t + 1, W)
        rows.append(_attend(query[t], keys[:n], values[:n]))
    return torch.stack(rows), keys


def right_ring_as_a_class(query, key, value, W):
    """A class that writes over the oldest place and hands out only what was filled."""

    class Ring:
        def __init__(self):
            self.keys, self.values = (torch.zeros_like(x[:1]).repeat(W, 1) for x in (key, value))
            self.keys[:], self.values[:] = 0, 0
            self.seen = 0

        def look(self, q, k, v):
            place = divmod(self.seen, W)[1]
            self.keys[place] = k
            self.values[place] = v
            self.seen += 1
            n = min(self.seen, W)
            return torch.nn.functional.scaled_dot_product_attention(
                q[None], self.keys[:n], self.values[:n]
            )[0]

    ring = Ring()
    return torch.stack([*map(ring.look, query, key, value)]), ring.keys


def right_dictionary_of_places(query, key, value, W):
    """Places are entries of a dictionary; float64 inside, rounded at the end."""
    T, D = query.shape
    held, context = {}, torch.empty_like(value)
    for t in range(T):
        held[t % W] = (key[t], value[t])
        k, v = (torch.stack(part).double() for part in zip(*held.values()))
        weights = torch.einsum("wd,d->w", k, query[t].double()).mul(D**-0.5).softmax(0)
        context[t] = torch.einsum("w,wd->d", weights, v).to(value.dtype)
    nothing = torch.zeros(D, dtype=key.dtype)
    return context, torch.stack([held[w][0] if w in held else nothing for w in range(W)])


# STATEMENT: "hold at most W keys and values at a time" cannot be seen from outside, except by NaN. Whether NaN stands in
# the first token's query, key or value (or all) is not said; a NaN query spoils row 0 alone. That T is at least 1 is not
# said. No tolerance and no dtype are stated. The scale (root of D) comes from the lesson only.
