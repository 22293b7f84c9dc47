def pick(law, spot):
    """Walk along the strip, and take each piece away from the spot."""
    last = None
    for index, probability in enumerate(law):
        if not probability:
            continue
        last = index
        if probability > spot:
            break
        spot -= probability
    return last
