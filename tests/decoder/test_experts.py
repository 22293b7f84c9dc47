"""Experts: who is asked, with what weight, and that nothing else is computed."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.decoder.experts import ROUTINGS, Experts, route
from tests.small_models import shaken, vectors

SIZES = st.integers(1, 5).flatmap(lambda count: st.tuples(st.just(count), st.integers(1, count)))


def drawn(count, used, routing="top_then_softmax"):
    part = Experts(4, 5, count=count, used=used, routing=routing)
    return shaken(part), vectors(2, 3, 4)


@given(SIZES, st.sampled_from(ROUTINGS))
def test_the_output_is_the_weighted_sum_over_the_best_experts(sizes, routing):
    part, x = drawn(*sizes, routing)
    for b, t in ((0, 0), (1, 2)):
        row = x[b : b + 1, t : t + 1]
        scores = part.router(row).flatten()
        best = sorted(range(sizes[0]), key=lambda e: -float(scores[e].detach()))[: sizes[1]]
        among = best if routing == "top_then_softmax" else range(sizes[0])
        total = sum(scores[e].exp() for e in among)
        wanted = sum(scores[e].exp() / total * part.experts[e](row) for e in best)
        assert torch.allclose(part(x)[b, t], wanted.flatten(), atol=1e-5)


@given(SIZES)
def test_weights_of_the_best_sum_to_1_or_to_what_is_left_of_it(sizes):
    count, used = sizes
    scores = vectors(6, count)
    first, chosen = route(scores, used)
    assert torch.allclose(first.sum(dim=-1), torch.ones(6))
    second, again = route(scores, used, "softmax_then_top")
    assert torch.equal(chosen, again) and (second.sum(dim=-1) <= 1 + 1e-6).all()
    # both are one law: that of the second, brought back to a sum of 1
    assert torch.allclose(second / second.sum(dim=-1, keepdim=True), first, atol=1e-6)


def test_only_the_chosen_experts_are_asked():
    part, x = drawn(4, 2)
    asked = []
    for number, expert in enumerate(part.experts):
        expert.register_forward_hook(lambda m, given, out, n=number: asked.append((n, len(out))))
    part(x)
    assert sum(rows for _, rows in asked) == 2 * x.shape[0] * x.shape[1]
    assert len({number for number, _ in asked}) == len(asked)


@given(SIZES)
def test_each_position_alone(sizes):
    part, x = drawn(*sizes)
    assert torch.allclose(part(x)[:, 1:2], part(x[:, 1:2]), atol=1e-6)


def test_gradients_reach_the_router_and_the_asked_experts():
    part, x = drawn(3, 2)
    part(x).square().sum().backward()
    assert all((p.grad != 0).any() for p in part.parameters() if p.grad is not None)
    assert part.router.weight.grad is not None


def test_more_experts_than_there_are_and_an_unknown_routing_are_refused():
    with pytest.raises(ValueError, match="k is 3; there are 2 experts"):
        route(torch.zeros(1, 2), 3)
    with pytest.raises(ValueError, match="k is 0; give a whole number of 1 or more"):
        route(torch.zeros(1, 2), 0)
    with pytest.raises(ValueError, match="routing is 'random'; allowed are 'top_then_softmax'"):
        route(torch.zeros(1, 2), 1, "random")
