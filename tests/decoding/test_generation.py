"""From laws to text: choice, seeds, stopping, grammars, caches, streaming; and every refusal.

Tests by chance compare frequencies with exact laws. Each raises a false alarm with a probability
under 1e-9 (see `variation_limit`), so all of them together under 1e-6.
"""

import math
from collections import Counter
from dataclasses import fields
from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.decoder.cache import WindowCache
from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.decoding.controls import Controls
from helpers.decoding.generation import Generation, choose, generate, next_token_law, stream
from helpers.decoding.grammar import Grammar
from helpers.languages.language import BOS, EOS, PAD, Language, captions, echo
from helpers.languages.tokens import Vocabulary, pad_rows
from tests.stub_models import KnowsTheLaw, OneLaw, Scripted
from tests.tiers import examples

V, CONTEXT = 9, 12
FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
word_ids = st.integers(3, V - 1)
prompts = st.lists(st.lists(word_ids, min_size=1, max_size=5), min_size=1, max_size=4)
short_prompts = st.lists(st.lists(word_ids, min_size=1, max_size=3), min_size=1, max_size=3)
some_logits = st.lists(st.floats(-30, 30, width=16), min_size=2, max_size=6)


def decoder(**changes):
    shape = {"vocab_size": V, "context": CONTEXT, "width": 8, "heads": 2} | changes
    return Decoder(DecoderConfig(**shape), seed=3).eval()


def left(rows, extra=0):
    return pad_rows(rows, max(map(len, rows)) + extra, side="left")


def counting(model):
    """The same model, and a list that grows by one entry with each forward."""
    forwards, states = [], model.states
    model.states = lambda *inputs, **options: forwards.append(1) or states(*inputs, **options)
    return model, forwards


# one setting of each control that changes something, and its neighbours
SETTINGS = {
    "temperature": [0, 0.3, 1.0, 2.5],
    "top_k": [0, 1, 3, V, 100],
    "top_p": [0.0, 0.3, 0.8, 1.0],
    "min_p": [0.0, 0.2, 0.9, 1.0],
    "typical": [0.0, 0.4, 0.9, 1.0],
    "repetition_penalty": [0.5, 1.0, 1.3, 50.0],
}
each_control = {name: st.sampled_from(values) for name, values in SETTINGS.items()}
some_controls = st.fixed_dictionaries({}, optional=each_control)
del each_control["repetition_penalty"]
controls_of_one_law = st.fixed_dictionaries({}, optional=each_control)  # none looks at the past


# ---- the law at a temperature -------------------------------------------------------------------


@given(some_logits, st.floats(0.05, 20), st.sampled_from(FLOATS))
def test_law_is_the_softmax_of_logits_over_temperature(logits, temperature, dtype):
    logits = torch.tensor(logits).to(dtype)
    law = next_token_law(logits, temperature)
    assert law.dtype == torch.float64
    wanted = (logits.double() / temperature).softmax(dim=-1)
    torch.testing.assert_close(law, wanted, rtol=1e-9, atol=1e-12)


def test_temperature_is_applied_once_C23():
    law = next_token_law(torch.tensor([2.0, 0.0]), 2)
    assert [f"{p:.6f}" for p in law.tolist()] == ["0.731059", "0.268941"]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("temperature", [0, 1e-45, 1e-5, 5e-324])
def test_towards_zero_temperature_the_largest_logit_takes_all_C23(temperature, dtype):
    logits = torch.tensor([[2.875, 2.955, 11.0625]]).to(dtype)
    assert next_token_law(logits, temperature).tolist() == [[0.0, 0.0, 1.0]]
    generators = [torch.Generator().manual_seed(0)]
    law = next_token_law(logits, temperature)
    assert {choose(law, generators).item() for _ in range(20)} == {2}
    assert choose(law, None).item() == 2


@given(some_logits, st.sampled_from([5e-324, 1e-45, 1e-5, 0.5, 1.0, 1e5, 1e300]))
def test_every_positive_temperature_gives_a_law_that_keeps_the_order(logits, temperature):
    logits = torch.tensor(logits)
    law = next_token_law(logits, temperature)
    assert law.isfinite().all()
    assert law.sum().item() == pytest.approx(1, abs=1e-12)
    order = logits.argsort()
    assert (law[order].diff() >= 0).all()


@given(st.integers(2, 8))
def test_very_hot_is_even_and_ties_stay_ties(count):
    logits = torch.arange(float(count))
    even = torch.full((count,), 1 / count, dtype=torch.float64)
    torch.testing.assert_close(next_token_law(logits, 1e300), even)
    torch.testing.assert_close(next_token_law(torch.full((count,), 3.0), 1e-45), even)


@pytest.mark.parametrize("dtype", FLOATS)
def test_a_forbidden_token_has_weight_zero_at_every_temperature(dtype):
    logits = torch.tensor([1.0, -math.inf, 0.0]).to(dtype)
    for temperature in (0, 1e-45, 1, 1e300):
        law = next_token_law(logits, temperature)
        assert law[1] == 0
        assert law.sum().item() == pytest.approx(1)


@given(some_logits)
def test_greedy_is_the_argmax_and_the_lowest_id_of_equals(logits):
    law = next_token_law(torch.tensor([logits]), 0)
    assert law.tolist() == [[float(i == logits.index(max(logits))) for i in range(len(logits))]]
    assert choose(law, None).item() == logits.index(max(logits))


@pytest.mark.parametrize("temperature", [-1, -1e-9, math.nan, math.inf, -math.inf])
def test_impossible_temperatures_are_refused_before_any_forward_C23(temperature):
    message = f"temperature is {temperature}; give 0"
    with pytest.raises(ValueError, match=message):
        next_token_law(torch.zeros(3), temperature)
    model = Scripted([[3]])
    with pytest.raises(ValueError, match=message):
        stream(model, torch.tensor([[BOS]]), temperature=temperature)
    with pytest.raises(ValueError, match=message):
        generate(model, torch.tensor([[BOS]]), max_new_tokens=1, temperature=temperature)
    assert model.forwards == 0


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([0.0, math.nan], "logits hold NaN"),
        ([-math.inf, -math.inf], "no finite largest value"),
        ([0.0, math.inf], "no finite largest value"),
    ],
)
@pytest.mark.parametrize("temperature", [0, 1])
def test_broken_logits_are_named_and_never_sampled(row, message, temperature):
    with pytest.raises(ValueError, match=message):
        next_token_law(torch.tensor([[0.0, 1.0], row]), temperature)


# ---- greedy and sampled choice ------------------------------------------------------------------


@given(prompts, st.integers(1, 6), st.sampled_from(["learned", "sinusoidal", "none"]))
@examples(30)
def test_greedy_is_the_argmax_of_the_last_position_each_time(rows, count, positions):
    model = decoder(positions=positions)
    tokens, token_mask = left(rows)
    got = generate(
        model, tokens, token_mask=token_mask, max_new_tokens=count, temperature=0, stop_ids=None
    )
    for row, new in zip(rows, got.rows(), strict=True):
        text = list(row)
        for token in new:
            assert token == model(torch.tensor([text]))[0, -1].argmax()
            text.append(token)
        assert len(new) == count


@given(prompts, st.integers(0, 2), st.sampled_from([0, 0.7, 1.0, 3.0]), st.integers(0, 99))
@examples(40)
def test_a_row_does_not_depend_on_its_neighbours_nor_on_padding(rows, extra, temperature, seed):
    model = decoder()
    tokens, token_mask = left(rows, extra)
    options = {"max_new_tokens": 5, "temperature": temperature}
    together = generate(model, tokens, token_mask=token_mask, seed=seed, **options)
    for b, row in enumerate(rows):
        alone = generate(model, torch.tensor([row]), seed=seed + b, **options)
        assert together.rows()[b] == alone.rows()[0]
        assert together.reasons[b] == alone.reasons[0]


