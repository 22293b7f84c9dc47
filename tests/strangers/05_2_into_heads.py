import torch


def wrong_in_a_hurry(x, H):
    """The view [B, H, T, D] is taken at once, which mixes positions.

    Feedback: a piece of the text instead of a piece of the width
    """
    # wrong for: f(torch.arange(8.0).view(1, 2, 4), 2) gives [[[[0.0, 1.0], [2.0, 3.0]],
    # [[4.0, 5.0], [6.0, 7.0]]]],
    # right [[[[0.0, 1.0], [4.0, 5.0]], [[2.0, 3.0], [6.0, 7.0]]]]
    B, T, C = x.shape
    return x.reshape(B, H, T, C // H)


def wrong_turned_only_if_it_looks_wrong(x, H):
    """Heads and positions change places only if the shape is not already right; with T = H it is.

    Feedback: a piece of the text instead of a piece of the width
    """
    # wrong for: f(torch.arange(8.0).view(1, 2, 4), 2) gives [[[[0.0, 1.0], [2.0, 3.0]],
    # [[4.0, 5.0], [6.0, 7.0]]]],
    # right [[[[0.0, 1.0], [4.0, 5.0]], [[2.0, 3.0], [6.0, 7.0]]]]
    B, T, C = x.shape
    cut = x.reshape(B, T, H, C // H)
    return cut if cut.shape == (B, H, T, C // H) else cut.transpose(1, 2)


def wrong_every_second_column(x, H):
    """Head h takes every H-th column instead of D neighbouring ones.

    Feedback: a head holds every H-th column
    """
    # wrong for: f(torch.arange(4.0).view(1, 1, 4), 2) gives [[[[0.0, 2.0]], [[1.0, 3.0]]]],
    # right [[[[0.0, 1.0]],
    # [[2.0, 3.0]]]]
    B, T, C = x.shape
    return x.reshape(B, T, C // H, H).permute(0, 3, 1, 2)


def wrong_pieces_of_width_H(x, H):
    """The width is cut into pieces H wide, so there are D heads of H columns.

    Feedback: it returned a tensor of shape [2, 3, 5, 4] where [2, 4, 5, 3] is asked for
    """
    # wrong for: f(torch.arange(6.0).view(1, 1, 6), 2) gives [[[[0.0, 1.0]], [[2.0, 3.0]],
    # [[4.0, 5.0]]]], right
    # [[[[0.0, 1.0, 2.0]], [[3.0, 4.0, 5.0]]]]
    return torch.stack(x.split(H, dim=-1), dim=1)


def wrong_first_row_for_all(x, H):
    """Only the first row of the batch is cut, and repeated for the others.

    Feedback: every row of the batch gets the first one's heads
    """
    # wrong for: f(torch.arange(4.0).view(2, 1, 2), 2) gives [[[[0.0]], [[1.0]]], [[[0.0]],
    # [[1.0]]]], right
    # [[[[0.0]], [[1.0]]], [[[2.0]], [[3.0]]]]
    B, T, C = x.shape
    heads = x[0].reshape(T, H, C // H).transpose(0, 1)
    return heads.expand(B, H, T, C // H).clone()


def wrong_copied_in_single_precision(x, H):
    """The numbers are copied into a float32 tensor, which rounds those of a float64 one.

    Feedback: numbers are rounded on the way
    """
    # wrong for: f(torch.tensor([[[0.1, 0.2]]], dtype=torch.float64), 2)[0, 1, 0, 0].item() gives
    # 0.20000000298023224, right 0.2
    B, T, C = x.shape
    D = C // H
    heads = torch.zeros(B, H, T, D)
    for h in range(H):
        heads[:, h] = x[:, :, h * D : (h + 1) * D]
    return heads


def right_chunks_stacked(x, H):
    """Cut the width into H chunks and stack them as a new axis."""
    return torch.stack(x.chunk(H, dim=2), dim=1)


def right_unflattened(x, H):
    """Give the width two names and move the first of them forward."""
    return torch.movedim(torch.unflatten(x, -1, (H, -1)), -2, 1)


# STATEMENT: the dtype of x is open (float64 or ids would do); whether the result may be a view is
# open.
# A width that H does not divide is not spoken of.
