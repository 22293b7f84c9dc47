import math

import torch


def wrong_queries_are_the_first(table, queries, keys):
    """The queries are taken for the first of the keys, right only when there are as many.

    Feedback: the queries are taken for the first of the keys: they are the last
    """
    # wrong for: f(torch.tensor([[1.0], [2.0]]), 1, 2)[0] gives [[1.0, -inf]], right [[2.0, 1.0]]
    back = torch.arange(queries)[:, None] - torch.arange(keys)
    bias = table[back.clamp(0, len(table) - 1)].permute(2, 0, 1)
    return bias.masked_fill(back < 0, -math.inf)


def wrong_triangle_at_the_corner(table, queries, keys):
    """The distances are right, but the mask is a triangle that begins at the upper left corner.

    Feedback: the queries are taken for the first of the keys: they are the last
    """
    # wrong for: f(torch.tensor([[1.0], [2.0]]), 1, 2)[0] gives [[2.0, -inf]], right [[2.0, 1.0]]
    back = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    bias = table[back.clamp(0, len(table) - 1)].permute(2, 0, 1)
    return bias.masked_fill(torch.ones(queries, keys, dtype=torch.bool).triu(diagonal=1), -math.inf)


def wrong_smallest_number_for_infinity(table, queries, keys):
    """The future gets the smallest finite number, not minus infinity.

    Feedback: a key in the future has a finite number
    """
    # wrong for: f(torch.tensor([[1.0], [2.0]]), 2, 2)[0] gives [[1.0, -3.40282e+38], [2.0, 1.0]], right [[1.0, -inf],
    # [2.0, 1.0]]
    back = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    bias = table[back.clamp(0, len(table) - 1)].permute(2, 0, 1)
    return bias.masked_fill(back < 0, torch.finfo(table.dtype).min)


def wrong_nothing_beyond_the_reach(table, queries, keys):
    """Keys further back than the table reaches get 0, not its last row.

    Feedback: beyond the reach there is no bias: what is further shares the last row
    """
    # wrong for: f(torch.tensor([[1.0], [2.0]]), 1, 3)[0] gives [[0.0, 2.0, 1.0]], right [[2.0, 2.0, 1.0]]
    reach = table.shape[0]
    back = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    bias = table[back.clamp(0, reach - 1)].permute(2, 0, 1).masked_fill(back >= reach, 0.0)
    return bias.masked_fill(back < 0, -math.inf)


def right_rounded_to_float32(table, queries, keys):
    """The result is a new float32 tensor, whatever the table's numbers are, so a float64 table loses digits."""
    # wrong for: f(torch.tensor([[0.1], [0.2]], dtype=torch.float64), 1, 1).tolist() gives [[[0.10000000149011612]]],
    # right [[[0.1]]]
    bias = torch.full((table.shape[1], queries, keys), -math.inf)
    for i in range(queries):
        for j in range(keys - queries + i + 1):
            bias[:, i, j] = table[min(keys - queries + i - j, len(table) - 1)]
    return bias


def wrong_one_head_without_axis(table, queries, keys):
    """With one head the axis for the heads is left out.

    Feedback: with one head the axis for the heads is left out
    """
    # wrong for: f(torch.tensor([[1.0], [2.0]]), 1, 2) gives [[2.0, 1.0]], right [[[2.0, 1.0]]]
    back = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    bias = table[back.clamp(0, len(table) - 1)].permute(2, 0, 1)
    return (
        bias.masked_fill(back < 0, -math.inf).squeeze(0)
        if table.shape[1] == 1
        else bias.masked_fill(back < 0, -math.inf)
    )


def right_longest_row_is_slid(table, queries, keys):
    """One row for all distances, from the furthest to the future, and a window of it for each query, by unfold."""
    reach, H = table.shape
    far = table[-1:].expand(max(0, keys - reach), H)
    near = table[: min(reach, keys)].flip(0)
    future = table.new_full((queries - 1, H), -math.inf)
    line = torch.cat([far, near, future])  # distances keys - 1 .. 0, then the future
    return line.T.unfold(1, keys, 1).flip(1).contiguous()


def right_embedding_of_distances(table, queries, keys):
    """A row of minus infinity is put behind the table, and F.embedding looks up a number for each pair."""
    reach = table.size(0)
    longer = torch.cat([table, torch.full_like(table[:1], -math.inf)])
    i = torch.arange(queries).unsqueeze(-1) + (keys - queries)
    back = i - torch.arange(keys).unsqueeze(0)
    rows = torch.where(back < 0, reach, back.clamp(max=reach - 1))
    return torch.nn.functional.embedding(rows, longer).movedim(-1, 0)


# STATEMENT: which dtype comes out ("a float tensor" in: float64 or bfloat16 in, the same out?), whether gradients must
# reach the table, and whether more queries than keys are excluded ("the last of the keys" says so by itself).
