import torch


def wrong_everything_else_is_additive(mask, convention):
    """Whatever is neither "may" nor "hidden" counts as additive, and nothing is refused.

    Feedback: an unknown convention is taken without a word
    """
    # wrong for: f(torch.zeros(1, 2), "addditive") gives [[1, 1]], right ValueError
    if convention == "may":
        return mask.clone()
    if convention == "hidden":
        return ~mask
    return mask == 0


def wrong_large_letters_are_let_in(mask, convention):
    """The convention is read without regard to large letters and blanks, so "May " is known.

    Feedback: an unknown convention is taken without a word
    """
    # wrong for: f(torch.tensor([[True]]), "May ") gives [[1]], right ValueError
    convention = convention.strip().lower()
    if convention == "may":
        return mask.clone()
    if convention == "hidden":
        return ~mask
    if convention == "additive":
        return mask == 0
    raise ValueError(convention)


def wrong_key_error(mask, convention):
    """An unknown convention ends in a KeyError, not in a ValueError.

    Feedback: something else than ValueError
    """
    # wrong for: f(torch.tensor([[True]]), "seen") gives KeyError, right ValueError
    ways = {"may": lambda: mask.clone(), "hidden": lambda: ~mask, "additive": lambda: mask == 0}
    return ways[convention]()


def wrong_hidden_is_turned_in_place(mask, convention):
    """A hidden mask is turned round in place, so the input comes out changed.

    Feedback: work on a copy
    """
    # wrong for: m = torch.tensor([[True, False]]); f(m, "hidden"); m gives [[0, 1]], right [[1, 0]]
    if convention == "may":
        return mask.clone()
    if convention == "hidden":
        return mask.logical_not_()
    if convention == "additive":
        return mask == 0
    raise ValueError(convention)


def wrong_leading_ones_vanish(mask, convention):
    """The axes of batch and head are dropped where they are 1, so the shape changes.

    Feedback: a tensor of shape [3, 3] where [1, 1, 3, 3] is asked for
    """
    # wrong for: f(torch.zeros(1, 1, 2, 2), "additive") gives [[1, 1], [1, 1]], right [[[[1,
    # 1], [1, 1]]]]
    if convention not in ("may", "hidden", "additive"):
        raise ValueError(convention)
    while mask.ndim > 2 and mask.shape[0] == 1:
        mask = mask[0]
    if convention == "additive":
        return mask == 0
    return ~mask if convention == "hidden" else mask.clone()


def wrong_through_numpy(mask, convention):
    """The additive mask goes through numpy, which does not know bfloat16.

    Feedback: unsupported ScalarType BFloat16
    """
    # wrong for: f(torch.zeros(1, 2, dtype=torch.bfloat16), "additive") gives TypeError, right
    # [[1, 1]]
    if convention == "may":
        return mask.clone()
    if convention == "hidden":
        return ~mask
    if convention == "additive":
        return torch.from_numpy(mask.numpy() == 0)
    raise ValueError(convention)


def right_matched_by_pattern(mask, convention):
    """A match statement; an additive plane is visible where it is above minus infinity."""
    match convention:
        case "may":
            return mask & mask
        case "hidden":
            return mask.logical_not()
        case "additive":
            return mask.isneginf().logical_not()
        case _:
            raise ValueError(f"unknown convention {convention!r}")


def right_flat_list_of_answers(mask, convention):
    """Turn the mask into a flat list, answer number by number, and give it its shape again."""
    if convention not in ("may", "hidden", "additive"):
        raise ValueError("convention is may, hidden or additive, not " + repr(convention))
    visible = {"may": True, "hidden": False, "additive": 0.0}[convention]
    answers = [number == visible for number in mask.flatten().tolist()]
    return torch.tensor(answers, dtype=torch.bool).reshape(mask.shape)


# STATEMENT: for "may" it is open whether the same tensor may come back (a later change in place
# would
# then reach the input). Conventions that are no text (None, a list) "raise ValueError" by the
# words.
