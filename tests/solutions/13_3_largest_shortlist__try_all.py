def largest_shortlist(documents, questions, small, large, budget):
    """Try every length from the longest down."""
    for length in range(documents, -1, -1):
        if documents * small + questions * (small + length * large) <= budget:
            return length
    return -1
