import torch


def posterior(sentences, probabilities, prompt):
    """A softmax of logs, in float32: what is ruled out gets -inf."""
    logs = torch.tensor(probabilities).log()
    begins = torch.tensor([list(s[: len(prompt)]) == list(prompt) for s in sentences])
    logs = torch.where(begins, logs, torch.tensor(float("-inf")))
    if not logs.isfinite().any():
        raise ValueError("impossible prompt")
    return logs.softmax(0).tolist()
