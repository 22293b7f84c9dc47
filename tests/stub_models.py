"""Models that are not trained but told what to say, so that a test knows the right answer."""

import math

import torch
from torch import nn

from helpers.model import DecoderConfig


class Stub(nn.Module):
    """What `stream` asks of a model beside its logits."""

    def next_logits(self, tokens, token_mask=None):
        return self(tokens, token_mask)[:, -1]


class Scripted(Stub):
    """Gives row b the tokens of scripts[b] one after the other, whatever the prompt.

    forwards counts the calls; modes and batches record the mode and the tokens of each call.
    """

    def __init__(self, scripts, *, prompt=1, vocab_size=12, context=32):
        super().__init__()
        self.config = DecoderConfig(vocab_size=vocab_size, context=context)
        self.scripts = scripts
        self.prompt = prompt
        self.forwards = 0
        self.modes = []
        self.batches = []

    def forward(self, tokens, token_mask=None):
        step = tokens.shape[1] - self.prompt
        self.forwards += 1
        self.modes.append(self.training)
        self.batches.append((tokens.clone(), token_mask.clone()))
        logits = torch.zeros(*tokens.shape, self.config.vocab_size)
        for b, script in enumerate(self.scripts):
            logits[b, -1, script[step]] = 5.0
        return logits


class OneLaw(Stub):
    """Gives the same logits at every position of every row."""

    def __init__(self, logits, context=200):
        super().__init__()
        self.logits = torch.as_tensor(logits)
        self.config = DecoderConfig(vocab_size=len(self.logits), context=context)

    def forward(self, tokens, token_mask=None):
        return self.logits.expand(*tokens.shape, -1)


class KnowsTheLaw(Stub):
    """Knows a language's exact next-token law; at padding, and behind an end, all is alike."""

    def __init__(self, language):
        super().__init__()
        self.config = DecoderConfig(vocab_size=language.vocab_size, context=language.longest)
        self.anywhere = torch.zeros(language.vocab_size, dtype=torch.float64)
        self.after = {
            prefix: language.next_token(prefix).clamp(min=math.exp(-80)).log()
            for prefix in language.prefixes
        }

    def forward(self, tokens, token_mask=None):
        real = torch.ones_like(tokens, dtype=torch.bool) if token_mask is None else token_mask
        logits = [
            [
                self.after.get(tuple(row[: t + 1][seen[: t + 1]].tolist()), self.anywhere)
                for t in range(len(row))
            ]
            for row, seen in zip(tokens, real, strict=True)
        ]
        return torch.stack([torch.stack(row) for row in logits])
