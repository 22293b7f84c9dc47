import torch


def wrong_rows_instead_of_columns(weight, H, h):
    """The rows of the head are set to 0, as if the matrix stood on the right of the heads.

    Feedback: rows are set to 0
    """
    # wrong for: f(torch.ones(2, 2), 2, 0) gives [[0.0, 0.0], [1.0, 1.0]], right [[0.0, 1.0],
    # [0.0, 1.0]]
    D = len(weight) // H
    quiet = weight.clone()
    quiet[h * D : (h + 1) * D] = 0
    return quiet


def wrong_given_matrix_is_changed(weight, H, h):
    """The zeros are written into the matrix that was given.

    Feedback: work on a copy
    """
    # wrong for: w = torch.ones(2, 2); f(w, 2, 0); w gives [[0.0, 1.0], [0.0, 1.0]], right
    # [[1.0, 1.0], [1.0, 1.0]]
    D = len(weight) // H
    weight[:, h * D : (h + 1) * D] = 0
    return weight


def wrong_every_H_th_column(weight, H, h):
    """The head is taken to own every H-th column, from h on.

    Feedback: every H-th column is set to 0
    """
    # wrong for: f(torch.ones(4, 4), 2, 0) gives [[0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0],
    # [0.0, 1.0, 0.0, 1.0],
    # [0.0, 1.0, 0.0, 1.0]], right [[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0.0, 0.0,
    # 1.0, 1.0], [0.0, 0.0,
    # 1.0, 1.0]]
    quiet = weight.clone()
    quiet[:, h::H] = 0
    return quiet


def wrong_slices_of_width_H(weight, H, h):
    """The slice of a head is taken to be H columns wide.

    Feedback: a head is D = C / H columns wide, not H
    """
    # wrong for: f(torch.ones(6, 6), 2, 1) gives [[1.0, 1.0, 0.0, 0.0, 1.0, 1.0], [1.0, 1.0,
    # 0.0, 0.0, 1.0, 1.0],
    # [1.0, 1.0, 0.0, 0.0, 1.0, 1.0], [1.0, 1.0, 0.0, 0.0, 1.0, 1.0], [1.0, 1.0, 0.0, 0.0,
    # 1.0, 1.0], [1.0, 1.0,
    # 0.0, 0.0, 1.0, 1.0]], right [[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0, 0.0,
    # 0.0], [1.0, 1.0, 1.0,
    # 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0, 0.0, 0.0], [1.0,
    # 1.0, 1.0, 0.0, 0.0,
    # 0.0]]
    quiet = weight.clone()
    quiet[:, h * H : (h + 1) * H] = 0
    return quiet


def wrong_counted_from_the_right(weight, H, h):
    """The columns are counted from the right end, where the last head's slice [-D:0] is empty.

    Feedback: it silences the head after h
    """
    # wrong for: f(torch.ones(4, 4), 2, 1) gives [[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0],
    # [1.0, 1.0, 1.0, 1.0],
    # [1.0, 1.0, 1.0, 1.0]], right [[1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [1.0, 1.0,
    # 0.0, 0.0], [1.0, 1.0,
    # 0.0, 0.0]]
    C = len(weight)
    D = C // H
    quiet = weight.clone()
    quiet[:, h * D - C : (h + 1) * D - C] = 0
    return quiet


def wrong_whispers(weight, H, h):
    """The head's columns are made a million times smaller, not 0.

    Feedback: head h is made quiet, not silent
    """
    # wrong for: f(torch.ones(2, 2), 2, 0) gives [[9.99999997e-07, 1.0], [9.99999997e-07,
    # 1.0]], right [[0.0, 1.0],
    # [0.0, 1.0]]
    D = len(weight) // H
    loud = torch.ones(len(weight), dtype=weight.dtype)
    loud[h * D : (h + 1) * D] = 1e-6
    return weight * loud


def right_three_pieces_joined(weight, H, h):
    """Join what stands left of the head, zeros, and what stands right of it."""
    pieces = list(weight.chunk(H, dim=1))
    pieces[h] = torch.zeros_like(pieces[h])
    return torch.cat(pieces, dim=1)


def right_owner_of_each_column(weight, H, h):
    """Name the owner of each column, and fill the columns of head h."""
    C = weight.size(1)
    owner = torch.arange(C).div(C // H, rounding_mode="floor")
    return torch.where(owner == h, torch.zeros((), dtype=weight.dtype), weight)


# STATEMENT: whether a trained matrix (a Parameter that wants gradients) may come in, and whether
# the
# copy should keep the gradient, is open. H that does not divide C is not spoken of.