def test_each_row_has_a_seed_of_its_own():
    model = OneLaw([0.0] * 8)
    same = torch.full((6, 1), BOS)
    options = {"max_new_tokens": 12, "stop_ids": None}
    rows = generate(model, same, seed=5, **options).rows()
    assert len(set(map(tuple, rows))) == 6  # alike with a chance of 15 in 8 ** 12
    assert rows == generate(model, same, seed=5, **options).rows()
    assert rows[1:] == generate(model, same[:5], seed=6, **options).rows()


# The share of each of k outcomes in n draws: P(total variation >= e) <= 2**k exp(-2 n e**2)
# (union of Hoeffding's bound over all events). The limit below is passed by chance once in 1e9.
def variation_limit(outcomes, draws):
    return math.sqrt((outcomes * math.log(2) + math.log(1e9)) / (2 * draws))


def variation(counts, law, draws):
    return sum(abs(counts[key] / draws - p) for key, p in law.items()) / 2


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("shape", [(4, 1000), (2000, 2)])
def test_sampled_tokens_follow_the_law(temperature, shape):
    logits = [0.0, -1.0, 1.5, 2.0, -math.inf]
    rows, steps = shape
    model = OneLaw(logits, context=steps + 1)
    tokens = torch.full((rows, 1), BOS)
    got = generate(model, tokens, max_new_tokens=steps, temperature=temperature, stop_ids=None)
    counts = Counter(got.tokens.flatten().tolist())
    draws = rows * steps
    limit = variation_limit(len(logits), draws)

    def law(at):
        return dict(enumerate(next_token_law(torch.tensor(logits), at).tolist()))

    assert sum(counts.values()) == draws
    assert counts[4] == 0
    assert variation(counts, law(temperature), draws) < limit
    # and the limit is tight enough to see a temperature that is wrong
    assert variation(counts, law(temperature * 1.6), draws) > limit


@pytest.mark.parametrize("temperature", [0.3, 1.0, 2.0])
@pytest.mark.parametrize("build", [captions, echo])
def test_sampled_sentences_follow_the_exact_law_at_that_temperature(build, temperature):
    language, draws = build(), 1000
    exact = language.at_temperature(temperature)
    got = generate(
        KnowsTheLaw(language),
        torch.full((draws, 1), BOS),
        max_new_tokens=language.longest - 1,
        temperature=temperature,
        seed=100,
    )
    assert set(got.reasons) == {"stop"}
    counts = Counter((BOS, *row) for row in got.rows())
    law = dict(zip(exact.sentences, exact.probabilities, strict=True))
    assert set(counts) <= set(law)
    assert variation(counts, law, draws) < variation_limit(len(law), draws)


def sentence_law(model, language, **controls):
    """The exact probability of each sentence under these controls, step by step."""
    law = {}
    for sentence in language.sentences:
        steps = range(1, len(sentence))
        laws = (next_token_law(model.after[sentence[:t]], **controls)[sentence[t]] for t in steps)
        law[sentence] = math.prod(map(float, laws))
    return law


# each beside a setting that it must not be mistaken for
WRONG_SETTINGS = [
    ({"top_k": 1}, {"top_k": 2}),
    ({"top_k": 2}, {"top_k": 3}),
    ({"top_k": 3}, {"top_k": 2}),
    ({"top_p": 0.4}, {"top_p": 0.6}),
    ({"top_p": 0.6}, {"top_p": 0.8}),
    ({"top_p": 0.8}, {"top_p": 0.6}),
    ({"min_p": 0.6}, {"min_p": 0.4}),
    ({"min_p": 0.4}, {"min_p": 0.6}),
    ({"temperature": 2, "top_p": 0.6}, {"temperature": 0.5, "top_p": 0.6}),
    ({"temperature": 0.5, "top_k": 2}, {"temperature": 2, "top_k": 2}),
    ({"temperature": 2, "min_p": 0.6}, {"temperature": 1, "min_p": 0.6}),
]


def uneven_captions():
    language = captions()
    return Language.of("uneven", language.words, language.sentences, [8, 5, 3, 2, 1, 3, 5, 7])


@pytest.mark.parametrize(("controls", "wrong"), WRONG_SETTINGS)
def test_sampled_captions_follow_the_exact_law_under_each_control(controls, wrong):
    language, draws = captions(), 1000
    model = KnowsTheLaw(language)
    law = sentence_law(model, language, **controls)
    assert math.fsum(law.values()) == pytest.approx(1, abs=1e-9)
    got = generate(
        model, torch.full((draws, 1), BOS), max_new_tokens=language.longest - 1, seed=7, **controls
    )
    counts = Counter((BOS, *row) for row in got.rows())
    limit = variation_limit(len(law), draws)
    assert set(counts) <= {sentence for sentence, p in law.items() if p > 0}
    assert variation(counts, law, draws) < limit
    assert variation(counts, sentence_law(model, language, **wrong), draws) > limit


@given(controls_of_one_law)
@examples(10)
def test_sampled_sentences_follow_the_exact_law_under_all_controls_together(controls):
    language, draws = uneven_captions(), 400
    model = KnowsTheLaw(language)
    law = sentence_law(model, language, **controls)
    got = generate(model, torch.full((draws, 1), BOS), max_new_tokens=7, seed=11, **controls)
    counts = Counter((BOS, *row) for row in got.rows())
    assert set(counts) <= {sentence for sentence, p in law.items() if p > 0}
    assert variation(counts, law, draws) < variation_limit(len(law), draws)


# ---- the model's own log-probabilities ----------------------------------------------------------


@given(prompts, st.integers(0, 2), some_controls, st.integers(0, 99), st.booleans())
@examples(40)
def test_log_probabilities_are_the_models_own_in_one_pass(rows, extra, controls, seed, stopping):
    model = decoder()
    tokens, token_mask = left(rows, extra)
    options = {"seed": seed, "stop_ids": (EOS, 4, 5) if stopping else None, **controls}
    got = generate(model, tokens, token_mask=token_mask, max_new_tokens=4, **options)
    steps = list(stream(model, tokens, token_mask=token_mask, max_new_tokens=4, **options))
    for b, (row, new) in enumerate(zip(rows, got.rows(), strict=True)):
        law = model(torch.tensor([row + new]))[0].detach().double().log_softmax(dim=-1)
        wanted = [float(law[len(row) - 1 + i, token]) for i, token in enumerate(new)]
        wanted += [0.0] * (len(steps) - len(new))  # behind a row's end nothing counts
        assert [float(step.log_probabilities[b]) for step in steps] == pytest.approx(
            wanted, abs=1e-5
        )
        assert float(got.log_probabilities[b]) == pytest.approx(sum(wanted), abs=1e-5)
    assert got.log_probabilities.dtype == steps[0].log_probabilities.dtype == torch.float64


def test_controls_do_not_enter_the_log_probabilities():
    logits = [0.0, 0.0, 1.0, 2.0]
    own = torch.tensor(logits).double().log_softmax(dim=-1)[3]
    for controls in ({"temperature": 0}, {"top_k": 1}, {"temperature": 1e-3}, {"min_p": 1.0}):
        got = generate(
            OneLaw(logits), torch.tensor([[BOS]]), max_new_tokens=2, stop_ids=None, **controls
        )
        assert float(got.log_probabilities[0]) == pytest.approx(2 * float(own), abs=1e-12)


