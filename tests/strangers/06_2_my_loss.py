import math

import torch


def _counted(token_mask):
    return token_mask[:, :-1] & token_mask[:, 1:]


def wrong_log_of_a_softmax(logits, tokens, token_mask):
    """Softmax and then the logarithm: a probability that has rounded to 0 costs infinity.

    Feedback: a probability that rounds to 0 costs infinity: do not take the logarithm of a
    """
    # wrong for: logits [[[0, -200], [0, 0]]], tokens [[0, 1]]: inf, right 200
    counted = _counted(token_mask)
    law = logits[:, :-1][counted].softmax(dim=-1)
    costs = -law.gather(-1, tokens[:, 1:][counted][:, None]).log()
    return costs.mean() if costs.numel() else 0.0


def wrong_only_the_answer_is_real(logits, tokens, token_mask):
    """A position counts as soon as its right neighbour is real, also padding on the left of the
    first real token.

    Feedback: padding is asked for the first real token
    """
    # wrong for: mask [[False, True, True]]: two targets count, right one
    counted = token_mask[:, 1:]
    costs = -logits[:, :-1][counted].log_softmax(dim=-1)
    own = costs.gather(-1, tokens[:, 1:][counted][:, None])
    return own.mean() if own.numel() else 0.0


def wrong_mean_of_rows(logits, tokens, token_mask):
    """Each row is averaged first, then the rows that have targets.

    Feedback: it is a mean of the rows' means: short rows weigh too much
    """
    # wrong for: rows with 2 targets of 1 nat and 6 of 0 nats: 0.5, right 0.25
    means = []
    for z, row, mask in zip(logits, tokens, token_mask, strict=True):
        counted = mask[:-1] & mask[1:]
        if counted.any():
            costs = -z[:-1][counted].log_softmax(dim=-1)
            means.append(costs.gather(-1, row[1:][counted][:, None]).mean())
    return torch.stack(means).mean() if means else torch.tensor(0.0)


def wrong_pad_id_as_well(logits, tokens, token_mask):
    """Besides the mask, every target with id 0 is skipped, as if 0 were the pad id and nothing
    else.

    Feedback: it gives another loss where nothing is padded
    """
    # wrong for: tokens [[1, 0, 2]], all real: one target counts, right two
    counted = _counted(token_mask) & (tokens[:, 1:] != 0)
    costs = -logits[:, :-1][counted].log_softmax(dim=-1)
    own = costs.gather(-1, tokens[:, 1:][counted][:, None])
    return own.mean() if own.numel() else 0.0


def wrong_nothing_counts_is_nan(logits, tokens, token_mask):
    """The mean of no targets is NaN.

    Feedback: a mean of nothing is 0 divided by 0
    """
    # wrong for: tokens [[1]], or a mask that is False everywhere: nan, right 0
    counted = _counted(token_mask)
    costs = -logits[:, :-1][counted].log_softmax(dim=-1)
    return costs.gather(-1, tokens[:, 1:][counted][:, None]).mean()


def wrong_multiplied_by_the_mask(logits, tokens, token_mask):
    """Costs at padding are multiplied by 0, which does not remove NaN or infinity; an id outside
    the vocabulary fails.

    Feedback: NaN or infinity at padding gets through: 0 times NaN is NaN, so leave it out
    """
    # wrong for: NaN or inf in the logits at padding: nan, right the mean of the others; -100 as an id at padding: RuntimeError
    counted = _counted(token_mask)
    costs = -logits[:, :-1].log_softmax(dim=-1).gather(-1, tokens[:, 1:, None])[..., 0]
    return (costs * counted).sum() / counted.sum().clamp(min=1)


def right_python_numbers(logits, tokens, token_mask):
    """Without torch: lists, the largest logit taken away, and exact sums."""
    costs = []
    for rows, ids, real in zip(logits.tolist(), tokens.tolist(), token_mask.tolist(), strict=True):
        for t in range(len(ids) - 1):
            if real[t] and real[t + 1]:
                top = max(rows[t])
                total = math.fsum(math.exp(z - top) for z in rows[t])
                costs.append(top + math.log(total) - rows[t][ids[t + 1]])
    return math.fsum(costs) / len(costs) if costs else 0.0


def right_selected_in_double(logits, tokens, token_mask):
    """Only the places that count are looked at: selected by index, float64, logsumexp less the own logit."""
    row, place = torch.nonzero(token_mask[:, :-1].logical_and(token_mask[:, 1:]), as_tuple=True)
    chosen = logits[row, place].double()
    own = chosen[torch.arange(len(row)), tokens[row, place + 1]]
    return (torch.logsumexp(chosen, dim=1) - own).sum() / max(len(row), 1)


# STATEMENT: "whatever stands at padding": also NaN logits there, and ids outside the vocabulary (-100)? Both look allowed. Are minus
# infinity (a masked word) and 16-bit logits allowed? Real tokens on both sides of a hole in the mask are allowed, it seems.
