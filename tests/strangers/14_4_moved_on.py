import math

import torch


def _turned(rows, angles):
    """Each pair (sine, cosine) turned by its angle."""
    sine, cosine = rows[:, 0::2], rows[:, 1::2]
    a, b = angles.sin().to(rows.dtype), angles.cos().to(rows.dtype)
    return torch.stack([sine * b + cosine * a, cosine * b - sine * a], dim=-1).flatten(1)


def wrong_length_of_the_hand_is_lost(rows, steps):
    """Angles are read by atan2 and written again as sine and cosine, so rows twice as long come
    out at length 1.

    Feedback: rows twice as long do not come out twice as long: turn the pairs, whatever they
    """
    # wrong for: f(torch.tensor([[0.0, 2.0]]), 1) gives [[0.841471, 0.540302]], right [[1.68294, 1.0806]]
    C = rows.shape[1]
    speeds = 10000 ** (-torch.arange(0, C, 2, dtype=torch.float64) / C)
    angles = torch.atan2(rows[:, 0::2], rows[:, 1::2]) + steps * speeds
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).to(rows.dtype)


def wrong_no_way_back(rows, steps):
    """Takes one step after another in a range, which is empty when steps is below 0.

    Feedback: the rows do not move
    """
    # wrong for: f(torch.tensor([[0.0, 1.0]]), -1) gives [[0.0, 1.0]], right [[-0.841471, 0.540302]]
    C = rows.shape[1]
    speeds = 10000 ** (-torch.arange(0, C, 2, dtype=torch.float64) / C)
    moved = rows.double()
    for _ in range(steps):
        moved = _turned(moved, speeds)
    return moved.to(rows.dtype)


def wrong_speed_by_the_pair(rows, steps):
    """The exponent is the number of the pair over C, not that of its even column, right for C = 2
    alone.

    Feedback: pair i turns by 10000 ** (-i / C), not by 2 i
    """
    # wrong for: f(torch.tensor([[0.0, 1.0, 0.0, 1.0]]), 1) gives [[0.841471, 0.540302, 0.0998334, 0.995004]], right
    # [[0.841471, 0.540302, 0.00999983, 0.99995]]
    C = rows.shape[1]
    speeds = 10000 ** (-torch.arange(C // 2, dtype=torch.float64) / C)
    return _turned(rows, steps * speeds)


def wrong_begins_again_after_ten_thousand(rows, steps):
    """Steps are taken modulo 10,000, as if the table began again there.

    Feedback: steps begin again after some thousand
    """
    # wrong for: f(torch.tensor([[0.0, 1.0]]), 10_000) gives [[0.0, 1.0]], right [[-0.305614, -0.952155]]
    C = rows.shape[1]
    speeds = 10000 ** (-torch.arange(0, C, 2, dtype=torch.float64) / C)
    return _turned(rows, math.fmod(steps, 10_000) * speeds)


def wrong_place_from_the_first_hand(rows, steps):
    """The place is read off the first pair, whose hand is round again after six tokens; lengths
    are kept.

    Feedback: 0 steps change the rows
    """
    # wrong for: s, c = math.sin, math.cos; f(torch.tensor([[s(7), c(7), s(0.07), c(0.07)]]), 1) gives [[0.989358,
    # -0.1455, 0.0171673, 0.999853]], right [[0.989358, -0.1455, 0.0799147, 0.996802]]
    C = rows.shape[1]
    speeds = 10000 ** (-torch.arange(0, C, 2, dtype=torch.float64) / C)
    place = torch.atan2(rows[:, :1], rows[:, 1:2]).double()
    place = torch.where(place < -1e-3, place + 2 * math.pi, place) + steps
    long = torch.hypot(rows[:, 0::2], rows[:, 1::2])
    angles = place * speeds
    return torch.stack([long * angles.sin(), long * angles.cos()], dim=-1).flatten(1).to(rows.dtype)


def wrong_looked_up_in_a_table(rows, steps):
    """The nearest of the places 0 to 499 is looked up and scaled, so rows from further on are not
    found.

    Feedback: rows from further on than its own table are not found
    """
    # wrong for: f(torch.tensor([[math.sin(600), math.cos(600), math.sin(6), math.cos(6)]]), 1) gives [[-0.756802,
    # -0.653644, 0.0399893, 0.9992]], right [[-0.816777, -0.576953, -0.2698, 0.962916]]
    C = rows.shape[1]
    speeds = 10000 ** (-torch.arange(0, C, 2, dtype=torch.float64) / C)

    def table(places):
        angles = places[:, None] * speeds
        return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)

    known = table(torch.arange(500, dtype=torch.float64))
    long = rows.double().norm(dim=1, keepdim=True) / math.sqrt(C / 2)
    place = (rows.double() @ known.T).argmax(dim=1)
    return (long * table(place.double() + steps)).to(rows.dtype)


def right_complex_numbers(rows, steps):
    """Each pair is a complex number, cosine + i sine, and is multiplied by another of length 1, in complex128."""
    N, C = rows.shape
    pairs = rows.double().view(N, C // 2, 2).flip(-1).contiguous()  # cosine, sine
    speeds = torch.tensor([10000.0 ** (-i / C) for i in range(0, C, 2)], dtype=torch.float64)
    turn = torch.polar(torch.ones_like(speeds), speeds * steps)
    moved = torch.view_as_real(torch.view_as_complex(pairs) * turn)
    return moved.flip(-1).reshape(N, C).to(rows.dtype)


def right_one_matrix(rows, steps):
    """One matrix for all rows, C x C with small turns on its diagonal, as block_diag makes it."""
    C = rows.size(1)
    blocks = []
    for i in range(0, C, 2):
        angle = steps / 10000 ** (i / C)
        blocks.append(
            torch.tensor(
                [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]],
                dtype=torch.float64,
            )
        )
    return torch.einsum("nc,cd->nd", rows.double(), torch.block_diag(*blocks)).to(rows.dtype)


# STATEMENT: the speeds (10000 to the -2i/C) stand in the lesson only, and there in float32: with many steps (10,000) the
# float32 table and an exact turn lie 1e-3 apart; no tolerance is given. C even: from "sines in even columns" only.
# Whether the rows given may be changed in place is not said; which dtype comes out neither.