@given(prompts, some_controls, st.integers(0, 99))
@examples(20)
def test_without_log_probabilities_the_text_is_the_same(rows, controls, seed):
    model, (tokens, token_mask) = decoder(), left(rows, 0)
    options = {"token_mask": token_mask, "max_new_tokens": 4, "seed": seed, **controls}
    told = generate(model, tokens, **options)
    untold = generate(model, tokens, **options, log_probabilities=False)
    assert torch.equal(untold.tokens, told.tokens) and untold.reasons == told.reasons
    assert torch.equal(untold.lengths, told.lengths) and untold.log_probabilities is None
    for step in stream(model, tokens, **options, log_probabilities=False):
        assert step.log_probabilities is None
    with pytest.raises(ValueError, match="log_probabilities is 'no'; allowed are True, False"):
        stream(model, tokens, **options, log_probabilities="no")


# ---- the chain of controls is what one samples from ---------------------------------------------


@given(prompts, st.integers(0, 2), some_controls, st.integers(0, 99))
@examples(40)
def test_each_row_draws_from_the_law_of_the_chain_with_its_own_seed(rows, extra, controls, seed):
    # the penalty counts prompt and new tokens, and no padding: here no row has any
    model = decoder()
    tokens, token_mask = left(rows, extra)
    got = generate(
        model, tokens, token_mask=token_mask, max_new_tokens=4, seed=seed, stop_ids=None, **controls
    )
    for b, (row, new) in enumerate(zip(rows, got.rows(), strict=True)):
        generator = torch.Generator().manual_seed(seed + b)
        for i, token in enumerate(new):
            text = row + new[:i]
            seen = torch.zeros(V, dtype=torch.bool)
            seen[text] = True
            law = Controls(**controls).law(model(torch.tensor([text]))[0, -1].detach(), seen=seen)
            if controls.get("temperature") == 0:
                assert token == law.argmax()
            else:
                assert token == torch.multinomial(law, 1, generator=generator)


def test_every_control_there_is_passes_through_a_stream():
    assert set(SETTINGS) == {field.name for field in fields(Controls)}
    logits = [2.0, 1.9, 1.2, 1.1, -1.0, -1.0]
    prompt = torch.tensor([[0, 1]] * 20)
    strict = {"temperature": 0, "top_k": 1, "top_p": 0.1, "min_p": 1.0, "typical": 0.1}
    options = {"max_new_tokens": 20, "stop_ids": None}
    plain = generate(OneLaw(logits), prompt, **options)
    assert set(plain.tokens.flatten().tolist()) == set(range(6))
    for name, value in strict.items():
        got = generate(OneLaw(logits), prompt, **{name: value}, **options)
        assert set(got.tokens.flatten().tolist()) == {1 if name == "typical" else 0}, name
    got = generate(OneLaw(logits), prompt, repetition_penalty=1e3, temperature=0, **options)
    assert got.tokens[0, :3].tolist() == [2, 3, 0]


def test_a_penalty_sees_prompt_and_new_tokens_and_no_padding():
    logits = [6.0, 5.0, 4.0, 3.0, 2.0, 1.0]  # greedy: the lowest id that was not seen
    tokens, token_mask = left([[1], [0, 2, 3]])
    assert tokens.tolist() == [[PAD, PAD, 1], [0, 2, 3]]
    got = generate(
        OneLaw(logits), tokens, token_mask=token_mask, max_new_tokens=3, temperature=0,
        stop_ids=None, repetition_penalty=100.0,
    )  # fmt: skip
    assert got.rows() == [[0, 2, 3], [1, 4, 5]]


@pytest.mark.parametrize("name", ["top_q", "temprature", "topk", "controls"])
def test_an_unknown_control_is_refused_by_name_before_the_first_forward(name):
    model = Scripted([[3]])
    for call in (
        lambda: stream(model, torch.tensor([[BOS]]), **{name: 1}),
        lambda: generate(model, torch.tensor([[BOS]]), max_new_tokens=1, **{name: 1}),
        lambda: next_token_law(torch.zeros(3), 1.0, **{name: 1}),
    ):
        with pytest.raises(TypeError, match=f"'{name}' is no control; there are: temperature, top"):
            call()
    assert model.forwards == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("temperature", value) for value in (-1, math.nan, math.inf)),
        *(("top_k", value) for value in (-1, 2.5, math.nan)),
        *((name, v) for name in ("top_p", "min_p", "typical") for v in (-0.1, 1.1, math.nan)),
        *(("repetition_penalty", value) for value in (0, -2, math.nan, math.inf)),
    ],
)
def test_impossible_controls_are_refused_by_name_before_the_first_forward(name, value):
    model = Scripted([[3]])
    for call in (partial(stream), partial(generate, max_new_tokens=1)):
        with pytest.raises(ValueError, match=f"^{name} is {value}; give"):
            call(model, torch.tensor([[BOS]]), **{name: value})
    assert model.forwards == 0


# ---- C23 through the loop -----------------------------------------------------------------------


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("temperature", [0, 1e-5, 1e-45, 5e-324])
def test_zero_and_tiny_temperatures_always_say_the_largest_C23(temperature, dtype):
    # the second is so even that a temperature taken for "off" would show
    for logits in ([2.875, 2.955, 11.0625], [1.0, 0.5, 1.125]):
        model = OneLaw(torch.tensor(logits).to(dtype))
        got = generate(
            model, torch.full((5, 1), 1), max_new_tokens=20, stop_ids=None, temperature=temperature
        )
        assert (got.tokens == 2).all()
        assert got.log_probabilities.isfinite().all()


def test_a_stream_applies_its_temperature_once_C23():
    draws = 4000
    got = generate(
        OneLaw([2.0, 0.0]), torch.full((draws, 1), 1), max_new_tokens=1, temperature=2,
        stop_ids=None,
    )  # fmt: skip
    share = float((got.tokens == 0).double().mean())
    limit = variation_limit(2, draws)
    assert abs(share - 0.731059) < limit
    assert abs(share - 0.622459) > limit  # applied twice
    assert abs(share - 0.880797) > limit  # not applied at all


# ---- seeds --------------------------------------------------------------------------------------


@given(st.integers(-5, 10**9), st.integers(2, 5), some_controls)
@examples(30)
def test_row_b_is_drawn_with_seed_plus_b_whatever_the_batch(seed, batch, controls):
    model = decoder()
    options = {"max_new_tokens": 4, "stop_ids": None, **controls}
    together = generate(model, torch.full((batch, 2), 5), seed=seed, **options).rows()
    for b in range(batch):
        alone = generate(model, torch.full((1, 2), 5), seed=seed + b, **options).rows()
        assert together[b] == alone[0]


@pytest.mark.parametrize(
    "row, words",
    [
        ([0.0, 0.0, 0.0], "is zeros alone"),
        ([0.5, math.nan, 0.5], "holds NaN"),
        ([0.7, -0.2, 0.5], r"holds a negative entry, -0\.2"),
        ([1.0, -1.0, 0.0], "holds a negative entry, -1"),
        ([0.5, math.inf, 0.5], "holds an infinite entry"),
        ([3e38, 3e38, 0.0], "sums to more than torch.float32 can hold"),
    ],
)
def test_choose_refuses_what_is_no_law_by_its_row_greedy_included(row, words):
    """Table 1: torch's own error came, or token 0 without a word."""
    law = torch.tensor([[0.2, 0.3, 0.5], row, [0.2, 0.3, 0.5]])
    for generators in (None, [torch.Generator().manual_seed(k) for k in range(3)]):
        with pytest.raises(ValueError, match=f"row 1 of the law {words}; give probabilities of 0"):
            choose(law, generators)


