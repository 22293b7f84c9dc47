def wrong_rows(weight, H, h):
    """the head's rows are zeroed, but torch stores the matrix as [out, in]: a head owns columns

    Feedback: rows are set to 0: the heads arrive as input, and [out, in] has inputs as columns
    """
    # wrong for: H = 2, h = 0: rows 0 and 1 of 4 are 0, right columns
    D = len(weight) // H
    new = weight.clone()
    new[h * D : (h + 1) * D] = 0
    return new


def wrong_slice_is_no_copy(weight, H, h):
    """weight[:] is taken for a copy, as with lists; the given matrix is changed

    Feedback: it changed what it was given: work on a copy
    """
    # wrong for: any: the given matrix has zeros afterwards
    D = weight.shape[1] // H
    new = weight[:]
    new[:, h * D : (h + 1) * D] = 0
    return new


def right_seen_in_heads(weight, H, h):
    """a clone, seen as [C, H, D], in which one head's part is zeroed"""
    new = weight.detach().clone()
    new.unflatten(1, (H, -1)).select(1, h).zero_()
    return new


# STATEMENT: infinite or NaN weights of the silenced head: 0 too, one would think.
