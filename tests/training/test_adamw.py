"""AdamW written out, against torch's."""

import copy

import pytest
import torch

from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.languages.language import recall
from helpers.training.adamw import AdamW, adamw_step
from helpers.training.batches import shuffled_batches
from helpers.training.loop import accumulate

LANGUAGE = recall(2)
CONFIG = DecoderConfig(
    vocab_size=13, context=LANGUAGE.longest, blocks=2, norm_placement="pre", final_norm=True
)


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("decay", [0.0, 0.1])
def test_a_hundred_steps_are_torchs_to_the_last_bit(seed, decay):
    ours = Decoder(CONFIG, seed=seed)
    theirs = copy.deepcopy(ours)
    mine = AdamW(ours.parameters(), betas=(0.9, 0.95), decay=decay)
    torchs = torch.optim.AdamW(
        theirs.parameters(), lr=0.003, betas=(0.9, 0.95), weight_decay=decay, foreach=False
    )
    batches = shuffled_batches(LANGUAGE.sentences, 32, seed=seed)
    for _ in range(100):
        batch = next(batches)
        mine.zero_grad()
        torchs.zero_grad()
        accumulate(ours, [batch])
        accumulate(theirs, [batch])
        mine.step(0.003)
        torchs.step()
    for a, b in zip(ours.parameters(), theirs.parameters(), strict=True):
        assert torch.equal(a, b)


def test_the_first_step_moves_by_the_rate_whatever_the_size_of_the_gradient():
    for size in (1e-3, 1.0, 1e3):
        weight, mean, square = torch.tensor([2.0]), torch.zeros(1), torch.zeros(1)
        adamw_step(weight, torch.tensor([size]), mean, square, step=1, rate=0.01)
        assert weight.item() == pytest.approx(1.99, abs=1e-6)


@pytest.mark.parametrize("decay", [0.01, 0.1, 1.0])
def test_without_gradients_weights_shrink_by_rate_times_decay_a_step(decay):
    weight = torch.nn.Parameter(torch.ones(1, dtype=torch.float64))
    optimizer = AdamW([weight], decay=decay)
    for _ in range(50):
        weight.grad = torch.zeros_like(weight)
        optimizer.step(0.01)
    assert weight.item() == pytest.approx((1 - 0.01 * decay) ** 50, rel=1e-12)


def test_a_weight_without_a_gradient_is_left_alone_and_lags():
    one, two = torch.nn.Parameter(torch.ones(2)), torch.nn.Parameter(torch.ones(2))
    optimizer = AdamW([one, two], decay=0.1)
    one.grad = torch.ones(2)
    optimizer.step(0.01)
    assert torch.equal(two, torch.ones(2)) and optimizer.steps == [1, 0]
    optimizer.zero_grad()
    assert one.grad is None


def test_state_goes_on_bit_for_bit_and_is_not_shared():
    weights = torch.nn.Parameter(torch.arange(4.0))
    optimizer = AdamW([weights])

    def steps(moved, by, count):
        for i in range(count):
            moved.grad = torch.full((4,), 0.1 * (i + 1))
            by.step(0.01)

    steps(weights, optimizer, 3)
    again = torch.nn.Parameter(weights.detach().clone())
    other = AdamW([again])
    other.load_state(optimizer.state())
    steps(weights, optimizer, 3)
    steps(again, other, 3)
    assert torch.equal(weights, again)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"betas": (1.0, 0.9)}, "the first of betas is 1.0; give 0 or more, and less than 1"),
        ({"betas": (0.9, -0.1)}, "the second of betas is -0.1"),
        ({"eps": 0.0}, "eps is 0.0; give a finite number above 0"),
        ({"decay": -1.0}, "decay is -1.0; give 0 or more"),
    ],
)
def test_impossible_numbers_are_refused(options, words):
    with pytest.raises(ValueError) as caught:
        AdamW([torch.nn.Parameter(torch.ones(1))], **options)
    assert words in str(caught.value)


def test_no_weights_and_the_state_of_others_are_refused():
    with pytest.raises(ValueError, match=r"no weights to move; give model.parameters\(\)"):
        AdamW([])
    small, large = (AdamW([torch.nn.Parameter(torch.ones(n))]) for n in (1, 2))
    with pytest.raises(ValueError, match="the saved means belong to weights of other shapes"):
        large.load_state(small.state())
