def expert_counts(C, hidden, experts, used):
    """Return [held, used]: parameters of an expert part, and those that one token meets.

    C: width. hidden: inner width of each gated expert without biases. experts: how many there
    are. used: how many work for a token. The router, C numbers an expert, counts in both.
    """
    one, router = 3 * C * hidden, C * experts
    return [experts * one + router, used * one + router]
