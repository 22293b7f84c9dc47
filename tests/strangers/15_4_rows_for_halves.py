import torch

_orders = {}


def _order(D):
    return torch.cat((torch.arange(0, D, 2), torch.arange(1, D, 2)))


def wrong_the_way_back(weight, H):
    """The order leads from halves to pairs; for heads of 2 or 4 lanes it is the same.

    Feedback: this is the way back
    """
    # wrong for: f(torch.arange(6.0)[:, None], 1) gives [[0.0], [3.0], [1.0], [4.0], [2.0], [5.0]],
    # right [[0.0],
    # [2.0], [4.0], [1.0], [3.0], [5.0]]
    D = len(weight) // H
    return weight.reshape(H, 2, D // 2, -1).transpose(1, 2).reshape(weight.shape)


def wrong_all_rows_one_head(weight, H):
    """Even rows before odd rows over the whole matrix, so rows leave their heads.

    Feedback: all heads are reordered as if they were one
    """
    # wrong for: f(torch.arange(8.0)[:, None], 2) gives [[0.0], [2.0], [4.0], [6.0], [1.0], [3.0],
    # [5.0], [7.0]],
    # right [[0.0], [2.0], [1.0], [3.0], [4.0], [6.0], [5.0], [7.0]]
    return weight[_order(len(weight))]


def wrong_width_from_the_columns(weight, H):
    """The head's width is taken as C / H, which only a square matrix has.

    Feedback: the width of a head is taken from the columns
    """
    # wrong for: f(torch.arange(8.0)[:, None].repeat(1, 16), 2) gives [0.0, 0.0, 0.0, 0.0, ...] of
    # shape [8, 16],
    # right [0.0, 0.0, 0.0, 0.0, ...] of shape [8, 16]
    D = min(max(weight.shape[1] // H, 2), len(weight))
    if len(weight) % D:
        D = len(weight) // H
    return weight.reshape(-1, D // 2, 2, weight.shape[1]).transpose(1, 2).reshape(weight.shape)


def wrong_new_matrix_in_float32(weight, H):
    """The rows are written into a new matrix of torch's usual type, so float64 numbers change.

    Feedback: the rows come back in another dtype
    """
    # wrong for: f(torch.tensor([[0.1], [0.2]], dtype=torch.float64), 1) gives [[0.100000001],
    # [0.200000003]], right
    # [[0.1], [0.2]] (float64)
    new, D = torch.empty(weight.shape), len(weight) // H
    for head in range(H):
        new[head * D : (head + 1) * D] = weight[head * D : (head + 1) * D][_order(D)]
    return new


def wrong_rows_swapped_two_and_two(weight, H):
    """Odd rows of the first half change places with rows of the second: pairs meet again, but
    with other speeds.

    Feedback: the rows of a head are in another order
    """
    # wrong for: f(torch.arange(8.0)[:, None], 1) gives [[0.0], [4.0], [2.0], [6.0], [1.0], [5.0],
    # [3.0], [7.0]],
    # right [[0.0], [2.0], [4.0], [6.0], [1.0], [3.0], [5.0], [7.0]]
    D = len(weight) // H
    order = list(range(D))
    for lane in range(1, D // 2, 2):
        other = lane + D // 2 - 1
        order[lane], order[other] = order[other], order[lane]
    return torch.cat([head[order] for head in weight.split(D)])


def wrong_order_kept_by_heads(weight, H):
    """The order of the rows is kept between calls by the number of heads, and the width is
    forgotten.

    Feedback: as many rows as an earlier weight
    """
    # wrong for: f(torch.arange(4.0)[:, None], 1); f(torch.arange(6.0)[:, None], 1) gives [[0.0],
    # [2.0], [1.0],
    # [3.0]], right [[0.0], [2.0], [4.0], [1.0], [3.0], [5.0]]
    if H not in _orders:
        D = len(weight) // H
        _orders[H] = torch.cat([head * D + _order(D) for head in range(H)])
    return weight[_orders[H].clamp(max=len(weight) - 1)]


def right_sorted_row_numbers(weight, H):
    """Sort the rows' numbers by head, then by which half of the pair they are, then by place."""
    D = len(weight) // H
    return torch.stack(
        [weight[row] for row in sorted(range(H * D), key=lambda row: (row // D, row % D % 2, row))]
    )


def right_one_expression(weight, H):
    """Take every head apart into pairs and write the pairs' sides one behind the other."""
    return weight.unflatten(0, (H, -1, 2)).movedim(2, 1).flatten(0, 2)


# STATEMENT: whether other types than float32 may come, whether the file's own tensor must stay as
# it is, whether a
# Parameter that wants gradients may come, and H that does not divide the rows or an odd D are not
# spoken of.
