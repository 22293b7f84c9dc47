def frequency_penalty(logits, counts, each, once):
    """A loop over all words, in float64."""
    lowered = logits.double().clone()
    flat, times = lowered.view(-1), counts.reshape(-1).tolist()
    for place, count in enumerate(times):
        if count:
            flat[place] -= once
            for _ in range(count):
                flat[place] -= each
    return lowered
