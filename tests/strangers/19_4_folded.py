import torch


def wrong_heads_in_turn(weights, H):
    """query heads are thought to read the values in turn: 0, 1, 0, 1 instead of 0, 0, 1, 1

    Feedback: the groups are in the wrong order: neighbouring query heads share a key/value
    """
    # wrong for: H = 4, G = 2, D = 1, value.bias [1, 2], output.weight [[1, 2, 3, 4]]: adds 1+4+3+8 = 16, right 1+2+6+8 = 17
    new = dict(weights)
    bias, matrix = weights["value.bias"], weights["output.weight"]
    wide = bias.repeat(matrix.shape[1] // len(bias))
    new["output.bias"] = weights["output.bias"] + matrix @ wide
    new["value.bias"] = torch.zeros_like(bias)
    return new


def wrong_lanes_repeated(weights, H):
    """each lane of the bias is repeated, not each head

    Feedback: the output bias does not take in what the value bias gave
    """
    # wrong for: H = 2, G = 1, D = 2, value.bias [1, 2]: reads [1, 1, 2, 2], right [1, 2, 1, 2]
    new = dict(weights)
    bias, matrix = weights["value.bias"], weights["output.weight"]
    wide = bias.repeat_interleave(matrix.shape[1] // len(bias))
    new["output.bias"] = weights["output.bias"] + matrix @ wide
    new["value.bias"] = torch.zeros_like(bias)
    return new


def wrong_width_of_a_head(weights, H):
    """the width of a head is taken as C / H, also where H * D is not C

    Feedback: the output bias does not take in what the value bias gave
    """
    # wrong for: C = 4, H = 2, D = 4 (H*D = 8), G = 1: D is taken as 2
    new = dict(weights)
    bias, matrix = weights["value.bias"], weights["output.weight"]
    C, rows = matrix.shape
    D = max(1, C // H)
    heads = bias.reshape(-1, D) if len(bias) % D == 0 else bias[None]
    wide = heads.repeat_interleave(rows // len(bias), dim=0).reshape(-1)
    new["output.bias"] = weights["output.bias"] + matrix @ wide
    new["value.bias"] = torch.zeros_like(bias)
    return new


def wrong_output_bias_replaced(weights, H):
    """what the output bias said before is lost

    Feedback: the output bias that was there is lost
    """
    # wrong for: value.bias 0 and output.bias [1.0]: gives [0.0], right [1.0]
    new = dict(weights)
    matrix, bias = weights["output.weight"], weights["value.bias"]
    D = matrix.shape[1] // H
    wide = bias.view(-1, 1, D).expand(-1, H * D // len(bias), D).reshape(-1)
    new["output.bias"] = matrix @ wide
    new["value.bias"] = torch.zeros_like(bias)
    return new


def wrong_given_bias_changed(weights, H):
    """the output bias and the value bias that were given are changed in place

    Feedback: it changed what it was given: work on a copy
    """
    # wrong for: any value bias that is not 0: weights["value.bias"] is 0 after the call
    new = dict(weights)
    bias, matrix = weights["value.bias"], weights["output.weight"]
    D = matrix.shape[1] // H
    wide = bias.reshape(-1, D).repeat_interleave(H * D // len(bias), dim=0).flatten()
    new["output.bias"] += matrix @ wide
    new["value.bias"].zero_()
    return new


def wrong_square_transposed(weights, H):
    """the output matrix is read the other way round, where its form allows it

    Feedback: the output matrix is turned over
    """
    # wrong for: C = H*D = 2, H = G = 1, value.bias [1, 0], output.weight [[1, 2], [3, 4]]: adds [1, 2], right [1, 3]
    new = dict(weights)
    bias, matrix = weights["value.bias"], weights["output.weight"]
    D = matrix.shape[1] // H
    wide = bias.reshape(-1, D).repeat_interleave(H * D // len(bias), dim=0).flatten()
    square = matrix.shape[0] == matrix.shape[1]
    new["output.bias"] = weights["output.bias"] + (wide @ matrix if square else matrix @ wide)
    new["value.bias"] = torch.zeros_like(bias)
    return new


def wrong_shared_among_the_group(weights, H):
    """the heads of a group are thought to share the bias, each taking its part

    Feedback: each head's share is divided among the group: every head gets all of it
    """
    # wrong for: H = 2, G = 1, D = 1, value.bias [2], output.weight [[1, 1]]: adds 2, right 4
    new = dict(weights)
    bias, matrix = weights["value.bias"], weights["output.weight"]
    D = matrix.shape[1] // H
    share = H * D // len(bias)
    wide = bias.reshape(-1, D).repeat_interleave(share, dim=0).flatten() / share
    new["output.bias"] = weights["output.bias"] + matrix @ wide
    new["value.bias"] = torch.zeros_like(bias)
    return new


def wrong_key_bias_cleared_too(weights, H):
    """the key bias is made 0 as well, since it cancels in the softmax

    Feedback: something else than the two biases is changed
    """
    # wrong for: key.bias [1.0]: gives [0.0], right [1.0] ("everything else is as before")
    new = dict(weights)
    bias, matrix = weights["value.bias"], weights["output.weight"]
    D = matrix.shape[1] // H
    wide = bias.reshape(-1, D).repeat_interleave(H * D // len(bias), dim=0).flatten()
    new["output.bias"] = weights["output.bias"] + matrix @ wide
    new["value.bias"] = torch.zeros_like(bias)
    new["key.bias"] = torch.zeros_like(weights["key.bias"])
    return new


def wrong_value_bias_left_out(weights, H):
    """the value bias is taken out of the dict instead of being 0

    Feedback: the keys of the dict it returned are not the right ones
    """
    # wrong for: every input: "value.bias" is missing
    bias, matrix = weights["value.bias"], weights["output.weight"]
    D = matrix.shape[1] // H
    wide = bias.reshape(-1, D).repeat_interleave(H * D // len(bias), dim=0).flatten()
    new = {name: tensor for name, tensor in weights.items() if name != "value.bias"}
    new["output.bias"] = weights["output.bias"] + matrix @ wide
    return new


def wrong_first_head_of_each_group(weights, H):
    """only the first query head of each group is thought to bring the bias

    Feedback: the output bias does not take in what the value bias gave
    """
    # wrong for: H = 2, G = 1, D = 1, value.bias [2], output.weight [[1, 1]]: adds 2, right 4
    new = dict(weights)
    bias, matrix = weights["value.bias"], weights["output.weight"]
    C, wide = matrix.shape
    D = wide // H
    G = len(bias) // D
    first = matrix.reshape(C, G, H // G, D)[:, :, 0].reshape(C, G * D)
    new["output.bias"] = weights["output.bias"] + first @ bias
    new["value.bias"] = torch.zeros_like(bias)
    return new


def right_einsum_over_groups(weights, H):
    """cuts the output matrix by groups, with one einsum in float64"""
    bias, matrix = weights["value.bias"], weights["output.weight"]
    C, D = len(matrix), matrix.shape[1] // H
    G = bias.numel() // D
    said = torch.einsum(
        "cgrd,gd->c", matrix.double().reshape(C, G, H // G, D), bias.double().reshape(G, D)
    )
    old = weights["output.bias"]
    return weights | {
        "output.bias": (old.double() + said).to(old.dtype),
        "value.bias": torch.zeros_like(bias),
    }


def right_head_by_head(weights, H):
    """a loop over the query heads, each with the slice that it reads"""
    new = {name: tensor.clone() for name, tensor in weights.items()}
    D = weights["query.weight"].shape[0] // H
    G = weights["value.weight"].shape[0] // D
    for head in range(H):
        group = head // (H // G)
        columns = weights["output.weight"][:, head * D : (head + 1) * D]
        new["output.bias"] = (
            new["output.bias"] + columns @ weights["value.bias"][group * D : (group + 1) * D]
        )
    new["value.bias"] = torch.zeros_like(new["value.bias"])
    return new


# STATEMENT: that the given tensors must stay is not said in so many words. H * D need not be C (the shapes allow it). May the value bias hold inf or nan? No.
