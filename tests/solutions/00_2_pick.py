def pick(law, spot):
    """Return the index of the piece of the strip on which spot falls."""
    end = 0
    for index, probability in enumerate(law):
        end += probability  # where this word's piece ends
        if spot < end:
            return index
    return max(index for index, probability in enumerate(law) if probability > 0)
