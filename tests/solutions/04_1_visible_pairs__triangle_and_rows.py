def visible_pairs(length, width):
    """A small triangle of full growth, then rows of equal length."""
    if width > length:
        width = length
    triangle = width * (width + 1) // 2
    return triangle + width * (length - width)
