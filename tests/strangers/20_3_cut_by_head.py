import torch


def wrong_three_thirds(fused, H):
    """cuts the whole matrix in three thirds

    Feedback: it cuts into three thirds: here each head's three come together
    """
    # wrong for: f(torch.arange(12.)[:, None], 2), query gives rows 0-3, right 0, 1, 6, 7
    return list(fused.chunk(3))


def wrong_every_third_row(fused, H):
    """takes every third row, as if the three were mixed lane by lane

    Feedback: every third row is taken: D rows of a head's query come together
    """
    # wrong for: f(torch.arange(12.)[:, None], 2), query gives 0, 3, 6, 9, right 0, 1, 6, 7
    return [fused[i::3] for i in range(3)]


def wrong_D_from_the_width(fused, H):
    """takes D as C / H, which need not be so

    Feedback: a row stands where another head or another kind belongs
    """
    # wrong for: f(torch.arange(24.).reshape(12, 2), 2): C=2 so D=1 is taken, right D=2
    if fused.ndim == 1:
        D = fused.shape[0] // (3 * H)
    else:
        D = max(fused.shape[1] // H, 1)
    rows = torch.arange(fused.shape[0])
    return [fused[rows // D % 3 == i] for i in range(3)]


def wrong_bias_in_thirds(fused, H):
    """cuts a matrix by head, but a bias in three thirds

    Feedback: it cuts into three thirds: here each head's three come together
    """
    # wrong for: f(torch.arange(12.), 2), query gives [0, 1, 2, 3], right [0, 1, 6, 7]
    if fused.ndim == 1:
        return list(fused.chunk(3))
    cut = fused.reshape(H, 3, -1, fused.shape[1])
    return [cut[:, i].reshape(-1, fused.shape[1]) for i in range(3)]


def wrong_bias_as_column(fused, H):
    """returns a bias as a matrix with one column

    Feedback: it returned a tensor of shape [6, 1] where [6] is asked for
    """
    # wrong for: f(torch.arange(12.), 2): shapes [4, 1], right [4]
    flat = fused.reshape(fused.shape[0], -1)
    cut = flat.reshape(H, 3, -1, flat.shape[1])
    return [cut[:, i].reshape(-1, flat.shape[1]) for i in range(3)]


def wrong_squeezed(fused, H):
    """squeezes the results, so axes of size 1 are lost

    Feedback: it returned a tensor of shape [4] where [4, 1] is asked for
    """
    # wrong for: f(torch.arange(12.)[:, None], 2): shapes [4], right [4, 1]; and f(torch.arange(3.), 1): shapes [], right [1]
    matrix = fused if fused.ndim == 2 else fused[:, None]
    cut = matrix.reshape(H, 3, -1, matrix.shape[1]).transpose(0, 1)
    return [part.reshape(-1, matrix.shape[1]).squeeze() for part in cut]


def right_row_numbers(fused, H):
    """says for each row whose it is, by its number"""
    D = len(fused) // (3 * H)
    rows = [[], [], []]
    for row in range(len(fused)):
        rows[row // D % 3].append(row)
    return [fused[torch.tensor(own)] for own in rows]


def right_pieces(fused, H):
    """splits into 3 H pieces and joins every third of them"""
    pieces = fused.tensor_split(3 * H)
    return [torch.cat(pieces[i::3], dim=0) for i in range(3)]


# STATEMENT: list only or tuple too? The statement says "a list of three".
