def survivors(law, control, setting):
    """Return the ids that a control keeps, a list of whole numbers from low to high.

    law: a list of probabilities. control: "top_k" with a setting of 1 or more, or "min_p" with a
    setting from 0 to 1.
    """
    # Predicted: top-k 2 keeps 0 1, min-p 0.25 (from 0.125 up) 0 1 2, min-p 0.5 (from 0.25 up) 0.
    possible = [token for token in range(len(law)) if law[token] > 0]
    if control == "top_k":
        ranked = sorted(possible, key=lambda token: -law[token])  # equal ones stay in their order
        return sorted(ranked[:setting])
    return [token for token in possible if law[token] >= setting * max(law)]
