"""Models that are not trained but told what to say, so that a test knows the right answer."""

import math

import torch
from torch import nn

from helpers.decoder.config import DecoderConfig


class Stub(nn.Module):
    """What `stream` asks of a model beside its logits."""

    def next_logits(self, tokens, token_mask=None):
        return self(tokens, token_mask)[:, -1]


class Scripted(Stub):
    """Gives row b the tokens of scripts[b] one after the other, whatever the prompt.

    forwards counts the calls; modes and batches record the mode and the tokens of each call, with
    their mask (None where there is no padding).
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
        self.batches.append((tokens.clone(), None if token_mask is None else token_mask.clone()))
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

    def next_logits(self, tokens, token_mask=None):
        """The same after the last position, without going through all of them."""
        real = torch.ones_like(tokens, dtype=torch.bool) if token_mask is None else token_mask
        rows = (tuple(row[seen].tolist()) for row, seen in zip(tokens, real, strict=True))
        return torch.stack([self.after.get(row, self.anywhere) for row in rows])


class Tree(Stub):
    """Looks the logits up under the whole row of ids that it is given: {row: logits [V]}.

    forwards counts the calls.
    """

    def __init__(self, logits_after, *, context=32):
        super().__init__()
        self.logits_after = {row: torch.as_tensor(x) for row, x in logits_after.items()}
        vocab_size = len(next(iter(self.logits_after.values())))
        self.config = DecoderConfig(vocab_size=vocab_size, context=context, pad_id=None)
        self.forwards = 0

    def forward(self, tokens, token_mask=None):
        self.forwards += 1
        after = self.logits_after
        rows = [[after[tuple(row[: t + 1])] for t in range(len(row))] for row in tokens.tolist()]
        return torch.stack([torch.stack(row) for row in rows])

    def next_logits(self, tokens, token_mask=None):
        self.forwards += 1
        return torch.stack([self.logits_after[tuple(row)] for row in tokens.tolist()])
