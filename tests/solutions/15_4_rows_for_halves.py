def rows_for_halves(weight, H):
    """Return a query or key weight [H * D, C], made for layout "pairs", for layout "halves"."""
    D = len(weight) // H
    rows = weight.view(H, D // 2, 2, -1)  # head, pair, which of the two, C
    return rows.transpose(1, 2).reshape(weight.shape)
