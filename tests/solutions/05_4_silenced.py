def silenced(weight, H, h):
    """Return a copy of the output matrix [C, C] in which head h (from 0) writes nothing."""
    D = len(weight) // H
    quiet = weight.clone()
    quiet[:, h * D : (h + 1) * D] = 0  # [out, in]: a head's numbers come in as columns
    return quiet
