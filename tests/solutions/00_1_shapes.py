def shapes(batch, length):
    """Return the shapes of the seven stations, as a list of seven lists."""
    rows = [batch, length, 32]  # one row of 32 numbers for each token
    return [[batch, length], rows, rows, rows, [batch, 32], [batch, 12], [batch]]
