import torch


def predictions(table):
    """Let torch find the largest of each row, in the probabilities in place of the logits."""
    law = torch.tensor(table, dtype=torch.float64).log_softmax(dim=-1)
    return law.argmax(dim=-1).tolist()