def test_choose_takes_rows_that_do_not_sum_to_1_and_refuses_other_shapes():
    assert choose(torch.tensor([[0.0, 3.0], [1e-30, 0.0]]), None).tolist() == [1, 0]
    assert choose(torch.ones(0, 3), None).tolist() == []
    with pytest.raises(ValueError, match=r"law has shape \[3\]; give \[B, V\] with V of 1 or more"):
        choose(torch.ones(3), None)
    with pytest.raises(TypeError, match=r"law is torch\.int64; give a floating tensor"):
        choose(torch.ones(1, 3, dtype=torch.int64), None)


def test_choose_takes_the_most_likely_or_draws_with_each_rows_generator():
    law = torch.tensor([[0.2, 0.5, 0.3]] * 3, dtype=torch.float64)
    assert choose(law, None).tolist() == [1, 1, 1]

    def generators(*seeds):
        return [torch.Generator().manual_seed(seed) for seed in seeds]

    rows = [choose(law, generators(*range(k, k + 3))).tolist() for k in range(30)]
    assert rows == [choose(law, generators(*range(k, k + 3))).tolist() for k in range(30)]
    for k in range(29):
        assert rows[k][1:] == rows[k + 1][:-1]
    assert {token for row in rows for token in row} == {0, 1, 2}
    with pytest.raises(ValueError):
        choose(law, generators(1, 2))


# ---- stopping -----------------------------------------------------------------------------------


def test_rows_end_at_different_times_C30():
    model = Scripted([[7, EOS, 9, 9, 9, 9], [7, 7, 7, EOS, 9, 9]])
    prompt = torch.tensor([[BOS], [BOS]])
    got = generate(model, prompt, max_new_tokens=10, temperature=0)
    assert got.tokens.tolist() == [[7, EOS, PAD, PAD], [7, 7, 7, EOS]]
    assert got.lengths.tolist() == [2, 4]
    assert got.reasons == ("stop", "stop")
    assert got.rows() == [[7, EOS], [7, 7, 7, EOS]]
    assert model.forwards == 4
    each = 5 - math.log(math.exp(5) + 11)  # of one scripted token; row 0 sums two, row 1 four
    assert got.log_probabilities.tolist() == pytest.approx([2 * each, 4 * each], abs=1e-6)


def test_a_stream_tells_who_has_ended_and_why_C30():
    model = Scripted([[7, EOS, 9, 9], [7, 7, 7, 7]])
    steps = list(stream(model, torch.tensor([[BOS]] * 2), max_new_tokens=3, temperature=0))
    assert [step.tokens.tolist() for step in steps] == [[7, 7], [EOS, 7], [PAD, 7]]
    assert [step.reasons for step in steps] == [(None, None), ("stop", None), ("stop", "length")]
    counted = [[p != 0 for p in step.log_probabilities.tolist()] for step in steps]
    assert counted == [[True, True], [True, True], [False, True]]


scripts = st.lists(st.lists(st.integers(0, 11), min_size=8, max_size=8), min_size=1, max_size=4)


@given(
    scripts,
    st.integers(1, 8),
    st.sets(st.integers(0, 11), max_size=4).map(lambda stops: stops or None),
    st.sampled_from([PAD, EOS, 11]),
)
def test_each_row_ends_at_its_first_stop_token_C30(scripts, limit, stops, pad_id):
    model = Scripted(scripts)
    prompt = torch.full((len(scripts), 1), BOS)
    got = generate(
        model, prompt, max_new_tokens=limit, temperature=0, stop_ids=stops, pad_id=pad_id
    )
    wanted, reasons = [], []
    for script in scripts:
        at = next((i for i, token in enumerate(script[:limit]) if token in (stops or ())), None)
        wanted.append(script[: limit if at is None else at + 1])
        reasons.append("length" if at is None else "stop")
    longest = max(map(len, wanted))
    assert got.rows() == wanted
    assert got.lengths.tolist() == [len(row) for row in wanted]
    assert got.reasons == tuple(reasons)
    assert got.tokens.tolist() == [row + [pad_id] * (longest - len(row)) for row in wanted]
    assert model.forwards == longest


def test_several_stop_ids_in_any_collection_C30():
    for stops in ([EOS, 5], {5, EOS}, (5,), torch.tensor([5])):
        got = generate(
            Scripted([[7, 5, 9]]), torch.tensor([[BOS]]), max_new_tokens=3, temperature=0,
            stop_ids=stops,
        )  # fmt: skip
        assert got.rows() == [[7, 5]]


def test_a_stop_token_in_the_prompt_does_not_end_the_row():
    got = generate(
        Scripted([[7, 7]], prompt=2), torch.tensor([[EOS, EOS]]), max_new_tokens=2, temperature=0
    )
    assert got.rows() == [[7, 7]]


def test_the_model_sees_the_prompt_its_mask_and_every_chosen_token():
    model = Scripted([[7, 8, 9], [5, 6, 7]], prompt=2)
    tokens, token_mask = left([[3], [3, 4]])
    generate(model, tokens, token_mask=token_mask, max_new_tokens=3, temperature=0)
    seen, mask = model.batches[-1]
    assert seen.tolist() == [[PAD, 3, 7, 8], [3, 4, 5, 6]]
    assert mask.tolist() == [[False, True, True, True], [True] * 4]


# ---- stop strings -------------------------------------------------------------------------------

WORDS = Vocabulary.of(captions())
A, LARGE, SMALL, PLUS, CIRCLE = (WORDS.words.index(w) for w in "a large small plus circle".split())


def say(scripts, strings, prompt=(BOS,), limit=None, **options):
    """What a scripted model says until these strings end it."""
    tokens = torch.tensor([list(prompt)] * len(scripts))
    model = Scripted(scripts, prompt=len(prompt))
    options = {"stop_strings": strings, "vocabulary": WORDS, "temperature": 0, **options}
    got = generate(model, tokens, max_new_tokens=limit or len(scripts[0]), **options)
    assert model.forwards == max(map(len, got.rows()))
    return got


def test_a_row_ends_when_its_new_words_end_with_a_stop_string():
    script = [A, LARGE, LARGE, PLUS, A, CIRCLE]
    for strings, count in (
        (["plus"], 4),
        (["large plus"], 4),
        (["large large"], 3),
        (["a large large plus"], 4),
        (["  large \n plus "], 4),
        (["a"], 1),  # at the very first token
        (["circle", "plus a"], 5),
        (("small", "a circle"), 6),
        ({"large plus", "circle"}, 4),
        (iter(["plus"]), 4),
    ):
        got = say([script], strings)
        assert got.rows() == [script[:count]]
        assert got.lengths.tolist() == [count]
        assert got.reasons == ("stop",)
    assert say([script], ["small"]).reasons == ("length",)
    assert say([script], ["plus circle", "large a", "large plus large"]).reasons == ("length",)


def test_a_stop_string_ends_its_own_row_only():
    got = say([[A, SMALL, PLUS, A], [SMALL, SMALL, A, A]], ["small plus"])
    assert got.rows() == [[A, SMALL, PLUS], [SMALL, SMALL, A, A]]
    assert got.reasons == ("stop", "length")
    assert got.tokens[0].tolist() == [A, SMALL, PLUS, PAD]


def test_the_prompt_is_never_part_of_a_stop_string():
    for prompt in ([BOS, LARGE], [LARGE, PLUS], [PLUS, LARGE]):
        got = say([[PLUS, PLUS, A]], ["large plus", "plus plus a circle"], prompt=prompt)
        assert got.rows() == [[PLUS, PLUS, A]]
        assert got.reasons == ("length",)


