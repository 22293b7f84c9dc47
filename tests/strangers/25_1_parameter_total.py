from math import prod


def wrong_last_norm_only_after_blocks(V, C, T, L, h, tied, bias):
    """without blocks the last norm is left out too

    Feedback: it is another number
    """
    # wrong for: f(10, 4, 3, 0, 16, False, False) gives 92, right 96
    b = 1 if bias else 0
    norm = C + b * C
    block = 2 * norm + 4 * (C * C + b * C) + 2 * C * h + b * (h + C)
    head = (0 if tied else C * V) + b * V
    return V * C + T * C + L * block + (norm if L > 0 else 0) + head


def wrong_tied_head_loses_its_bias(V, C, T, L, h, tied, bias):
    """a tied head is dropped whole, with its one number for each word

    Feedback: the head has a bias as well
    """
    # wrong for: f(10, 4, 3, 1, 16, True, True) gives 304, right 314
    b = 1 if bias else 0
    norm = C + b * C
    block = 2 * norm + 4 * (C * C + b * C) + 2 * C * h + b * (h + C)
    head = 0 if tied else C * V + b * V
    return V * C + T * C + L * block + norm + head


def wrong_second_bias_has_hidden_width(V, C, T, L, h, tied, bias):
    """both feed-forward matrices get h biases; the second one has C outputs

    Feedback: it is another number
    """
    # wrong for: f(10, 4, 3, 1, 16, False, True): 12 more than right
    b = 1 if bias else 0
    norm = C + b * C
    block = 2 * norm + 4 * (C * C + b * C) + 2 * (C * h + b * h)
    head = (0 if tied else C * V) + b * V
    return V * C + T * C + L * block + norm + head


def wrong_hidden_is_four_widths(V, C, T, L, h, tied, bias):
    """the hidden width is taken as 4 C, as in the lesson, and h is never read

    Feedback: the hidden width is taken as four times C
    """
    # wrong for: f(10, 4, 3, 1, 8, False, False): 64 more than right
    b = 1 if bias else 0
    norm = C + b * C
    block = 2 * norm + 4 * (C * C + b * C) + 8 * C * C + b * 5 * C
    head = (0 if tied else C * V) + b * V
    return V * C + T * C + L * block + norm + head


def wrong_norm_always_has_a_shift(V, C, T, L, h, tied, bias):
    """every norm has a scale and a shift, also where bias is False

    Feedback: it is another number
    """
    # wrong for: f(10, 4, 3, 1, 16, False, False): 12 more than right
    b = 1 if bias else 0
    block = 4 * C + 4 * (C * C + b * C) + 2 * C * h + b * (h + C)
    head = (0 if tied else C * V) + b * V
    return V * C + T * C + L * block + 2 * C + head


def wrong_floats(V, C, T, L, h, tied, bias):
    """counts in floats, so the count of a huge model is off by some units

    Feedback: a huge count is rounded: floats hold no whole numbers of that size
    """
    # wrong for: f(7, 2**27 + 1, 3, 3, 2**27 + 3, False, True): off by some units
    b = 1.0 if bias else 0.0
    norm = C + b * C
    block = 2.0 * norm + 4.0 * (C * C + b * C) + 2.0 * C * h + b * (h + C)
    head = (0.0 if tied else C * V) + b * V
    return int(V * C + T * C + L * block + norm + head)


def right_list_of_shapes(V, C, T, L, h, tied, bias):
    """lists the shape of each tensor and adds up their products"""
    shapes = [(V, C), (T, C)]

    def matrix(inputs, outputs):
        shapes.append((outputs, inputs))
        if bias:
            shapes.append((outputs,))

    def norm():
        shapes.extend([(C,)] * (2 if bias else 1))

    before = len(shapes)
    norm()
    for _ in range(4):
        matrix(C, C)
    norm()
    matrix(C, h)
    matrix(h, C)
    block = shapes[before:]
    del shapes[before:]
    norm()
    matrix(C, V)
    if tied:
        shapes.remove((V, C))
    return sum(map(prod, shapes)) + L * sum(map(prod, block))


def right_one_expression(V, C, T, L, h, tied, bias):
    """one expression, truth values used as numbers"""
    return (
        C * (V * (1 + (not tied)) + T + 1 + bool(bias))
        + bool(bias) * V
        + L * (2 * C * (2 * C + h + 1) + bool(bias) * (7 * C + h))
    )


# STATEMENT: whether a tied head with bias keeps its bias follows only from "the head also has
# one number for each output" (clear to a lawyer, easily missed). h, V, T may be 0? Not said.
# "a norm and a head" after "L blocks": that both stand at L = 0 too is only implied.
