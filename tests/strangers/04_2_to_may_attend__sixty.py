def wrong_visible_is_the_largest(mask, convention):
    """Takes the largest entry of an additive mask for the visible one: if all is hidden, all
    becomes visible.

    Feedback: the additive mask comes out upside down: 0 says yes, -inf no
    """
    # wrong for: f(torch.full((2, 2), -inf), "additive") gives all True, right all False
    if convention == "may":
        return mask.clone()
    if convention == "hidden":
        return ~mask
    if convention == "additive":
        return mask == mask.max()
    raise ValueError(f"unknown convention {convention!r}")


def wrong_any_spelling(mask, convention):
    """Is kind to capitals and blanks: "May" and " hidden" are other texts and must raise
    ValueError.

    Feedback: an unknown convention is taken without a word
    """
    # wrong for: f(torch.tensor([True]), "Hidden") gives [False], right ValueError
    match convention.strip().lower():
        case "may":
            return mask.clone()
        case "hidden":
            return mask.logical_not()
        case "additive":
            return mask == 0
    raise ValueError("the convention must be may, hidden or additive")
