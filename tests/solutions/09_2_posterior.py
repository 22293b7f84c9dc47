def posterior(sentences, probabilities, prompt):
    """Return the probability of each sentence after the prompt, as a list.

    Raises: ValueError if P(prompt) is 0.
    """
    kept = [
        probabilities[i] if sentence[: len(prompt)] == prompt else 0.0
        for i, sentence in enumerate(sentences)
    ]
    total = sum(kept)  # P(prompt)
    if total == 0:
        raise ValueError("no sentence with a probability above 0 begins with this prompt")
    return [probability / total for probability in kept]
