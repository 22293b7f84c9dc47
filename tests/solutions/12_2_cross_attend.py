def cross_attend(x, source, Wq, Wk, Wv):
    """Return what each row of x finds in the source: [Tq, C], [Tk, C] -> [Tq, Dv].

    Wq and Wk are [C, D], Wv is [C, Dv].
    """
    query = x @ Wq  # [Tq, D]
    key = source @ Wk  # [Tk, D]
    value = source @ Wv  # [Tk, Dv]
    scores = query @ key.T / query.shape[-1] ** 0.5  # [Tq, Tk]
    return scores.softmax(dim=-1) @ value
