def expert_counts(C, hidden, experts, used):
    """Add up gate, widen and narrow of every expert."""
    totals = []
    for working in (experts, used):
        total = 0
        for expert in range(experts):
            total += C  # its row in the router
            if expert < working:
                total += C * hidden + C * hidden + hidden * C
        totals.append(total)
    return totals