def test_padding_of_finished_rows_is_never_part_of_a_stop_string():
    # row 0 ends at once; what stands behind its end must change neither it nor its neighbour
    got = say([[EOS, A, A], [A, A, A]], ["a a a"], pad_id=A)
    assert got.lengths.tolist() == [1, 3]
    assert got.reasons == ("stop", "stop")


@given(
    st.lists(st.lists(st.integers(3, 6), min_size=7, max_size=7), min_size=1, max_size=3),
    st.lists(st.lists(st.integers(3, 6), min_size=1, max_size=3), min_size=1, max_size=3),
    st.none() | st.sets(st.integers(3, 6), min_size=1, max_size=2),
    st.integers(1, 7),
)
def test_rows_end_at_the_first_stop_of_any_kind(scripts, stops, ids, limit):
    strings = [WORDS.decode(stop) for stop in stops]
    got = say(scripts, strings, limit=limit, stop_ids=ids)
    every = stops + [[token] for token in ids or ()]
    for row, reason, script in zip(got.rows(), got.reasons, scripts, strict=True):
        ends = [
            n
            for n in range(1, limit + 1)
            if any(n >= len(stop) and script[n - len(stop) : n] == stop for stop in every)
        ]
        assert row == script[: min([*ends, limit])]
        assert reason == ("stop" if ends else "length")


BAD_STOP_STRINGS = [
    ({"stop_strings": ["plus", "blue sky"]}, ValueError, "'blue sky'|never|'blue'|plus, circle"),
    ({"stop_strings": ["plus <eos>"]}, ValueError, "'plus <eos>'|special word '<eos>'"),
    ({"stop_strings": ["Plus"]}, ValueError, "'Plus'|unknown word|photo"),
    ({"stop_strings": [""]}, ValueError, "stop string ''|no word"),
    ({"stop_strings": [" \n"]}, ValueError, "stop string|no word"),
    ({"stop_strings": []}, ValueError, "stop_strings is empty|at least one|None"),
    ({"stop_strings": ()}, ValueError, "stop_strings is empty|at least one|None"),
    ({"stop_strings": "plus"}, TypeError, "stop_strings is 'plus'|list of strings"),
    ({"stop_strings": [10]}, TypeError, "stop_strings holds 10|strings"),
    ({"stop_strings": ["plus"], "vocabulary": None}, ValueError, "stop_strings|vocabulary="),
    (
        {"stop_strings": ["plus"], "vocabulary": Vocabulary.of(echo())},
        ValueError,
        "vocabulary has 13 words|12 ids",
    ),
    (
        {"stop_strings": ["a"], "vocabulary": Vocabulary(WORDS.words[:5])},
        ValueError,
        "vocabulary has 5 words|12 ids",
    ),
]


@pytest.mark.parametrize(("options", "error", "words"), BAD_STOP_STRINGS)
def test_bad_stop_strings_are_named_before_the_first_forward(options, error, words):
    model = Scripted([[7]])
    options = {"vocabulary": WORDS, **options}
    for call in (partial(stream), partial(generate, max_new_tokens=1)):
        with pytest.raises(error) as caught:
            call(model, torch.tensor([[BOS]]), **options)
        for word in words.split("|"):
            assert word in str(caught.value)
    assert model.forwards == 0


@pytest.mark.parametrize("empty", [(), [], set(), torch.tensor([], dtype=torch.int64)])
def test_an_empty_list_of_stop_tokens_is_refused_with_the_remedy(empty):
    model = Scripted([[7]])
    for call in (partial(stream), partial(generate, max_new_tokens=1)):
        with pytest.raises(ValueError, match=r"stop_ids is empty; give at least one id, or None"):
            call(model, torch.tensor([[BOS]]), stop_ids=empty)
    assert model.forwards == 0


def test_without_stop_tokens_every_row_goes_to_its_limit():
    got = generate(
        Scripted([[EOS, EOS, PAD]]), torch.tensor([[BOS]]), max_new_tokens=3, temperature=0,
        stop_ids=None,
    )  # fmt: skip
    assert got.rows() == [[EOS, EOS, PAD]]
    assert got.reasons == ("length",)


# ---- a grammar ----------------------------------------------------------------------------------


some_texts = st.lists(
    st.lists(word_ids, max_size=4).map(lambda text: (*text, EOS)),
    min_size=1, max_size=5, unique=True,
)  # fmt: skip


@given(prompts, some_texts, some_controls, st.integers(0, 99))
@examples(40)
def test_every_row_is_a_text_of_the_grammar(rows, texts, controls, seed):
    tokens, token_mask = left(rows)
    got = generate(
        decoder(), tokens, token_mask=token_mask, max_new_tokens=5, seed=seed,
        grammar=Grammar.of_texts(texts), **controls,
    )  # fmt: skip
    assert {tuple(row) for row in got.rows()} <= set(texts)
    assert set(got.reasons) == {"stop"}


def test_under_a_grammar_what_is_allowed_keeps_its_shares():
    # after the first word the two longer texts are as likely as their tokens
    texts = [(3, EOS), (4, 5, EOS), (4, 6, EOS)]
    logits = torch.tensor([9.0, 9.0, 9.0, 1.0, 2.0, 0.0, 1.0, 9.0])
    first, second = logits[[3, 4]].softmax(0).tolist(), logits[[5, 6]].softmax(0).tolist()
    law = dict(zip(texts, (first[0], *(first[1] * p for p in second)), strict=True))
    draws = 3000
    got = generate(
        OneLaw(logits), torch.full((draws, 1), BOS), max_new_tokens=3,
        grammar=Grammar.of_texts(texts),
    )  # fmt: skip
    counts = Counter(map(tuple, got.rows()))
    assert variation(counts, law, draws) < variation_limit(3, draws)
    assert variation(counts, dict.fromkeys(texts, 1 / 3), draws) > variation_limit(3, draws)


def test_a_grammar_does_not_enter_the_log_probabilities():
    logits = [0.0, 3.0, 1.0, 2.0]
    law = torch.tensor(logits).double().log_softmax(dim=-1)
    got = generate(
        OneLaw(logits),
        torch.tensor([[BOS]]),
        max_new_tokens=2,
        grammar=Grammar.of_texts([[3, EOS]]),
    )
    assert got.rows() == [[3, EOS]]
    assert float(got.log_probabilities[0]) == pytest.approx(float(law[3] + law[EOS]), abs=1e-12)


BAD_GRAMMARS = [
    ([[3, 4]], {}, "texts end with [4]|stop_ids|[2]"),
    ([[3, EOS], [4, 5]], {}, "end with [2, 5]|[2]"),
    ([[3, EOS]], {"stop_ids": None}, "end with [2]|[]"),
    ([[3, 4, EOS]], {"stop_ids": (EOS, 3)}, "no other|[2, 3]"),
    ([[3, 4, 5, EOS]], {}, "longest text has 4 tokens|only 3"),
    ([[12, EOS]], {}, "grammar|unknown id 12|0 to 11"),
    ([[3, EOS]], {"stop_strings": ["a photo"], "vocabulary": WORDS}, "several words|grammar"),
    ([[4, EOS]], {"stop_strings": ["photo"], "vocabulary": WORDS}, "no other|[2, 4]"),
]


