def cross_shapes(B, Tq, Tk, C, H):
    """Return {"query", "key", "weights", "output"}: the shape of each as a list.

    B texts of Tq rows look at sources of Tk rows; C columns, H heads.
    """
    D = C // H  # the heads share the width
    return {
        "query": [B, H, Tq, D],
        "key": [B, H, Tk, D],
        "weights": [B, H, Tq, Tk],  # the only one with both lengths
        "output": [B, Tq, C],  # heads side by side again
    }
