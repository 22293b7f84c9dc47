"""Wrong answers to 06.6. A docstring holds the words that only this fault's feedback contains."""

from itertools import repeat

import torch
import torch.nn.functional as F

from helpers.decoder import Decoder, DecoderConfig
from helpers.decoding import generate
from helpers.languages import BOS
from helpers.training import Batch, next_token_loss, train


def _trained(rows, vocab_size, causal, steps, seed, T):
    config = DecoderConfig(vocab_size=vocab_size, context=T, causal=causal)
    model = Decoder(config, seed=seed)
    train(model, repeat(Batch.of(rows)), steps=steps, rate=0.003)
    return model


def _honest(model, tokens):
    with torch.no_grad():
        T = tokens.shape[1]
        paid = [F.cross_entropy(model(tokens[:, :t])[:, -1], tokens[:, t]) for t in range(1, T)]
    return sum(paid).item() / len(paid)


def _sentences(model, T, seed, **controls):
    bos = torch.full((20, 1), BOS)
    rows = generate(model, bos, max_new_tokens=T - 1, seed=seed, **controls).rows()
    return [[BOS, *row] for row in rows]


def _answer(rows, vocab_size, causal, steps, seed, **controls):
    tokens = torch.tensor(rows)
    T = tokens.shape[1]
    model = _trained(rows, vocab_size, causal, steps, seed, T)
    with torch.no_grad():
        loss = next_token_loss(model(tokens), tokens).item()
    sentences = _sentences(model, T, seed, **controls)
    return {"loss": loss, "honest": _honest(model, tokens), "sentences": sentences}


def always_masked(rows, vocab_size, causal, steps, seed):
    """the model has the mask even where causal is False"""
    return _answer(rows, vocab_size, True, steps, seed)


def never_masked(rows, vocab_size, causal, steps, seed):
    """the model has no mask even where causal is True"""
    return _answer(rows, vocab_size, False, steps, seed)


def honest_in_one_pass(rows, vocab_size, causal, steps, seed):
    """cut the text off before the answer, so that nobody can read it"""
    answer = _answer(rows, vocab_size, causal, steps, seed)
    return {**answer, "honest": answer["loss"]}


def loss_not_shifted(rows, vocab_size, causal, steps, seed):
    """loss and honest differ"""
    answer = _answer(rows, vocab_size, causal, steps, seed)
    tokens = torch.tensor(rows)
    model = _trained(rows, vocab_size, causal, steps, seed, tokens.shape[1])
    with torch.no_grad():
        loss = F.cross_entropy(model(tokens).transpose(1, 2), tokens).item()
    return {**answer, "loss": loss}


def always_the_best(rows, vocab_size, causal, steps, seed):
    """it writes one sentence again and again"""
    return _answer(rows, vocab_size, causal, steps, seed, temperature=0)


def does_not_stop(rows, vocab_size, causal, steps, seed):
    """a sentence goes on behind its <eos>"""
    return _answer(rows, vocab_size, causal, steps, seed, stop_ids=None)


def written_by_another(rows, vocab_size, causal, steps, seed):
    """were they written by that model"""
    answer = _answer(rows, vocab_size, causal, steps, seed)
    masked = _answer(rows, vocab_size, True, steps, seed)
    return {**answer, "sentences": masked["sentences"]}
