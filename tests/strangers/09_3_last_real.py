import torch


def wrong_count_as_place(logits, token_mask):
    """The number of real tokens is taken as the place of the last, as if all padding were on the
    right.

    Feedback: the number of real tokens is taken for a place, which fails with left padding
    """
    # wrong for: mask [[0, 0, 1, 1]]: gives column 1, right column 3
    last = token_mask.sum(dim=1) - 1
    return logits[torch.arange(len(logits)), last]


def wrong_left_or_right_only(logits, token_mask):
    """Each row is padded on the left (its last column is real) or else on the right; never on both
    sides.

    Feedback: a row does not get the logits at its last real token
    """
    # wrong for: mask [[0, 1, 1, 0]]: gives column 1, right column 2
    T = token_mask.shape[1]
    last = torch.where(token_mask[:, -1], T - 1, token_mask.sum(dim=1) - 1)
    return logits[torch.arange(len(logits)), last]


def wrong_times_zero(logits, token_mask):
    """The last real token is cut out by multiplying with 0 and 1 and adding up; 0 times NaN is
    NaN.

    Feedback: what stands at padding comes through: pick by index, 0 times NaN is NaN
    """
    # wrong for: mask [[1, 0]], logits [[[1., 2.], [nan, nan]]]: gives [[nan, nan]], right [[1., 2.]]
    after = token_mask.flip(1).cumsum(dim=1).flip(1)
    last = (token_mask & (after == 1)).to(logits.dtype)
    return (logits * last[:, :, None]).sum(dim=1)


def wrong_batch_of_one_squeezed(logits, token_mask):
    """Axes of size one are squeezed away, so one row or one word loses an axis.

    Feedback: it returned a tensor of shape [3] where [1, 3] is asked for
    """
    # wrong for: logits [1, 3, 5]: gives shape [5], right [1, 5]
    places = torch.arange(token_mask.shape[1])
    last = (places * token_mask).argmax(dim=1)
    return logits.gather(1, last[:, None, None].expand(-1, 1, logits.shape[2])).squeeze()


def wrong_side_of_the_first_row(logits, token_mask):
    """The first row says on which side the whole batch is padded.

    Feedback: the last column is read, and in a short row it is padding
    """
    # wrong for: mask [[0, 1, 1], [1, 1, 0]]: row 1 gives column 2, right column 1
    if token_mask[0, -1]:
        return logits[:, -1]
    first = token_mask.int().argmax(dim=1)
    return logits[torch.arange(len(logits)), first + token_mask.sum(dim=1) - 1]


def wrong_cleaned_of_nan_and_inf(logits, token_mask):
    """NaN is cleaned away everywhere before the sum, and with it minus infinity at the real token.

    Feedback: minus infinity at the last real token does not come through: it is a removed
    """
    # wrong for: mask [[1]], logits [[[0., -inf]]]: gives [[0., -3.4e38]], right [[0., -inf]]
    after = token_mask.flip(1).cumsum(dim=1).flip(1)
    last = (token_mask & (after == 1)).to(logits.dtype)
    return (logits.nan_to_num() * last[:, :, None]).sum(dim=1)


def right_where_the_row_ends(logits, token_mask):
    """One boolean index: real, and what comes next is not."""
    follows = torch.nn.functional.pad(token_mask[:, 1:], (0, 1), value=False)
    return logits[token_mask & ~follows]


def right_stack_of_last_rows(logits, token_mask):
    """Row by row: throw the padding out and take what is then the last."""
    return torch.stack([row[real][-1] for row, real in zip(logits, token_mask, strict=True)])


# STATEMENT: whether an empty batch (B = 0) is allowed, and whether infinite logits may stand at a real token,
# is not said. "Must not matter, not even NaN": for the gradient too? (Multiplying by 0 spoils that as well.)
