"""Wrong answers to 25.7. A docstring holds the words that only this fault's feedback contains."""


def _pick(models, cost):
    return min(range(len(models)), key=lambda i: (cost(*models[i]), models[i][0]))


def training_only(models, served):
    """use costs nothing here"""
    return _pick(models, lambda N, D: 6 * N * D)


def use_like_training(models, served):
    """priced like one in training"""
    return _pick(models, lambda N, D: 6 * N * D + 6 * N * served)


def use_halved(models, served):
    """in use as well"""
    return _pick(models, lambda N, D: 6 * N * D + N * served)


def smallest(models, served):
    """the smallest is not always the cheapest"""
    return _pick(models, lambda N, D: N)


def fewest_tokens(models, served):
    """the fewest tokens are not"""
    return _pick(models, lambda N, D: D)


def larger_of_equals(models, served):
    """it takes the larger"""
    return min(
        range(len(models)),
        key=lambda i: (6 * models[i][0] * models[i][1] + 2 * models[i][0] * served, -models[i][0]),
    )


def first_of_equals(models, served):
    """it takes the first"""
    costs = [6 * N * D + 2 * N * served for N, D in models]
    return costs.index(min(costs))


def dearest(models, served):
    """it takes the dearest"""
    costs = [6 * N * D + 2 * N * served for N, D in models]
    return costs.index(max(costs))
