"""The law of losses: fitted to runs that obey it, and asked for the best size."""

import math

import numpy as np
import pytest

from helpers.training.scaling_law import ScalingLaw, fit_scaling_law, isoflop_minimum, least_squares

LAW = ScalingLaw(E=2.6, A=60.0, a=0.9, B=3600.0, b=1.0)
SIZES = [(N, D) for N in (700, 2000, 6000, 16_000) for D in (2**15, 2**17, 2**19)]
N, D = [n for n, _ in SIZES], [d for _, d in SIZES]

PRINTED = ScalingLaw(E=1.69, A=406.4, a=0.34, B=410.7, b=0.28)  # Hoffmann et al. 2022
REFITTED = ScalingLaw(E=1.8172, A=482.01, a=0.3478, B=2085.43, b=0.3658)  # Besiroglu et al. 2024


def test_a_law_that_runs_obey_is_found():
    found = fit_scaling_law(N, D, [LAW.loss(*size) for size in SIZES])
    for name in ("E", "a", "b"):
        assert getattr(found, name) == pytest.approx(getattr(LAW, name), abs=0.005)
    assert found.error < 2e-4
    given = fit_scaling_law(N, D, [LAW.loss(*size) for size in SIZES], E=2.6)
    assert given.E == 2.6 and given.a == pytest.approx(0.9, abs=0.005)


def test_for_given_exponents_nothing_is_searched():
    found = least_squares(N, D, [LAW.loss(*size) for size in SIZES], 0.9, 1.0)
    assert (found.E, found.A, found.B) == pytest.approx((2.6, 60.0, 3600.0), rel=1e-9)
    assert least_squares(N, D, [-LAW.loss(*size) for size in SIZES], 0.9, 1.0) is None


def test_the_best_split_is_the_lowest_point_of_its_curve():
    for law in (LAW, PRINTED, REFITTED):
        for flops in (1e9, 1e21):
            best = law.best_split(flops)
            assert 6 * best.N * best.D == pytest.approx(flops)
            for share in (0.8, 1.25):
                assert law.loss(best.N * share, best.D / share) > law.loss(best.N, best.D)
            slopes = law.a * law.A / best.N**law.a, law.b * law.B / best.D**law.b
            assert slopes[0] == pytest.approx(slopes[1])


def test_chinchillas_printed_law_contradicts_its_own_advice_of_twenty():
    """= of part 25: two digits of an exponent move the plan by a factor."""
    budget = 5.76e23
    best = PRINTED.best_split(budget)
    assert (round(best.N / 1e9, 1), round(best.tokens_a_parameter, 1)) == (32.2, 92.6)
    digits = ScalingLaw(E=1.69, A=406.4, a=0.3392, B=410.7, b=0.2849).best_split(budget)
    assert round(digits.tokens_a_parameter, 1) == 59.1
    best = REFITTED.best_split(budget)
    assert (round(best.N / 1e9, 1), round(best.tokens_a_parameter, 1)) == (72.2, 18.4)
    assert [round(REFITTED.best_split(c).tokens_a_parameter, 1) for c in (1e20, 1e26)] == [
        22.9,
        16.1,
    ]


def test_with_use_the_best_model_is_smaller_and_reaches_the_same_loss():
    alone = PRINTED.best_split(5.76e23)
    loss = PRINTED.loss(alone.N, alone.D)
    sizes = [PRINTED.best_split_with_use(loss, served) for served in (0, 1e12, 1e13, 1e14)]
    assert sizes[0].N == pytest.approx(alone.N, rel=2e-3)
    assert [s.N for s in sizes] == sorted((s.N for s in sizes), reverse=True)
    for one, served in zip(sizes, (0, 1e12, 1e13, 1e14), strict=True):
        assert PRINTED.loss(one.N, one.D) == pytest.approx(loss)
        cost = 6 * one.N * one.D + 2 * one.N * served
        other = 6 * alone.N * alone.D + 2 * alone.N * served
        assert cost <= other * (1 + 1e-6)


def test_a_parabola_in_the_logarithm_finds_its_lowest_point_between_the_sizes():
    sizes = [1e3, 4e3, 1.6e4, 6.4e4]
    losses = [3 + 0.1 * (math.log(n) - math.log(9e3)) ** 2 for n in sizes]
    assert isoflop_minimum(sizes, losses) == pytest.approx(9e3, rel=1e-9)
    assert isoflop_minimum(sizes[::-1], losses[::-1]) == pytest.approx(9e3, rel=1e-9)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fit_scaling_law(N[:5], D[:5], [1.0] * 5), "5 runs"),
        (lambda: fit_scaling_law([700] * 12, D, [1.0] * 12), "1 N"),
        (lambda: fit_scaling_law(N, D[:3], [1.0] * 12), "3 D"),
        (lambda: fit_scaling_law(N, D, [math.nan] * 12), "not finite"),
        (lambda: fit_scaling_law([0, *N[1:]], D, [1.0] * 12), "not above 0"),
        (lambda: fit_scaling_law(N, D, [-LAW.loss(*size) for size in SIZES]), "do the losses fall"),
        (lambda: ScalingLaw(1.0, -1.0, 0.3, 1.0, 0.3), "A is -1.0"),
        (lambda: ScalingLaw(math.inf, 1.0, 0.3, 1.0, 0.3), "E is inf"),
        (lambda: LAW.best_split(0), "flops is 0"),
        (lambda: LAW.best_split_with_use(2.5, 0), "loss is 2.5"),
        (lambda: LAW.best_split_with_use(2.7, -1), "served is -1"),
        (lambda: isoflop_minimum([1, 2], [1, 2]), "three sizes"),
        (lambda: isoflop_minimum([1, 2, 4], [1, 2, 1]), "no lowest point"),
    ],
)
def test_what_cannot_be_answered_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_noise_moves_the_entropy_found_by_little():
    draws = np.random.default_rng(0)
    noisy = [LAW.loss(*size) + 0.003 * draws.standard_normal() for size in SIZES]
    assert abs(fit_scaling_law(N, D, noisy).E - LAW.E) < 0.02
