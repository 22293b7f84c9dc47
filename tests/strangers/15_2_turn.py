import torch

_kept = {}


def _angles(positions, base, D):
    speeds = float(base) ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)
    return positions.double()[:, None] * speeds


def _turned(x, cos, sin, layout):
    D = x.shape[-1]
    if layout == "pairs":
        a, b = x[:, 0::2], x[:, 1::2]
        return torch.stack((a * cos - b * sin, b * cos + a * sin), dim=-1).flatten(-2)
    a, b = x[:, : D // 2], x[:, D // 2 :]
    return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)


def wrong_base_always_ten_thousand(x, positions, base, layout):
    """The base is 10,000 whatever is asked for.

    Feedback: the base is always 10000
    """
    # wrong for: f(torch.tensor([[1.0, 2.0, 3.0, 4.0]]), torch.tensor([1]), 100.0, "pairs") gives
    # [[-1.14263964,
    # 1.92207551, 2.95985079, 4.02979946]], right [[-1.14263964, 1.92207563, 2.58567882, 4.2795167]]
    angles = _angles(positions, 10_000.0, x.shape[-1])
    return _turned(x, angles.cos().to(x), angles.sin().to(x), layout)


def wrong_counted_from_the_smallest(x, positions, base, layout):
    """Places are counted from the smallest one, which keeps all distances but not the places.

    Feedback: places are counted from the smallest one
    """
    # wrong for: f(torch.tensor([[1.0, 2.0], [1.0, 2.0]]), torch.tensor([5, 3]), 100.0, "pairs")
    # gives [[-2.23474169,
    # 0.0770037174], [1.0, 2.0]], right [[2.20151067, -0.391599894], [-1.27223253, -1.83886504]]
    if len(positions):
        positions = positions - positions.min()
    angles = _angles(positions, base, x.shape[-1])
    return _turned(x, angles.cos().to(x), angles.sin().to(x), layout)


def wrong_table_of_2048_places(x, positions, base, layout):
    """The angles come from a table of 2,048 places, and later places take its last row.

    Feedback: the angles end at some place
    """
    # wrong for: f(torch.tensor([[1.0, 0.0]]), torch.tensor([2050]), 10000.0, "halves") gives
    # [[0.249715254,
    # -0.968319297]], right [[-0.110567003, 0.993868649]]
    table = _angles(torch.arange(2048), base, x.shape[-1])
    angles = table[positions.clamp(max=2047)]
    return _turned(x, angles.cos().to(x), angles.sin().to(x), layout)


def wrong_angles_in_sixteen_bits(x, positions, base, layout):
    """Places and speeds are rounded to float16 before they are multiplied.

    Feedback: angles are counted in 16 bits
    """
    # wrong for: f(torch.tensor([[1.0, 2.0, 3.0, 4.0]]), torch.tensor([3001]), 10000.0, "pairs")
    # gives [[-1.41406214,
    # -1.7321744, 4.42983198, -2.31874752]], right [[0.693553507, -2.12579012, 4.43813038,
    # -2.30282354]]
    D = x.shape[-1]
    speeds = (float(base) ** (-torch.arange(0, D, 2) / D)).half().float()
    angles = positions.half().float()[:, None] * speeds
    return _turned(x, angles.cos().to(x), angles.sin().to(x), layout)


def wrong_angles_kept_by_length(x, positions, base, layout):
    """The angles are kept between calls by shape and base, and other places of the same number
    get the old ones.

    Feedback: the places of an earlier call are still used
    """
    # wrong for: x = torch.tensor([[1.0, 0.0]]); f(x, torch.tensor([1]), 10000.0, "pairs"); f(x,
    # torch.tensor([2]),
    # 10000.0, "pairs") gives [[0.540302277, 0.841470957]], right [[-0.416146845, 0.909297407]]
    key = (*x.shape, base)
    if key not in _kept:
        _kept[key] = _angles(positions, base, x.shape[-1])
    angles = _kept[key]
    return _turned(x, angles.cos().to(x), angles.sin().to(x), layout)


def wrong_halves_put_back_by_the_same_order(x, positions, base, layout):
    """Halves are reordered into pairs and back by one and the same order, which is its own
    inverse for D = 4 only.

    Feedback: the lanes do not come back to where they stood
    """
    # wrong for: f(torch.tensor([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]]), torch.tensor([1]),
    # 10000.0, "halves")
    # gives [[-3.66705227, 2.92985129, 3.54298234, 7.02964973, 1.3910079, 3.9919982, 6.16969204,
    # 8.0039959]], right
    # [[-3.66705251, 1.39100778, 2.92985106, 3.99199796, 3.54298258, 6.16969204, 7.02964973,
    # 8.0039959]]
    D = x.shape[-1]
    angles = _angles(positions, base, D)
    cos, sin = angles.cos().to(x), angles.sin().to(x)
    if layout == "pairs":
        return _turned(x, cos, sin, "pairs")
    order = torch.arange(D).view(2, D // 2).T.flatten()
    return _turned(x[:, order], cos, sin, "pairs")[:, order]


def right_complex_numbers(x, positions, base, layout):
    """Each pair is a complex number in float64, multiplied by one of length 1."""
    T, D = x.shape
    shape = (T, D // 2, 2) if layout == "pairs" else (T, 2, D // 2)
    axis = 2 if layout == "pairs" else 1
    a, b = x.double().reshape(shape).unbind(axis)
    angles = torch.outer(
        positions.double(),
        torch.tensor(float(base)).double() ** (-torch.arange(D // 2).double() * 2 / D),
    )
    new = torch.complex(a, b) * torch.polar(torch.ones_like(angles), angles)
    return torch.stack((new.real, new.imag), dim=axis).reshape(T, D).to(x.dtype)


def right_matrix_for_each_place(x, positions, base, layout):
    """Build the whole D x D matrix of each place and multiply row by row."""
    T, D = x.shape
    out = torch.empty_like(x)
    for t in range(T):
        matrix = torch.zeros(D, D, dtype=torch.float64)
        for i in range(D // 2):
            one, two = (2 * i, 2 * i + 1) if layout == "pairs" else (i, i + D // 2)
            angle = torch.tensor(
                int(positions[t]) * float(base) ** (-2 * i / D), dtype=torch.float64
            )
            matrix[one, one] = matrix[two, two] = angle.cos()
            matrix[two, one] = angle.sin()
            matrix[one, two] = -angle.sin()
        out[t] = (matrix @ x[t].double()).to(x.dtype)
    return out


# STATEMENT: the speeds' formula stands in the lesson only. Whether places may be negative or
# beyond 2**24 (where
# a float32 angle and an exact one differ visibly), whether x may be 16 bits or float64 and which
# dtype then comes
# out, whether T = 0 may come, and the tolerance are open. That x must not be changed in place is
# not said.
