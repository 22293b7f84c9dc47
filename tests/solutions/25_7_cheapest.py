def cheapest(models, served):
    """Return the place in the list of the model that costs least to train and to use.

    models: list of [N, D], all of which reach the same loss. served: tokens in use.
    """
    return min(
        range(len(models)),
        key=lambda i: (6 * models[i][0] * models[i][1] + 2 * models[i][0] * served, models[i][0]),
    )
