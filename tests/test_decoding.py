"""From laws to text: the law at a temperature, greedy and sampled choice, stopping, streaming."""

import math
from collections import Counter

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.decoding import Generation, choose, generate, next_token_law, stream
from helpers.language import BOS, EOS, PAD, captions, echo
from helpers.model import Decoder, DecoderConfig
from helpers.tokens import pad_rows
from tests.stub_models import KnowsTheLaw, OneLaw, Scripted

V, CONTEXT = 9, 12
FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
prompts = st.lists(st.lists(st.integers(3, V - 1), min_size=1, max_size=5), min_size=1, max_size=4)
some_logits = st.lists(st.floats(-30, 30, width=16), min_size=2, max_size=6)


def decoder(**changes):
    shape = {"vocab_size": V, "context": CONTEXT, "width": 8, "heads": 2} | changes
    return Decoder(DecoderConfig(**shape), seed=3).eval()


def left(rows, extra=0):
    return pad_rows(rows, max(map(len, rows)) + extra, side="left")


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
    assert {choose(logits, temperature, generators).item() for _ in range(20)} == {2}


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
    assert choose(torch.tensor([logits]), 0, None).item() == logits.index(max(logits))


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
@settings(max_examples=30)
def test_greedy_is_the_argmax_of_the_last_position_each_time(rows, count, positions):
    model = decoder(positions=positions)
    tokens, token_mask = left(rows)
    got = generate(
        model, tokens, token_mask=token_mask, max_new_tokens=count, temperature=0, stop_ids=()
    )
    for row, new in zip(rows, got.rows(), strict=True):
        text = list(row)
        for token in new:
            assert token == model(torch.tensor([text]))[0, -1].argmax()
            text.append(token)
        assert len(new) == count


@given(prompts, st.integers(0, 2), st.sampled_from([0, 0.7, 1.0, 3.0]), st.integers(0, 99))
@settings(max_examples=40)
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
    options = {"max_new_tokens": 12, "stop_ids": ()}
    rows = generate(model, same, seed=5, **options).rows()
    assert len(set(map(tuple, rows))) == 6  # alike with a chance of 15 in 8 ** 12
    assert rows == generate(model, same, seed=5, **options).rows()
    assert rows[1:] == generate(model, same[:5], seed=6, **options).rows()


# The share of each of k outcomes in n draws: P(total variation >= e) <= 2**k exp(-2 n e**2)
# (union of Hoeffding's bound over all events). The limit below is passed by chance once in 1e7.
def variation_limit(outcomes, draws):
    return math.sqrt((outcomes * math.log(2) + math.log(1e7)) / (2 * draws))


def variation(counts, law, draws):
    return sum(abs(counts[key] / draws - p) for key, p in law.items()) / 2


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("shape", [(1, 4000), (2000, 2)])
def test_sampled_tokens_follow_the_law(temperature, shape):
    logits = [0.0, -1.0, 1.5, 2.0, -math.inf]
    rows, steps = shape
    model = OneLaw(logits, context=steps + 1)
    tokens = torch.full((rows, 1), BOS)
    got = generate(model, tokens, max_new_tokens=steps, temperature=temperature, stop_ids=())
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


def test_a_stream_tells_who_has_ended_and_why_C30():
    model = Scripted([[7, EOS, 9, 9], [7, 7, 7, 7]])
    steps = list(stream(model, torch.tensor([[BOS]] * 2), max_new_tokens=3, temperature=0))
    assert [step.tokens.tolist() for step in steps] == [[7, 7], [EOS, 7], [PAD, 7]]
    assert [step.reasons for step in steps] == [(None, None), ("stop", None), ("stop", "length")]


scripts = st.lists(st.lists(st.integers(0, 11), min_size=8, max_size=8), min_size=1, max_size=4)


@given(
    scripts,
    st.integers(1, 8),
    st.sets(st.integers(0, 11), max_size=4),
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
        at = next((i for i, token in enumerate(script[:limit]) if token in stops), None)
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


# ---- one loop: generate is the collected stream -------------------------------------------------


@given(prompts, st.integers(1, 6), st.sampled_from([0, 0.5, 2.0]), st.integers(0, 9))
@settings(max_examples=30)
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
@settings(max_examples=10)
def test_an_unlimited_stream_goes_to_the_context_and_says_so(length):
    prompt = torch.full((2, length), 3)
    steps = list(stream(decoder(), prompt, stop_ids=()))
    assert len(steps) == CONTEXT - length
    assert steps[-1].reasons == ("context", "context")
    assert all(step.reasons == (None, None) for step in steps[:-1])


def test_exactly_to_the_context_fits_and_ends_with_length():
    got = generate(decoder(), torch.full((1, 5), 3), max_new_tokens=CONTEXT - 5, stop_ids=())
    assert got.lengths.tolist() == [CONTEXT - 5]
    assert got.reasons == ("length",)


# ---- nothing else changes -----------------------------------------------------------------------


@given(st.booleans(), st.floats(0.1, 0.9))
@settings(max_examples=10)
def test_generate_is_without_dropout_and_leaves_the_mode_as_found_C15(mode, dropout):
    model = decoder(dropout=dropout, blocks=2).train(mode)
    plain = decoder(blocks=2)
    prompt = torch.tensor([[BOS, 5]])
    for temperature in (0, 1.0):
        options = {"max_new_tokens": 8, "temperature": temperature, "stop_ids": ()}
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
        got = generate(OneLaw([0.0] * 8), torch.tensor([[BOS]]), max_new_tokens=9, stop_ids=())
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
    for stops in ((2.7,), "2"):
        with pytest.raises(TypeError, match="stop_ids holds"):
            stream(Scripted([[7]]), torch.tensor([[BOS]]), stop_ids=stops)
