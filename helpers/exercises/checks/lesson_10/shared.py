"""What several checks of lesson 10 need."""


def head_row(query, keys, values, scale=None):
    """Return one context row in float64."""
    query, keys, values = query.double(), keys.double(), values.double()
    scale = len(query) ** -0.5 if scale is None else scale
    return (keys @ query * scale).softmax(0) @ values
