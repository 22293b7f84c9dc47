import torch


def wrong_across_heads(weight, G):
    """sorts even and odd rows of the whole matrix, not of each head by itself

    Feedback: rows leave their head: the lanes of each head are sorted by themselves
    """
    # wrong for: f(torch.arange(8.)[:, None], 2) gives 0 2 4 6 1 3 5 7, right 0 2 1 3 4 6 5 7
    return torch.cat([weight[0::2], weight[1::2]])


def wrong_the_way_back(weight, G):
    """the other way round: from halves to pairs; the same up to D = 4

    Feedback: it goes the other way: from halves to pairs
    """
    # wrong for: f(torch.arange(8.)[:, None], 1) gives 0 4 1 5 2 6 3 7, right 0 2 4 6 1 3 5 7
    D = weight.shape[0] // G
    return weight.reshape(G, 2, D // 2, -1).transpose(1, 2).reshape(weight.shape)


def wrong_D_from_the_width(weight, G):
    """takes D as C / G; keys of grouped heads are narrower than the model

    Feedback: a row stands where another belongs
    """
    # wrong for: weight [16, 8], G = 2 (D = 8): D = 4 is taken
    D = max(weight.shape[1] // G, 1)
    rows = torch.arange(weight.shape[0])
    order = sorted(rows.tolist(), key=lambda row: (row // D, row % D % 2, row))
    return weight[torch.tensor(order)]


def wrong_overwritten_while_read(weight, G):
    """moves the rows in place and reads rows that are already overwritten

    Feedback: a row stands where another belongs
    """
    # wrong for: f(torch.arange(8.)[:, None], 1): the odd half reads rows that are gone, right 0 2 4 6 1 3 5 7
    out = weight.clone()
    D = out.shape[0] // G
    for g in range(G):
        head = out[g * D : (g + 1) * D]
        head[: D // 2] = head[0::2].clone()
        head[D // 2 :] = head[1::2].clone()
    return out


def wrong_first_head_only(weight, G):
    """only the first head is sorted, the others stay as they are

    Feedback: a row stands where another belongs
    """
    # wrong for: f(torch.arange(8.)[:, None], 2) gives 0 2 1 3 4 5 6 7, right 0 2 1 3 4 6 5 7
    D = weight.shape[0] // G
    head, rest = weight[:D], weight[D:]
    return torch.cat([head[0::2], head[1::2], rest])


def wrong_squeezed(weight, G):
    """squeezes at the end, so a matrix with one column loses that axis

    Feedback: it returned a tensor of shape [8] where [8, 1] is asked for
    """
    # wrong for: f(torch.arange(8.)[:, None], 2): shape [8], right [8, 1]
    heads = weight.reshape(G, -1, 2, weight.shape[1]).transpose(1, 2)
    return heads.reshape(weight.shape).squeeze()


def right_place_of_each_row(weight, G):
    """says for each row where it goes, and puts it there"""
    out = torch.empty_like(weight)
    D = weight.shape[0] // G
    for row in range(weight.shape[0]):
        g, lane = divmod(row, D)
        out[g * D + (lane % 2) * (D // 2) + lane // 2] = weight[row]
    return out


def right_permutation_matrix(weight, G):
    """multiplies each head with a matrix of zeros and ones"""
    D = len(weight) // G
    order = [*range(0, D, 2), *range(1, D, 2)]
    turn = torch.eye(D, dtype=weight.dtype)[order]
    return torch.cat([turn @ head for head in weight.split(D)])


# STATEMENT: whether the given matrix may be changed is not said. D is even (not said, follows from pairs).
