import torch


def wrong_by_tensor(gradients, limit):
    """each tensor is clipped by its own length, which turns the whole

    Feedback: each tensor is clipped for itself, so the direction turns
    """
    # wrong for: f([[3., 0.], [0., 0.5]], 1) gives [[1, 0], [0, 0.5]], right [[0.986, 0], [0, 0.164]] (right for one tensor)
    norm = torch.cat([g.flatten() for g in gradients]).norm()
    new = [g * min(1.0, limit / max(g.norm().item(), 1e-300)) for g in gradients]
    return {"norm": norm.item(), "gradients": new}


def wrong_lengths_added(gradients, limit):
    """the lengths of the tensors are added up, not their squares

    Feedback: the tensors' lengths are added: lengths add up in squares
    """
    # wrong for: f([[3.], [4.]], 10) gives norm 7, right 5 (right for one tensor)
    norm = sum(g.norm().item() for g in gradients)
    factor = limit / norm if norm > limit else 1.0
    return {"norm": norm, "gradients": [g * factor for g in gradients]}


def wrong_length_of_a_matrix(gradients, limit):
    """a matrix gets its largest stretch (the 2-norm of linear algebra), not the length of its
    entries

    Feedback: 'norm' is another length
    """
    # wrong for: f([[[1., 0.], [0., 1.]]], 10) gives norm 1, right 1.4142 (right for vectors, and for matrices of one row)
    lengths = [torch.linalg.norm(g, 2) if g.ndim == 2 else g.norm() for g in gradients]
    norm = torch.stack(lengths).norm().item()
    factor = limit / norm if norm > limit else 1.0
    return {"norm": norm, "gradients": [g * factor for g in gradients]}


def wrong_millionth_in_the_divisor(gradients, limit):
    """a millionth is added to the length against zeros, as libraries do, and shortens what is at
    the limit or tiny

    Feedback: it is not the asked tensor
    """
    # wrong for: f([[3., 4.]], 5) changes the values by 2e-7 of themselves, right unchanged;
    # f([[3e-6, 4e-6]], 1e-6) gives length 8.3e-7, right 1e-6
    norm = torch.cat([g.flatten() for g in gradients]).norm().item()
    factor = min(1.0, limit / (norm + 1e-6))
    return {"norm": norm, "gradients": [g * factor for g in gradients]}


def right_same_tensors_back(gradients, limit):
    """what is short enough is handed back as it is, the given tensors themselves and no new ones"""
    # wrong for: g = [0.5]; f([g], 1)["gradients"][0] is g, right: a new tensor
    norm = torch.cat([g.reshape(-1) for g in gradients]).norm().item()
    if norm <= limit:
        return {"norm": norm, "gradients": list(gradients)}
    return {"norm": norm, "gradients": [g * (limit / norm) for g in gradients]}


def wrong_only_the_list_copied(gradients, limit):
    """the list is copied, but its tensors are shortened in place

    Feedback: it changed what it was given: work on a copy
    """
    # wrong for: g = [3., 4.]; f([g], 1) leaves g at [0.6, 0.8], right: g stays (right where nothing is too long)
    norm = torch.cat([g.reshape(-1) for g in gradients]).norm().item()
    new = gradients.copy()
    if norm > limit:
        for gradient in new:
            gradient.mul_(limit / norm)
    else:
        new = [g.clone() for g in new]
    return {"norm": norm, "gradients": new}


def right_one_vector_cut_apart(gradients, limit):
    """all as one vector, shortened, and cut into the shapes again"""
    whole = torch.cat([g.flatten() for g in gradients])
    norm = torch.linalg.vector_norm(whole)
    if norm > limit:
        whole = whole / norm * limit
    parts = whole.split([g.numel() for g in gradients])
    return {
        "gradients": [p.clone().view(g.shape) for p, g in zip(parts, gradients, strict=True)],
        "norm": norm,
    }


def right_scaled_by_a_power_of_two(gradients, limit):
    """the largest entry sets a power of two, so squares neither overflow nor vanish"""
    new = [g.clone() for g in gradients]
    largest = max((g.abs().max().item() for g in new if g.numel()), default=0.0)
    unit = 1.0
    while unit < largest / 2:
        unit *= 2.0
    while unit > largest > 0 and unit > 1e-300:
        unit /= 2.0
    norm = unit * float(sum((g / unit).square().sum() for g in new)) ** 0.5
    if norm > limit:
        new = [g / norm * limit for g in new]
    return {"norm": norm, "gradients": new}


# STATEMENT: magnitudes are not limited: squares of 1e200 overflow (norm inf, everything becomes 0), squares of 1e-200 vanish (norm 0).
# torch's own norm does the same; either say "no entry above 1e100" or ask for it. The type of "norm" (number or tensor of one) is free.
# "exactly the limit": the length has rounding itself; a length one rounding above the limit may be shortened or not. Tensors without entries ("any shapes")?
