import torch


def whole_batch(sums, counts, gradients):
    """The parts' means, each weighted by its share of the targets."""
    loss, gradient = 0.0, torch.zeros_like(gradients[0])
    for part_sum, count, part in zip(sums, counts, gradients, strict=True):
        if count == 0:
            continue
        share = count / sum(counts)
        loss += share * part_sum / count
        gradient += share * part / count
    return {"loss": loss, "gradient": gradient}
