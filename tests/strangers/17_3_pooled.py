import torch


def wrong_heads_that_stand_apart(weight, H, G):
    """Heads g, g + G, g + 2G ... are averaged, and not neighbours.

    Feedback: heads that stand far apart are averaged
    """
    # wrong for: f(torch.tensor([1.0, 2.0, 3.0, 4.0]), 4, 2) gives [2.0, 3.0], right [1.5, 3.5]
    return weight.unflatten(0, (H // G, G, -1)).mean(dim=0).flatten(0, 1)


def wrong_bias_by_numbers(weight, H, G):
    """A bias is averaged over neighbouring numbers, and not lane by lane over heads.

    Feedback: neighbouring rows are averaged
    """
    # wrong for: f(torch.tensor([1.0, 2.0, 3.0, 4.0]), 2, 1) gives [1.5, 3.5], right [2.0, 3.0]
    if weight.dim() == 1:
        return weight.view(-1, H // G).mean(dim=1)
    return weight.unflatten(0, (G, H // G, -1)).mean(dim=1).flatten(0, 1)


def wrong_new_tensor_in_float32(weight, H, G):
    """The averages are written into a new tensor of torch's usual type.

    Feedback: it comes back in another dtype
    """
    # wrong for: f(torch.tensor([0.1, 0.2], dtype=torch.float64), 2, 2) gives [0.100000001,
    # 0.200000003], right [0.1,
    # 0.2] (float64)
    D = len(weight) // H
    new = torch.zeros(G * D, *weight.shape[1:])
    for g in range(G):
        new[g * D : (g + 1) * D] = sum(weight.split(D)[g * H // G : (g + 1) * H // G]) / (H // G)
    return new


def wrong_width_from_the_columns(weight, H, G):
    """The head's width is C / H, which holds for square matrices only.

    Feedback: the width of a head is taken from the columns
    """
    # wrong for: f(torch.arange(4.0)[:, None].repeat(1, 8), 2, 1) gives [0.0, 0.0, 0.0, 0.0, ...]
    # of shape [4, 8],
    # right [1.0, 1.0, 1.0, 1.0, ...] of shape [2, 8]
    D = max(weight.shape[-1] // H, 1)
    heads = weight.reshape(-1, D, *weight.shape[1:])
    share = max(len(heads) // G, 1)
    return torch.cat([part.mean(dim=0) for part in heads.split(share)])


def wrong_running_halves(weight, H, G):
    """Each further head is averaged with the average so far, so with three or more the last ones
    count most.

    Feedback: the last heads of a group count most
    """
    # wrong for: f(torch.tensor([1.0, 2.0, 6.0]), 3, 1) gives [3.75], right [3.0]
    heads = weight.unflatten(0, (G, H // G, -1))
    mean = heads[:, 0]
    for r in range(1, H // G):
        mean = (mean + heads[:, r]) / 2
    return mean.flatten(0, 1)


def right_added_up_in_its_own_type(weight, H, G):
    """The heads are added up in their own type and divided afterwards, which is too much for a
    large float16. Right: float16 is not asked for.
    """
    # wrong for: f(torch.tensor([60000.0, 40000.0]).half(), 2, 1) gives [inf] (float16), right
    # [49984.0] (float16)
    heads = weight.unflatten(0, (G, H // G, -1))
    total = heads[:, 0].clone()
    for r in range(1, H // G):
        total += heads[:, r]
    return (total / (H // G)).flatten(0, 1)


def right_matrix_that_averages(weight, H, G):
    """Multiply, in float64, by a matrix that averages rows."""
    D = weight.shape[0] // H
    groups = torch.arange(H) // (H // G) == torch.arange(G)[:, None]  # [G, H]
    matrix = torch.kron(groups.double() / (H // G), torch.eye(D, dtype=torch.float64))
    return (matrix @ weight.double()).to(weight.dtype)


def right_recursion_over_groups(weight, H, G):
    """Take the first group's heads off, average them, and do the same with the rest."""
    share, D = H // G, len(weight) // H

    def rest(rows):
        if not len(rows):
            return []
        heads = torch.stack(rows[: share * D].double().split(D))
        return [heads.sum(dim=0).div(share).to(rows.dtype), *rest(rows[share * D :])]

    return torch.cat(rest(weight))


# STATEMENT: other types than float32 (the file's may be 16 bits), in which the average is counted,
# whether the result
# may share memory with the weight when G = H, and whether a Parameter may come in are open.
