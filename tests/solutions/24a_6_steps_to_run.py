def steps_to_run(lengths, decay):
    """Return {"cosine", "wsd"}: the steps to compute for results at all these lengths."""
    different = set(lengths)
    stable = max(different) - decay  # the long run stops where its last branch begins
    return {"cosine": sum(different), "wsd": stable + len(different) * decay}
