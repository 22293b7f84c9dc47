import torch


def top_p(logits, p):
    """Row by row, with plain numbers: take words until they reach p."""
    result = torch.full_like(logits, float("-inf"))
    rows, kept_rows = logits.reshape(-1, logits.shape[-1]), result.view(-1, logits.shape[-1])
    for row, kept in zip(rows, kept_rows, strict=True):
        law = row.double().softmax(dim=-1).tolist()
        together = 0.0
        for token in sorted(range(len(law)), key=lambda token: (-row[token].item(), token)):
            kept[token] = row[token]
            together += law[token]
            if together >= p and p < 1:
                break
    return result
