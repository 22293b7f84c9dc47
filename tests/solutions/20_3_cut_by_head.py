def cut_by_head(fused, H):
    """Return [query, key, value] of a matrix that holds them head by head.

    fused: [H * 3 * D, C], or a bias [H * 3 * D]. Its rows: the query of head 0, its key, its value,
    then the same of head 1, and so on. Each result is [H * D, C], or [H * D].
    """
    heads = fused.view(H, 3, -1, *fused.shape[1:])  # [H, 3, D, ...]
    return [heads[:, kind].flatten(0, 1) for kind in range(3)]
