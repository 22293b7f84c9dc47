import torch


def wrong_mean_of_means(sums, counts, gradients):
    """the means of the parts are averaged, parts without targets left out

    Feedback: it is a mean of means: parts of few targets count too much
    """
    # wrong for: f([2., 3.], [1, 3], [[2.], [3.]]) gives loss 1.5, right 1.25 (right for equal counts)
    full = [(s / n, g / n) for s, n, g in zip(sums, counts, gradients, strict=True) if n]
    if not full:
        return {"loss": 0.0, "gradient": torch.zeros_like(gradients[0])}
    return {
        "loss": sum(s for s, _ in full) / len(full),
        "gradient": torch.stack([g for _, g in full]).mean(0),
    }


def wrong_gradient_by_parts(sums, counts, gradients):
    """the loss is divided by the targets, the gradient by the number of parts

    Feedback: the gradient is not that of the mean over all targets
    """
    # wrong for: f([2., 2.], [2, 2], [[2.], [2.]]) gives gradient [2], right [1] (right for one target a part)
    total = sum(counts)
    if total == 0:
        return {"loss": 0.0, "gradient": torch.zeros_like(gradients[0])}
    return {"loss": sum(sums) / total, "gradient": sum(gradients) / len(gradients)}


def wrong_first_count_for_all(sums, counts, gradients):
    """all parts are thought to be as large as the first; the last, smaller one is forgotten

    Feedback: the loss is not the mean over all targets
    """
    # wrong for: f([2., 1.], [2, 1], [[2.], [1.]]) gives loss 0.75, right 1.0 (right for equal counts)
    total = counts[0] * len(counts)
    if not total:
        total = sum(counts) or 1
    return {"loss": sum(sums) / total, "gradient": torch.stack(list(gradients)).sum(0) / total}


def wrong_loss_of_zero_left_out(sums, counts, gradients):
    """a part whose sum is 0 is taken for a part without targets, and its targets are not counted

    Feedback: a part whose sum is 0 is taken for one without targets
    """
    # wrong for: f([0., 4.], [2, 2], [[0.], [4.]]) gives loss 2, right 1
    total, loss, gradient = 0, 0.0, torch.zeros_like(gradients[0])
    for s, n, g in zip(sums, counts, gradients, strict=True):
        if not s:
            continue
        total, loss, gradient = total + n, loss + s, gradient + g
    return {"loss": loss / max(total, 1), "gradient": gradient / max(total, 1)}


def wrong_stops_at_an_empty_part(sums, counts, gradients):
    """a part without targets ends the batch; what comes behind it is lost

    Feedback: the loss is not the mean over all targets
    """
    # wrong for: f([2., 0., 4.], [1, 0, 1], [[2.], [0.], [4.]]) gives loss 2, right 3
    total, loss, gradient = 0, 0.0, torch.zeros_like(gradients[0])
    for s, n, g in zip(sums, counts, gradients, strict=True):
        if n == 0:
            break
        total, loss, gradient = total + n, loss + s, gradient + g
    return {"loss": loss / max(total, 1), "gradient": gradient / max(total, 1)}


def wrong_single_precision(sums, counts, gradients):
    """the gradients are gathered in a float32 tensor, which loses half of the digits

    Feedback: the gradient is not that of the mean over all targets
    """
    # wrong for: f([1., 1.], [1, 1], [[1e8], [1.]]) gives gradient [5e7], right [50000000.5]
    gradient = torch.zeros(gradients[0].shape, dtype=torch.float32)
    for part in gradients:
        gradient += part
    total = max(sum(counts), 1)
    return {"loss": sum(sums) / total, "gradient": gradient.double() / total}


def right_weighted_means(sums, counts, gradients):
    """means of the parts, weighted by their share of the targets"""
    whole = sum(counts)
    loss, gradient = 0.0, torch.zeros_like(gradients[0])
    for s, n, g in zip(sums, counts, gradients, strict=True):
        if n > 0:
            loss += (s / n) * (n / whole)
            gradient = gradient + (g / n) * (n / whole)
    return {"gradient": gradient, "loss": loss}


def right_one_table(sums, counts, gradients):
    """loss and gradient as the columns of one table in float64, summed at once"""
    losses = torch.tensor([float(s) for s in sums], dtype=torch.float64)
    table = torch.cat([losses[:, None], torch.stack(tuple(gradients))], dim=1)
    mean = table.sum(dim=0).div(max(sum(counts), 1))
    return {"loss": mean[0].item(), "gradient": mean[1:].clone()}


# STATEMENT: no part at all (empty lists) is not excluded, and the gradient's length is unknown then. "loss and gradient are 0": the gradient as N zeros
# or as the number 0? That the given gradients stay as they are is not demanded here (it is in 24a.1 and 24a.3). "must not change anything" can hold
# only up to rounding. The type of "loss" is free.
