def cheapest(models, served):
    """Keep the best so far."""
    best = None
    for place, (N, D) in enumerate(models):
        cost = 2 * N * (3 * D + served)
        if best is None or cost < best[0] or (cost == best[0] and N < best[1]):
            best = (cost, N, place)
    return best[2]
