import torch


def wrong_every_hth_column(x, H):
    """the width is cut as [D, H], so head h gets every H-th column, not D columns side by side

    Feedback: a head holds every H-th column
    """
    # wrong for: H = 2, C = 4: head 0 gets columns 0 and 2, right 0 and 1
    B, T, C = x.shape
    return x.reshape(B, T, C // H, H).permute(0, 3, 1, 2)


def wrong_filled_in_float32(x, H):
    """the result is made by torch.zeros, float32, so float64 numbers are rounded

    Feedback: numbers are rounded on the way: keep the dtype of x
    """
    # wrong for: float64 x with 0.1
    B, T, C = x.shape
    D = C // H
    heads = torch.zeros(B, H, T, D)
    for h in range(H):
        heads[:, h] = x[:, :, h * D : (h + 1) * D]
    return heads


def right_strides(x, H):
    """no number is moved: the same memory is read with other strides"""
    B, T, C = x.shape
    D = C // H
    b, t, c = x.stride()
    return x.as_strided((B, H, T, D), (b, D * c, t, c), x.storage_offset())


# STATEMENT: "any float dtype": float8 too? May the result share memory with x?
