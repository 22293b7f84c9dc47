"""A chain of words: its exact entropy, what it draws, and how far a model is from its law."""

import math

import numpy as np
import pytest
import torch

from helpers.languages.markov_chain import Chain, chain, stationary_law


def test_the_chain_of_lesson_25_has_these_entropies():
    language = chain()
    assert round(language.entropy, 6) == 2.636560
    assert round(language.word_entropy, 6) == 3.257306
    assert np.allclose(language.law.sum(axis=1), 1, atol=1e-12)
    assert np.allclose(language.stationary @ language.law, language.stationary, atol=1e-12)
    assert round(chain(seed=1).entropy, 4) != round(language.entropy, 4)


def test_the_entropy_is_that_of_a_chain_whose_entropy_is_known():
    for p in (0.5, 0.9):
        law = np.array([[p, 1 - p], [1 - p, p]])
        two = Chain(law, stationary_law(law))
        assert two.entropy == pytest.approx(-p * math.log(p) - (1 - p) * math.log(1 - p), abs=1e-12)
        assert two.word_entropy == pytest.approx(math.log(2), abs=1e-12)


def test_draws_have_the_law_at_every_place_and_the_same_seed_gives_the_same():
    language = chain(V=5, seed=3)
    words = language.draw(40_000, 3, seed=0)
    for place in range(3):
        share = torch.bincount(words[:, place], minlength=5).numpy() / 40_000
        assert np.abs(share - language.stationary).max() < 0.01
    after = words[words[:, 1] == 2][:, 2]
    share = torch.bincount(after, minlength=5).numpy() / len(after)
    assert np.abs(share - language.law[2]).max() < 0.03
    assert torch.equal(language.draw(4, 9, seed=1), language.draw(4, 9, seed=1))
    assert not torch.equal(language.draw(4, 9, seed=1), language.draw(4, 9, seed=2))


def test_divergence_is_what_a_loss_has_above_the_entropy():
    language = chain(V=8)
    words = language.draw(3, 10, seed=0)
    exact = torch.from_numpy(language.law).log()[words]  # logits of a model that knows the law
    assert language.divergence(exact, words).abs().max() < 1e-12
    flat = language.divergence(torch.zeros(3, 10, 8), words)
    entropy = -(language.law * np.log(language.law)).sum(axis=1)
    assert torch.allclose(flat.double(), math.log(8) - torch.from_numpy(entropy)[words], atol=1e-6)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"V": 1}, "V is 1"),
        ({"spread": -1.0}, "spread is -1.0"),
        ({"decay": math.nan}, "decay nan"),
    ],
)
def test_impossible_numbers_are_refused(wrong, words):
    with pytest.raises(ValueError, match=words):
        chain(**wrong)
    with pytest.raises(ValueError, match="rows is 0"):
        chain(V=3).draw(0, 4, seed=0)


def test_a_chain_that_never_settles_is_refused():
    to_and_fro = np.array([[0.0, 0.5, 0.5], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    with pytest.raises(ValueError, match="no law of words"):
        stationary_law(to_and_fro)
