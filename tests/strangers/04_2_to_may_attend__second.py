import torch


def wrong_turned_in_place(mask, convention):
    """the hidden mask is turned around in place, so the input changes

    Feedback: it changed what it was given: work on a copy
    """
    # wrong for: convention "hidden": the given mask is changed
    if convention == "may":
        return mask.clone()
    if convention == "hidden":
        return mask.logical_not_()
    if convention == "additive":
        return mask == 0
    raise ValueError(f"unknown convention {convention!r}")


def wrong_key_error(mask, convention):
    """an unknown convention raises KeyError from the dict, not ValueError

    Feedback: an unknown convention raises something else than ValueError
    """
    # wrong for: to_may_attend(mask, "nonsense") raises KeyError, right ValueError
    rules = {
        "may": lambda: mask,
        "hidden": lambda: ~mask,
        "additive": lambda: mask == 0,
    }
    return rules[convention]()


def right_xor(mask, convention):
    """the place of the convention in a tuple; its index raises the ValueError; 0 and -inf are made
    truth values first
    """
    number = ("may", "hidden", "additive").index(convention)
    marked = mask.to(torch.float32).bool() if number == 2 else mask
    return marked ^ torch.tensor(number > 0)


# STATEMENT: "in any float dtype": also float8? (float8_e5m2 has -inf, but torch cannot
# compare it.) May the result share memory with the input for "may"?