@pytest.mark.parametrize(("texts", "options", "words"), BAD_GRAMMARS)
def test_a_grammar_that_could_not_hold_is_refused_before_the_first_forward(texts, options, words):
    model = Scripted([[7]])
    for call in (stream, generate):
        with pytest.raises(ValueError) as caught:
            call(
                model, torch.tensor([[BOS]]), max_new_tokens=3, grammar=Grammar.of_texts(texts),
                **options,
            )  # fmt: skip
        for word in words.split("|"):
            assert word in str(caught.value)
    assert model.forwards == 0


# ---- caches -------------------------------------------------------------------------------------


def caches(model, batch, room):
    """One cache of every kind that fits, the preallocated one with no column to spare."""
    made = [model.new_cache(batch), model.new_cache(batch, "preallocated", capacity=room)]
    return made + ([model.new_cache(batch, "window")] if model.config.window else [])


@given(
    rows=prompts, extra=st.integers(0, 2), count=st.integers(1, 5), seed=st.integers(0, 99),
    controls=some_controls, stops=st.sampled_from([None, (EOS, 4, 5)]),
    window=st.sampled_from([None, 1, 2, 4, 50]), blocks=st.integers(1, 2),
    dtype=st.sampled_from([torch.float32, torch.float64]),
)  # fmt: skip
@examples(40)
def test_with_any_cache_the_same_tokens_and_log_probabilities(
    rows, extra, count, seed, controls, stops, window, blocks, dtype
):
    model = decoder(window=window, blocks=blocks).to(dtype)
    tokens, token_mask = left(rows, extra)
    options = {"token_mask": token_mask, "max_new_tokens": count, "seed": seed, "stop_ids": stops}
    plain = generate(model, tokens, **options, **controls)
    width = tokens.shape[1]
    for cache in caches(model, len(rows), width + count - 1):
        got = generate(model, tokens, cache=cache, **options, **controls)
        assert torch.equal(got.tokens, plain.tokens)
        assert torch.equal(got.lengths, plain.lengths)
        assert got.reasons == plain.reasons
        torch.testing.assert_close(
            got.log_probabilities, plain.log_probabilities, rtol=0, atol=1e-5
        )
        # everything but the last token was read, and what stood in the prompt is still padding
        assert cache.length == width + plain.tokens.shape[1] - 1
        assert torch.equal(cache.token_mask[:, :width], token_mask)
        assert cache.token_mask[:, width:].all()


@given(
    rows=short_prompts,
    more=st.integers(0, 2).flatmap(
        lambda size: st.lists(
            st.lists(word_ids, min_size=size, max_size=size), min_size=3, max_size=3
        )
    ),
    seed=st.integers(0, 99), window=st.sampled_from([None, 3]),
    controls=controls_of_one_law,
)  # fmt: skip
@examples(40)
def test_going_on_with_a_full_cache_equals_the_whole_text_without_one(
    rows, more, seed, window, controls
):
    model = decoder(window=window, context=16)
    tokens, token_mask = left(rows)
    for cache in caches(model, len(rows), 16):
        first = generate(
            model, tokens, token_mask=token_mask, max_new_tokens=3, seed=5, stop_ids=None,
            cache=cache, **controls,
        ).rows()  # fmt: skip
        # the last token was chosen but not read yet
        piece = torch.tensor([[new[-1], *words] for new, words in zip(first, more, strict=False)])
        got = generate(
            model, piece, max_new_tokens=3, seed=seed, stop_ids=None,
            cache=cache, **controls,
        )  # fmt: skip
        for b, row in enumerate(rows):
            whole = torch.tensor([row + first[b] + more[b]])
            alone = generate(
                model, whole, max_new_tokens=3, seed=seed + b, stop_ids=None, **controls
            )
            assert got.rows()[b] == alone.rows()[0]
            assert float(got.log_probabilities[b]) == pytest.approx(
                float(alone.log_probabilities[0]), abs=1e-5
            )


@pytest.mark.parametrize("window", [None, 3])
def test_padding_in_the_middle_of_a_text_is_refused_at_the_call(window):
    model, cache = held(window=window)
    before = contents(cache)
    piece, piece_mask = left([[3], [3, 4]])
    with pytest.raises(ValueError, match="token_mask row 0 has padding between real tokens"):
        stream(model, piece, token_mask=piece_mask, cache=cache)
    assert same(contents(cache), before)


def test_the_penalty_counts_what_the_call_reads_and_not_what_the_cache_held():
    model = decoder(context=16)
    model.head.weight.data.zero_()
    model.head.bias.data = torch.arange(V, 0, -1).float()  # greedy: the lowest unseen id
    options = {"max_new_tokens": 3, "temperature": 0, "repetition_penalty": 100.0, "stop_ids": None}
    cache = model.new_cache(1)
    first = generate(model, torch.tensor([[0]]), cache=cache, **options)
    assert first.rows() == [[1, 2, 3]]
    second = generate(model, torch.tensor([[3]]), cache=cache, **options)
    assert second.rows() == [[0, 1, 2]]


def held(**changes):
    """A decoder, its cache that already holds 6 of 12 columns, and what is in it."""
    kind = changes.pop("kind", "growing")
    capacity = changes.pop("capacity", None)
    model = decoder(**changes)
    cache = model.new_cache(2, kind, capacity=capacity)
    with torch.no_grad():
        model(*left([[3, 4, 5], [3, 4, 5, 6, 7, 8]]), cache=cache)
    return model, cache


def contents(cache):
    """All that a cache holds, and its length; room that is only reserved may hold NaN."""
    tensors = [cache.token_mask, *(x[:, :, : cache.length] for x in cache._tensors())]
    return [torch.tensor(cache.length), *(x.clone() for x in tensors)]


def same(some, others):
    return all(torch.equal(x, y) for x, y in zip(some, others, strict=True))


TWO = torch.tensor([[3, 4], [5, 6]])
BAD_CACHES = [
    # the model and cache that are there, who asks instead or with what, options, words
    ({}, {}, {"max_new_tokens": 5}, "8 tokens|max_new_tokens=5|context of 12|at most 4"),
    ({"context": 8}, {}, {}, "8 tokens|context of 8|no room"),
    ({"context": 7}, {}, {}, "holds 6 tokens|2 more|context of 7"),
    (
        {"kind": "preallocated", "capacity": 9},
        {},
        {"max_new_tokens": 3},
        "8 tokens|max_new_tokens=3|room for 10|has 9",
    ),
    (
        {"kind": "preallocated", "capacity": 7},
        {},
        {"max_new_tokens": 1},
        "holds 6 of 7|2 more do not fit",
    ),
    ({}, {"tokens": TWO[:1]}, {}, "batch=2|batch=1"),
    ({}, {"tokens": TWO.repeat(2, 1)}, {}, "batch=2|batch=4"),
    ({}, {"model": decoder().double()}, {}, "dtype=torch.float32|dtype=torch.float64"),
    ({}, {"model": decoder(blocks=2)}, {}, "blocks=1|blocks=2"),
    ({}, {"model": decoder(heads=4)}, {}, "heads=2|heads=4"),
    ({}, {"model": decoder(width=16)}, {}, "head_width=4|head_width=8"),
    ({}, {"model": decoder()}, {}, "keys of another model"),
    ({}, {"model": decoder(causal=False)}, {}, "not causal|without a cache"),
    ({"kind": "window", "window": 3}, {"model": decoder(window=4)}, {}, "keeps 3|window is 4"),
    ({"kind": "window", "window": 3}, {"model": decoder()}, {}, "keeps 3|window is None"),
]


