"""The gradient noise scale: exact where all rows are known, estimated from batches."""

import math

import pytest
import torch

from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.languages.language import recall
from helpers.training.gradient_noise import estimated_noise_scale, noise_scale, row_gradients
from helpers.training.loop import next_token_loss


def test_by_hand():
    # mean [1, 0]; squared distances 1, 1, 4, 4: variance 2.5 over a squared length of 1
    rows = torch.tensor([[1.0, 1.0], [1.0, -1.0], [3.0, 0.0], [-1.0, 0.0]])
    assert noise_scale(rows) == pytest.approx(2.5)
    assert noise_scale(rows * 7) == pytest.approx(2.5)
    assert noise_scale(torch.ones(3, 2)) == 0


def test_the_mean_of_all_rows_gradients_is_the_whole_batchs():
    language = recall(2)
    model = Decoder(DecoderConfig(vocab_size=13, context=17), seed=0)
    gradients = row_gradients(model, language.sentences)
    assert gradients.shape == (96, model.parameter_count())
    assert all(p.grad is None for p in model.parameters())
    tokens = torch.tensor(language.sentences)
    next_token_loss(model(tokens), tokens).backward()
    whole = torch.cat([p.grad.flatten() for p in model.parameters()])
    assert float((gradients.mean(dim=0) - whole).norm() / whole.norm()) < 1e-5


def test_two_exact_means_give_the_exact_scale():
    """Batches drawn with replacement: |mean of B|^2 is on average |G|^2 + variance / B."""
    rows = torch.randn(50, 6, generator=torch.Generator().manual_seed(0)).double() + 0.3
    mean = rows.mean(dim=0).square().sum()
    variance = (rows - rows.mean(dim=0)).square().sum(dim=1).mean()
    small, large = float(mean + variance / 4), float(mean + variance / 32)
    assert estimated_noise_scale(small, large, 4, 32) == pytest.approx(noise_scale(rows))


def test_a_true_gradient_that_comes_out_as_nothing_is_told_as_infinity():
    assert estimated_noise_scale(8.0, 1.0, 4, 32) == math.inf


@pytest.mark.parametrize(("few", "many"), [(0, 4), (4, 4), (8, 4), (1.5, 4)])
def test_impossible_sizes_are_refused(few, many):
    with pytest.raises(ValueError, match=r"few|many"):
        estimated_noise_scale(2.0, 1.0, few, many)
