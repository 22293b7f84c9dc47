import math

import torch

from helpers.decoder import Decoder, DecoderConfig
from helpers.training import cosine_rate


def train_and_write(rows, vocab_size, causal, steps, seed):
    """A loop and a sampler written out: half of the rows a step, one sentence at a time."""
    torch.manual_seed(seed)
    tokens = torch.tensor(rows)
    B, T = tokens.shape
    model = Decoder(DecoderConfig(vocab_size=vocab_size, context=T, causal=causal), seed=seed)
    optimizer = torch.optim.Adam(model.parameters())

    def losses(logits, answers):
        return logits.logsumexp(-1) - logits.gather(-1, answers[..., None])[..., 0]

    for step in range(steps):
        optimizer.param_groups[0]["lr"] = cosine_rate(step, steps, 0.003)
        chosen = tokens[torch.randperm(B)[: math.ceil(B / 2)]]
        optimizer.zero_grad()
        losses(model(chosen)[:, :-1], chosen[:, 1:]).mean().backward()
        optimizer.step()
    sentences = []
    with torch.no_grad():
        loss = losses(model(tokens)[:, :-1], tokens[:, 1:]).mean()
        honest = torch.stack(
            [losses(model(tokens[:, : t + 1])[:, -1], tokens[:, t + 1]) for t in range(T - 1)]
        ).mean()
        for _ in range(20):
            row = [1]
            while len(row) < T and row[-1] != 2:
                law = model(torch.tensor([row]))[0, -1].softmax(-1)
                row.append(int(torch.multinomial(law, 1)))
            sentences.append(row)
    return {"loss": loss, "honest": honest, "sentences": sentences}