@pytest.mark.parametrize(("shape", "other", "options", "words"), BAD_CACHES)
def test_a_cache_that_does_not_fit_is_refused_before_the_first_forward_unchanged(
    shape, other, options, words
):
    own, cache = held(**shape)
    model, forwards = counting(other.get("model", own))
    forwards.clear()
    tokens = other.get("tokens", TWO)
    before = contents(cache)
    calls = [lambda: stream(model, tokens, cache=cache, **options)]
    if options:
        calls.append(lambda: generate(model, tokens, cache=cache, **options))
    for call in calls:
        with pytest.raises(ValueError) as caught:
            call()
        for word in words.split("|"):
            assert word in str(caught.value)
    assert not forwards
    assert same(contents(cache), before)


@pytest.mark.parametrize(
    "options",
    [{"stop_ids": ()}, {"stop_strings": ["x"], "vocabulary": WORDS}, {"top_p": 2}, {"seed": 0.5},
     {"max_new_tokens": 0}, {"nonsense": 1}, {"pad_id": V}, {"token_mask": ~TWO.bool()},
     {"grammar": Grammar.of_texts([[3, 4]])}],
)  # fmt: skip
def test_any_refusal_leaves_the_cache_as_it_was(options):
    model, cache = held()
    before = contents(cache)
    with pytest.raises((TypeError, ValueError)):
        stream(model, TWO, cache=cache, **options)
    assert same(contents(cache), before)


def test_exactly_to_the_context_and_to_the_capacity_fits():
    model, cache = held()
    assert generate(model, TWO, cache=cache, max_new_tokens=4, stop_ids=None).tokens.shape == (2, 4)
    assert cache.length == CONTEXT - 1
    model, cache = held(kind="preallocated", capacity=10)
    assert generate(model, TWO, cache=cache, max_new_tokens=3, stop_ids=None).tokens.shape == (2, 3)
    assert cache.length == cache.capacity == 10
    model, cache = held()
    steps = list(stream(model, TWO, cache=cache, stop_ids=None))
    assert [step.reasons for step in steps][-1] == ("context", "context")
    assert len(steps) == 4


def test_a_wider_window_cache_serves_a_model_with_a_smaller_window():
    model = decoder(window=2)
    wide = WindowCache(model.new_cache(1).shape, 5)
    options = {"max_new_tokens": 6, "seed": 3, "stop_ids": None}
    got, wanted = (generate(model, TWO[:1], cache=c, **options) for c in (wide, None))
    assert got.rows() == wanted.rows()


def test_with_a_cache_each_step_reads_only_what_is_new():
    model = decoder()
    read, states = [], model.states
    model.states = lambda tokens, *rest, **o: (
        read.append(tokens.shape[1]) or states(tokens, *rest, **o)
    )
    generate(model, TWO, cache=model.new_cache(2), max_new_tokens=4, stop_ids=None)
    assert read == [2, 1, 1, 1]
    read.clear()
    generate(model, TWO, max_new_tokens=4, stop_ids=None)
    assert read == [2, 3, 4, 5]


# ---- a second sequence --------------------------------------------------------------------------


@given(short_prompts, st.integers(0, 9), st.integers(1, 3))
@examples(20)
def test_a_second_sequence_is_looked_at_with_and_without_a_cache(rows, seed, length):
    model = decoder(cross_attention=True, blocks=2)
    generator = torch.Generator().manual_seed(seed)
    source = torch.randn(len(rows), length, 8, generator=generator)
    with torch.no_grad():
        memory, other = model.memory_of(source), model.memory_of(-source)
    tokens, token_mask = left(rows)
    options = {"token_mask": token_mask, "max_new_tokens": 3, "seed": seed, "stop_ids": None}
    plain = generate(model, tokens, memory=memory, **options)
    for cache in caches(model, len(rows), tokens.shape[1] + 2):
        got = generate(model, tokens, memory=memory, cache=cache, **options)
        assert torch.equal(got.tokens, plain.tokens)
        torch.testing.assert_close(
            got.log_probabilities, plain.log_probabilities, rtol=0, atol=1e-5
        )
    changed = generate(model, tokens, memory=other, **options)
    assert (changed.log_probabilities != plain.log_probabilities).all()


def test_a_second_sequence_that_does_not_fit_is_refused_at_the_call():
    model = decoder(cross_attention=True)
    deeper = decoder(cross_attention=True, blocks=2)
    for asked, memory, words in (
        (model, None, "second sequence|memory_of"),
        (decoder(), model.memory_of(torch.zeros(2, 3, 8)), "no cross-attention"),
        (model, model.memory_of(torch.zeros(3, 3, 8)), "3 rows|of 2"),
        (model, deeper.memory_of(torch.zeros(2, 3, 8)), "2 entries|1 blocks"),
        (deeper, model.memory_of(torch.zeros(2, 3, 8)), "1 entries|2 blocks"),
    ):
        asked, forwards = counting(asked)
        with pytest.raises(ValueError) as caught:
            stream(asked, TWO, memory=memory)
        for word in words.split("|"):
            assert word in str(caught.value)
        assert not forwards


# ---- one loop: generate is the collected stream -------------------------------------------------


@given(prompts, st.integers(1, 6), st.sampled_from([0, 0.5, 2.0]), st.integers(0, 9))
@examples(30)
def test_generate_equals_the_collected_stream(rows, count, temperature, seed):
    model = decoder()
    tokens, token_mask = left(rows)
    options = {
        "token_mask": token_mask,
        "max_new_tokens": count,
        "temperature": temperature,
        "seed": seed,
        "stop_ids": (EOS, 4),
    }
    got = generate(model, tokens, **options)
    steps = list(stream(model, tokens, **options))
    assert isinstance(got, Generation)
    assert torch.equal(got.tokens, torch.stack([step.tokens for step in steps], dim=1))
    assert got.reasons == steps[-1].reasons
    for b in range(len(rows)):
        running = [b for step in steps if step.reasons[b] is None]
        assert got.lengths[b] == min(len(running) + 1, len(steps))


@given(st.integers(1, CONTEXT - 1))
@examples(10)
def test_an_unlimited_stream_goes_to_the_context_and_says_so(length):
    prompt = torch.full((2, length), 3)
    steps = list(stream(decoder(), prompt, stop_ids=None))
    assert len(steps) == CONTEXT - length
    assert steps[-1].reasons == ("context", "context")
    assert all(step.reasons == (None, None) for step in steps[:-1])


def test_generate_needs_a_number_where_a_stream_needs_none():
    with pytest.raises(ValueError, match="max_new_tokens is None; give a whole number, or use str"):
        generate(decoder(), torch.tensor([[BOS]]), max_new_tokens=None)


def test_exactly_to_the_context_fits_and_ends_with_length():
    got = generate(decoder(), torch.full((1, 5), 3), max_new_tokens=CONTEXT - 5, stop_ids=None)
    assert got.lengths.tolist() == [CONTEXT - 5]
    assert got.reasons == ("length",)


# ---- nothing else changes -----------------------------------------------------------------------


@given(st.booleans(), st.floats(0.1, 0.9))
@examples(10)
def test_generate_is_without_dropout_and_leaves_the_mode_as_found_C15(mode, dropout):
    model = decoder(dropout=dropout, blocks=2).train(mode)
    plain = decoder(blocks=2)
    prompt = torch.tensor([[BOS, 5]])
    for temperature in (0, 1.0):
        options = {"max_new_tokens": 8, "temperature": temperature, "stop_ids": None}
        got, wanted = (generate(which, prompt, **options) for which in (model, plain))
        assert torch.equal(got.tokens, wanted.tokens)
    assert all(module.training is mode for module in model.modules())


