def wrong_one_expert_no_router(C, hidden, experts, used):
    """a part with a single expert is counted without a router

    Feedback: the router is not counted
    """
    # wrong for: f(4, 8, 1, 1) gives [96, 96], right [100, 100]
    router = experts * C if experts > 1 else 0
    one = 3 * C * hidden
    return [experts * one + router, used * one + router]


def wrong_router_of_the_used(C, hidden, experts, used):
    """a token is thought to meet only the router rows of the experts it uses

    Feedback: the router scores every expert, also those not used
    """
    # wrong for: f(4, 8, 4, 2) gives [400, 200], right [400, 208]
    one = 3 * C * hidden + C
    return [experts * one, used * one]


def wrong_router_with_bias(C, hidden, experts, used):
    """the router is given a bias, one number an expert

    Feedback: these are not the parameters held and used
    """
    # wrong for: f(4, 8, 4, 2) gives [404, 212], right [400, 208]
    router = experts * (C + 1)
    one = 3 * C * hidden
    return [experts * one + router, used * one + router]


def wrong_no_router_when_all_are_used(C, hidden, experts, used):
    """where all experts are used the router is thought to be needless and is left out

    Feedback: the router is not counted
    """
    # wrong for: f(4, 8, 4, 4) gives [384, 384], right [400, 400]
    router = experts * C if used < experts else 0
    one = 3 * C * hidden
    return [experts * one + router, used * one + router]


def wrong_two_matrices(C, hidden, experts, used):
    """an expert is thought to have two matrices, as a feed-forward part without a gate

    Feedback: a gated part has three matrices, not two
    """
    # wrong for: f(4, 8, 4, 2) gives [272, 144], right [400, 208]
    one = 2 * C * hidden
    return [experts * one + experts * C, used * one + experts * C]


def wrong_floats(C, hidden, experts, used):
    """counts in floats, so a very large count is not exact

    Feedback: huge counts are rounded: floats hold no whole numbers of that size
    """
    # wrong for: f(2**27 + 1, 2**27 + 1, 3, 1): the first number is off by some units
    one = 3.0 * C * hidden
    return [int(experts * one + experts * C), int(used * one + experts * C)]


def right_shapes(C, hidden, experts, used):
    """adds up the shapes of the matrices one by one"""
    expert = [(hidden, C), (hidden, C), (C, hidden)]

    def numbers(shapes):
        return sum(rows * columns for rows, columns in shapes)

    router = [(1, C)] * experts
    return [numbers(router + expert * experts), numbers(router + expert * used)]


def right_one_expression(C, hidden, experts, used):
    """factors out the width, in one expression"""
    return [C * (experts + 3 * hidden * count) for count in (experts, used)]


# STATEMENT: list or tuple? (docstring says [held, used]). With one expert the router counts all the same: only the docstring says so.
