def to_may_attend(mask, convention):
    """Return a boolean mask of the same shape, True = may attend.

    convention: "may" (boolean, True = may attend), "hidden" (boolean, True = must not) or
    "additive" (0 or -inf). Raises ValueError for any other text.
    """
    if convention == "may":
        return mask
    if convention == "hidden":
        return ~mask
    if convention == "additive":
        return mask == 0
    raise ValueError(f"convention is {convention!r}; give 'may', 'hidden' or 'additive'")