@pytest.mark.parametrize("mode", [True, False])
def test_between_steps_and_after_closing_half_way_the_mode_is_as_found_C15(mode):
    model = Scripted([[7] * 9]).train(mode)
    steps = stream(model, torch.tensor([[BOS]]), max_new_tokens=9)
    for _ in range(3):
        next(steps)
        assert model.training is mode
        assert torch.is_grad_enabled()
    steps.close()
    assert model.training is mode
    assert model.modes == [False] * 3
    assert model.forwards == 3


def test_a_part_kept_in_eval_mode_stays_so_C15():
    model = decoder(dropout=0.5).train()
    model.blocks[0].eval()
    before = [module.training for module in model.modules()]
    generate(model, torch.tensor([[BOS]]), max_new_tokens=2)
    assert [module.training for module in model.modules()] == before


def test_a_model_that_raises_half_way_is_left_in_its_mode_C15():
    model = Scripted([[7]]).train()  # its script ends after one token
    with pytest.raises(IndexError):
        generate(model, torch.tensor([[BOS]]), max_new_tokens=2, temperature=0)
    assert model.training


def test_generate_changes_no_argument_no_weight_and_no_global_generator():
    model = decoder()
    tokens, token_mask = left([[3], [3, 4, 5]])
    before = [tokens.clone(), token_mask.clone(), torch.get_rng_state()]
    weights = [parameter.clone() for parameter in model.parameters()]
    got = generate(model, tokens, token_mask=token_mask, max_new_tokens=4)
    after = [tokens, token_mask, torch.get_rng_state()]
    assert all(torch.equal(x, y) for x, y in zip(before, after, strict=True))
    assert all(torch.equal(x, y) for x, y in zip(weights, model.parameters(), strict=True))
    assert all(parameter.grad is None for parameter in model.parameters())
    assert not got.tokens.requires_grad


def test_the_global_generator_has_no_say():
    texts = []
    for state in (1, 2):
        torch.manual_seed(state)
        got = generate(OneLaw([0.0] * 8), torch.tensor([[BOS]]), max_new_tokens=9, stop_ids=None)
        texts.append(got.rows())
    assert texts[0] == texts[1]


# ---- bad input: refused at the call, before the first forward -----------------------------------


def ones(*shape):
    return torch.ones(*shape, dtype=torch.bool)


HOLE = torch.tensor([[True, False, True]])


ONE = {"max_new_tokens": 1}
BAD_ARGUMENTS = [
    ([[1, 3]], {"max_new_tokens": 31}, ValueError, "prompt of 2|max_new_tokens=31|of 32|most 30"),
    ([[1] * 33], ONE, ValueError, "prompt of 33|context of 32|at most 0"),
    ([[1] * 33], {}, ValueError, "prompt|33|context of 32"),
    ([[1] * 32], {}, ValueError, "32 tokens|context of 32|no room"),
    ([[1]], {"max_new_tokens": 0}, ValueError, "max_new_tokens is 0|1 or more"),
    ([[1]], {"max_new_tokens": -2}, ValueError, "max_new_tokens is -2|1 or more"),
    ([[1]], {"max_new_tokens": 2.5}, ValueError, "max_new_tokens is 2.5|whole number"),
    ([[1]], {"max_new_tokens": True}, ValueError, "max_new_tokens is True|whole number"),
    ([[1, 12]], ONE, ValueError, "tokens|unknown id 12|0 to 11"),
    ([[-1]], ONE, ValueError, "tokens|unknown id -1|0 to 11"),
    ([1, 3], ONE, ValueError, "tokens|[2]|[B, T]"),
    ([[], []], ONE, TypeError, "tokens|float32|int64"),
    (torch.zeros(2, 0).long(), ONE, ValueError, "empty rows|[2, 0]"),
    (torch.zeros(0, 2).long(), ONE, ValueError, "empty batch|[0, 2]"),
    (torch.zeros(1, 2).int(), ONE, TypeError, "tokens|int32|int64"),
    ([[1, 3]], {"token_mask": ones(1, 3)}, ValueError, "token_mask|[1, 3]|[1, 2]"),
    ([[1, 3]], {"token_mask": ones(1, 2).long()}, TypeError, "token_mask|int64|bool"),
    ([[1, 3]], {"token_mask": ~ones(1, 2)}, ValueError, "token_mask row 0|no real token"),
    ([[1, 3]], {"token_mask": ones(1, 2).tril()}, ValueError, "token_mask|end of a row|left"),
    ([[1, 3, 4]], {"token_mask": HOLE}, ValueError, "token_mask row 0|between real tokens"),
    ([[1]], {"stop_ids": (2, 12)}, ValueError, "stop_ids|unknown id 12|0 to 11"),
    ([[1]], {"stop_ids": (-1,)}, ValueError, "stop_ids|unknown id -1|0 to 11"),
    ([[1]], {"pad_id": 12}, ValueError, "pad_id|unknown id 12|0 to 11"),
    ([[1]], {"seed": "seven"}, TypeError, "seed is 'seven'|whole number"),
    ([[1]], {"seed": 1.5}, TypeError, "seed is 1.5|whole number"),
]


@pytest.mark.parametrize(("tokens", "options", "error", "words"), BAD_ARGUMENTS)
def test_bad_arguments_are_named_before_the_first_forward(tokens, options, error, words):
    model = Scripted([[7]])
    tokens = tokens if isinstance(tokens, torch.Tensor) else torch.tensor(tokens)
    calls = [lambda: stream(model, tokens, **options)]
    if "max_new_tokens" in options:
        calls.append(lambda: generate(model, tokens, **options))
    for call in calls:
        with pytest.raises(error) as caught:
            call()  # a stream's first step is not even asked for
        for word in words.split("|"):
            assert word in str(caught.value)
    assert model.forwards == 0


@pytest.mark.parametrize("where", ["tokens", "model"])
def test_tokens_and_model_on_two_devices_are_refused_at_the_call(where):
    model, tokens = decoder(), torch.tensor([[BOS]])
    if where == "model":
        model = model.to("meta")
    else:
        tokens = tokens.to("meta")
    with pytest.raises(ValueError, match=r"tokens are on \w+, the model on \w+"):
        stream(model, tokens, max_new_tokens=1)


def test_stop_ids_may_come_from_an_iterator_and_must_be_whole_numbers():
    for stops in (iter([5]), (i for i in [5])):
        got = generate(
            Scripted([[7, 5, 9]]),
            torch.tensor([[BOS]]),
            max_new_tokens=3,
            temperature=0,
            stop_ids=stops,
        )
        assert got.rows() == [[7, 5]]
    for stops in (5, 2.0):
        with pytest.raises(TypeError, match=f"stop_ids is {stops}; give a list of ids, or None"):
            stream(Scripted([[7]]), torch.tensor([[BOS]]), stop_ids=stops)
    for stops in ((2.7,), "2"):
        with pytest.raises(TypeError, match="stop_ids holds"):
            stream(Scripted([[7]]), torch.tensor([[BOS]]), stop_ids=stops)


def test_seeds_go_as_far_as_torch_takes_them_for_every_row():
    model, prompt = decoder(), torch.tensor([[3], [4]])
    go_on = partial(generate, model, prompt, max_new_tokens=np.int64(2), stop_ids=None)
    assert torch.equal(go_on(seed=np.int64(7)).tokens, go_on(seed=7).tokens)
    for seed in (-(2**63), -1, 2**64 - 2):
        assert go_on(seed=seed).tokens.shape == (2, 2)
    for seed in (-(2**63) - 1, 2**64 - 1, 10**30):
        with pytest.raises(ValueError, match=r"seed is .*; give one from -2\*\*63 to 2\*\*64 - 2"):
            stream(model, prompt, seed=seed)
