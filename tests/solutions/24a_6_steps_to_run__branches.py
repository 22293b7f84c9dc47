def steps_to_run(lengths, decay):
    """Walk along the long run from branch to branch."""
    cosine = wsd = reached = 0
    done = []
    for length in sorted(lengths):
        if length in done:
            continue
        done.append(length)
        cosine += length
        wsd += (length - decay - reached) + decay  # on to the branch, and down
        reached = length - decay
    return {"cosine": cosine, "wsd": wsd}
