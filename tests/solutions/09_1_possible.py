def possible(sentences, prompt):
    """Return the indices of the sentences (lists of ids) that begin with the prompt."""
    # after "a large plus" 12 of recall's 96 sentences are left: two sizes and three shapes for the
    # other object, and two questions
    return [i for i, sentence in enumerate(sentences) if sentence[: len(prompt)] == prompt]
