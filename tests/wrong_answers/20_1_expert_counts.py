"""Wrong answers to 20.1. A docstring holds the words that only this fault's feedback contains."""


def no_router(C, hidden, experts, used):
    """the router is not counted"""
    return [experts * 3 * C * hidden, used * 3 * C * hidden]


def router_for_the_used_ones(C, hidden, experts, used):
    """also those not used"""
    return [experts * (3 * C * hidden + C), used * (3 * C * hidden + C)]


def two_matrices(C, hidden, experts, used):
    """three matrices, not two"""
    return [experts * (2 * C * hidden + C), used * 2 * C * hidden + experts * C]


def all_are_used(C, hidden, experts, used):
    """a token meets only those experts that it uses"""
    return [experts * (3 * C * hidden + C)] * 2


def the_other_way_round(C, hidden, experts, used):
    """the two numbers have changed places"""
    return [used * 3 * C * hidden + experts * C, experts * (3 * C * hidden + C)]


def router_is_free(C, hidden, experts, used):
    """a token meets the router too"""
    return [experts * (3 * C * hidden + C), used * 3 * C * hidden]
