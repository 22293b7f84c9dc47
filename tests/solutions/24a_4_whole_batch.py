def whole_batch(sums, counts, gradients):
    """Return {"loss", "gradient"} of the whole batch, as means over all targets."""
    total = max(1, sum(counts))  # sums and gradients are 0 where there is no target
    return {"loss": sum(sums) / total, "gradient": sum(gradients) / total}
