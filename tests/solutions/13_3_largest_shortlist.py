def largest_shortlist(documents, questions, small, large, budget):
    """Return how many documents a question the judge can read; -1 if the vectors cost too much."""
    left = budget - (documents + questions) * small  # after one vector a text
    if left < 0:
        return -1
    return min(documents, left // (questions * large))
