"""Targets, the loss, the training loop, and the measures against the exact law."""

import math
from itertools import islice

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.languages.language import EOS, PAD, caption_sentences, captions, echo, recall
from helpers.languages.tokens import pad_rows
from helpers.training import pretrained
from helpers.training.adamw import AdamW
from helpers.training.batches import Batch, shuffled_batches
from helpers.training.log import Log
from helpers.training.loop import (
    IGNORE,
    accumulate,
    cross_entropy,
    learned_law,
    next_token_loss,
    next_token_targets,
    total_variation,
    train,
    worst_prefix,
)
from helpers.training.schedules import Schedule, cosine_rate
from tests.stub_models import KnowsTheLaw, OneLaw
from tests.tiers import examples

V = 7
rows_of_ids = st.lists(
    st.lists(st.integers(0, V - 1), min_size=1, max_size=6), min_size=1, max_size=4
)
sides = st.sampled_from(["left", "right"])
extras = st.integers(0, 3)


def padded(rows, side="right", extra=0, pad_id=PAD):
    return pad_rows(rows, max(map(len, rows)) + extra, side, pad_id)


def random_logits(tokens, seed=0, vocab_size=V, dtype=torch.float32):
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(*tokens.shape, vocab_size, generator=generator, dtype=torch.float64)
    return logits.to(dtype).requires_grad_()


def tiny(**changes):
    shape = {"vocab_size": 12, "context": 9, "width": 8, "heads": 2} | changes
    return Decoder(DecoderConfig(**shape))


def weights_of(model):
    return {name: value.clone() for name, value in model.state_dict().items()}


def same_weights(model, before):
    return all(torch.equal(value, before[name]) for name, value in model.state_dict().items())


# ---- targets ------------------------------------------------------------------------------------


@given(rows_of_ids, sides, extras, st.integers(0, V - 1))
def test_targets_are_the_next_tokens_of_each_row_and_nothing_else(rows, side, extra, pad_id):
    tokens, token_mask = padded(rows, side, extra, pad_id)
    before = tokens.clone()
    targets = next_token_targets(tokens, token_mask)
    assert targets.shape == tokens.shape
    assert torch.equal(tokens, before)
    for i, row in enumerate(rows):
        real = targets[i, token_mask[i]].tolist()
        assert real == [*row[1:], IGNORE]
        assert (targets[i, ~token_mask[i]] == IGNORE).all()


def test_without_a_mask_every_token_counts_also_one_with_the_padding_id():
    tokens = torch.tensor([[1, 0, 0, 2]])
    assert next_token_targets(tokens).tolist() == [[0, 0, 2, IGNORE]]


def test_the_end_token_stays_a_target_when_padding_has_its_id_C13():
    tokens, token_mask = pad_rows([[3, 4, 2]], length=5, pad_id=2)
    assert tokens.tolist() == [[3, 4, 2, 2, 2]]
    targets = next_token_targets(tokens, token_mask)
    assert targets.tolist() == [[4, 2, IGNORE, IGNORE, IGNORE]]


@given(
    st.lists(st.lists(st.integers(3, 6), max_size=5), min_size=1, max_size=4),
    sides,
    extras,
    st.sampled_from([0, EOS, 5]),
)
def test_every_row_counts_its_end_once_whatever_the_padding_id_C13(texts, side, extra, pad_id):
    rows = [[1, *text, EOS] for text in texts]
    tokens, token_mask = padded(rows, side, extra, pad_id)
    targets = next_token_targets(tokens, token_mask)
    assert (targets != IGNORE).sum(dim=1).tolist() == [len(row) - 1 for row in rows]
    assert (targets == EOS).sum(dim=1).tolist() == [1] * len(rows)


def test_the_ignored_target_is_the_number_that_torch_ignores():
    logits = torch.randn(2, 3, generator=torch.Generator().manual_seed(0))
    counted = F.cross_entropy(logits[:1], torch.tensor([1]))
    assert F.cross_entropy(logits, torch.tensor([1, IGNORE])) == counted


# ---- the loss -----------------------------------------------------------------------------------


def test_the_shift_happens_exactly_once_C09():
    tokens = torch.tensor([[5, 6, 7, 8]])
    logits = torch.zeros(1, 4, 9)
    logits[0, torch.arange(4), (tokens[0] + 1) % 9] = 10
    loss = next_token_loss(logits, tokens)
    assert f"{loss:.6f}" == "0.000363"
    assert int((next_token_targets(tokens) != IGNORE).sum()) == 3


@given(rows_of_ids, sides, extras, st.integers(0, 99))
def test_loss_equals_torchs_cross_entropy_on_shifted_rows_C09(rows, side, extra, seed):
    tokens, token_mask = padded(rows, side, extra)
    logits = random_logits(tokens, seed)
    predicted = [logits[i, token_mask[i]][:-1] for i in range(len(rows))]
    wanted = [torch.tensor(row[1:], dtype=torch.int64) for row in rows]
    count = sum(map(len, wanted))
    if count == 0:
        return  # C10 below
    reference = F.cross_entropy(torch.cat(predicted), torch.cat(wanted))
    torch.testing.assert_close(next_token_loss(logits, tokens, token_mask), reference)
    total = next_token_loss(logits, tokens, token_mask, reduction="sum")
    torch.testing.assert_close(total, reference * count)
    each = next_token_loss(logits, tokens, token_mask, reduction="none")
    assert each.shape == tokens.shape
    assert (each[next_token_targets(tokens, token_mask) == IGNORE] == 0).all()
    torch.testing.assert_close(each.sum(), total)


@given(rows_of_ids, sides, extras)
def test_only_positions_that_predict_something_get_a_gradient(rows, side, extra):
    tokens, token_mask = padded(rows, side, extra)
    logits = random_logits(tokens)
    next_token_loss(logits, tokens, token_mask).backward()
    counted = next_token_targets(tokens, token_mask) != IGNORE
    assert torch.equal((logits.grad != 0).any(dim=-1), counted)


def test_no_counted_target_gives_a_connected_zero_C10():
    logits = torch.zeros(3, 1, 5, requires_grad=True)
    loss = next_token_loss(logits, torch.tensor([[1], [2], [3]]))
    assert loss.item() == 0.0
    assert loss.grad_fn is not None
    loss.backward()
    assert torch.equal(logits.grad, torch.zeros(3, 1, 5))


@given(
    st.integers(1, 4),
    st.integers(1, 5),
    sides,
    st.sampled_from(["mean", "sum"]),
    st.sampled_from([torch.float32, torch.float64, torch.float16, torch.bfloat16]),
)
def test_rows_of_one_token_count_for_nothing_in_every_dtype_C10(b, length, side, how, dtype):
    tokens, token_mask = pad_rows([[3]] * b, length, side)
    logits = random_logits(tokens, dtype=dtype)
    loss = next_token_loss(logits, tokens, token_mask, reduction=how)
    assert loss.item() == 0.0
    assert loss.grad_fn is not None
    loss.backward()
    assert torch.equal(logits.grad, torch.zeros_like(logits))


def test_a_whole_model_gets_zero_gradients_and_a_step_leaves_it_alone_C10():
    model = tiny()
    before = weights_of(model)
    tokens, token_mask = pad_rows([[3], [4]], length=5)
    next_token_loss(model(tokens, token_mask), tokens, token_mask).backward()
    gradients = [parameter.grad for parameter in model.parameters()]
    assert all((g == 0).all() for g in gradients if g is not None)
    assert any(g is not None for g in gradients)
    model.zero_grad()
    losses = train(model, iter([Batch(tokens, token_mask)] * 2), steps=2)
    assert losses == [0.0, 0.0]
    assert same_weights(model, before)


@given(st.lists(st.integers(0, V - 1), min_size=2, max_size=6), st.integers(1, 3), sides)
def test_a_row_without_targets_leaves_a_mixed_batch_as_the_normal_row_alone_C10(row, empty, side):
    alone = torch.tensor([row])
    tokens, token_mask = padded([row] + [[3]] * empty, side)
    logits = random_logits(tokens)
    first = logits[:1].detach().clone().requires_grad_()
    wanted = next_token_loss(first, alone)
    loss = next_token_loss(logits, tokens, token_mask)
    torch.testing.assert_close(loss, wanted)
    loss.backward()
    wanted.backward()
    torch.testing.assert_close(logits.grad[:1], first.grad)
    assert (logits.grad[1:] == 0).all()


def test_sums_over_pieces_divided_once_equal_the_mean_over_the_whole_batch():
    rows = [[1, 3], [1, 4, 5, 6, 2], [1, 4, 2]]
    tokens, token_mask = padded(rows)
    logits = random_logits(tokens)
    count = sum(len(row) - 1 for row in rows)
    pieces = [
        next_token_loss(
            logits[i : i + 1], tokens[i : i + 1], token_mask[i : i + 1], reduction="sum"
        )
        for i in range(3)
    ]
    (wanted,) = torch.autograd.grad(next_token_loss(logits, tokens, token_mask), logits)
    (got,) = torch.autograd.grad(sum(pieces) / count, logits)
    torch.testing.assert_close(got, wanted)


@given(st.integers(2, 40), st.integers(2, 5))
def test_a_model_that_knows_nothing_pays_the_logarithm_of_the_vocabulary(vocab_size, length):
    tokens = torch.zeros(2, length, dtype=torch.int64)
    loss = next_token_loss(torch.zeros(2, length, vocab_size, dtype=torch.float64), tokens)
    assert loss.item() == pytest.approx(math.log(vocab_size), abs=1e-12)


@pytest.mark.parametrize(
    ("logits", "tokens", "options", "error", "words"),
    [
        (torch.zeros(1, 3, 5), torch.zeros(1, 4).long(), {}, ValueError, ["[1, 3, 5]", "[1, 4]"]),
        (torch.zeros(3, 5), torch.zeros(3).long(), {}, ValueError, ["logits", "[3, 5]"]),
        (torch.zeros(1, 3, 5), torch.tensor([[1, 5, 2]]), {}, ValueError, ["id 5", "0 to 4"]),
        (torch.zeros(1, 3, 5), torch.tensor([[1, -1, 2]]), {}, ValueError, ["id -1", "0 to 4"]),
        (torch.zeros(1, 3, 5), torch.zeros(1, 3), {}, TypeError, ["tokens", "float32", "int64"]),
        (
            torch.zeros(1, 3, 5),
            torch.zeros(1, 3).long(),
            {"reduction": "average"},
            ValueError,
            ["reduction", "'average'", "'mean', 'sum' or 'none'"],
        ),
        (
            torch.zeros(1, 3, 5),
            torch.zeros(1, 3).long(),
            {"token_mask": torch.ones(1, 2, dtype=torch.bool)},
            ValueError,
            ["token_mask", "[1, 2]", "[1, 3]"],
        ),
        (
            torch.zeros(1, 3, 5),
            torch.zeros(1, 3).long(),
            {"token_mask": torch.ones(1, 3)},
            TypeError,
            ["token_mask", "float32", "bool"],
        ),
        (
            torch.zeros(1, 3, 5),
            torch.zeros(1, 3).long(),
            {"token_mask": torch.zeros(1, 3, dtype=torch.bool)},
            ValueError,
            ["token_mask row 0", "no real token"],
        ),
        (
            torch.zeros(1, 3, 5),
            torch.zeros(1, 3).long(),
            {"token_mask": torch.tensor([[True, False, True]])},
            ValueError,
            ["token_mask row 0", "padding between real tokens"],
        ),
        (torch.zeros(0, 3, 5), torch.zeros(0, 3).long(), {}, ValueError, ["empty batch"]),
    ],
)
def test_loss_refuses_by_name(logits, tokens, options, error, words):
    with pytest.raises(error) as caught:
        next_token_loss(logits, tokens, **options)
    for word in words:
        assert word in str(caught.value)


# ---- the loop -----------------------------------------------------------------------------------


def caption_batches(seed=0, size=32):
    return shuffled_batches(caption_sentences()[0], size, seed=seed)


@pytest.mark.parametrize("schedule", ["cosine", "constant"])
def test_the_schedule_reaches_the_optimiser(schedule):
    used = []

    class Watched(AdamW):
        def step(self, rate):
            used.append(rate)
            super().step(rate)

    model = tiny()
    watched = Watched(model.parameters())
    train(model, caption_batches(), steps=4, rate=0.01, schedule=schedule, optimizer=watched)
    wanted = [cosine_rate(i, 4, 0.01) if schedule == "cosine" else 0.01 for i in range(4)]
    assert used == wanted


def test_training_reports_each_step_once_and_starts_from_the_untrained_loss():
    model = tiny()
    batch = next(caption_batches())
    with torch.no_grad():
        untrained = next_token_loss(
            model(batch.tokens, batch.token_mask), batch.tokens, batch.token_mask
        )
    told = []
    losses = train(
        model, caption_batches(), steps=5, after_step=lambda step, loss: told.append((step, loss))
    )
    assert told == list(enumerate(losses, start=1))
    assert losses[0] == pytest.approx(untrained.item(), abs=1e-5)


def test_one_small_batch_is_learned_to_its_floor():
    # two sentences that part at the second word, so ln 2 nats over 14 predicted tokens
    model = tiny(width=16)
    rows = [captions().sentences[0], captions().sentences[4]]
    batch = Batch.of(rows)
    floor = math.log(2) / 7  # each sentence has 7 predicted tokens, one of which is a coin
    losses = train(model, iter([batch] * 150), steps=150, rate=0.01)
    assert floor - 1e-4 < losses[-1] < floor + 0.01


def test_training_twice_from_the_same_seeds_gives_the_same_weights():
    first, second = tiny(), tiny()
    assert train(first, caption_batches(3), steps=5) == train(second, caption_batches(3), steps=5)
    assert same_weights(first, weights_of(second))


@pytest.mark.parametrize("mode", [True, False])
def test_training_uses_train_mode_and_leaves_the_mode_as_found_C15(mode):
    model = tiny(dropout=0.5).train(mode)
    seen = []
    model.register_forward_hook(lambda module, *_: seen.append(module.training))
    train(model, caption_batches(), steps=2)
    assert seen == [True, True]
    assert model.training is mode
    cross_entropy(model, captions())
    learned_law(model, [(1,)])
    assert seen[2:] == [False, False]
    assert model.training is mode


def test_every_part_gets_its_own_mode_back_C15():
    model = tiny(dropout=0.5).train()
    model.blocks[0].eval()
    before = [module.training for module in model.modules()]
    for measure in (
        lambda: train(model, caption_batches(), steps=1),
        lambda: cross_entropy(model, captions()),
        lambda: learned_law(model, [(1,)]),
    ):
        measure()
        assert [module.training for module in model.modules()] == before


@given(st.floats(0, 0.9), st.integers(1, 3), st.sampled_from(["post", "pre"]))
@examples(10)
def test_dropout_is_off_in_evaluation_C15(dropout, blocks, norm_placement):
    shape = {"blocks": blocks, "norm_placement": norm_placement}
    model = tiny(dropout=dropout, **shape).eval()
    plain = tiny(dropout=0.0, **shape).train()
    tokens = next(caption_batches()).tokens
    first, second = model(tokens), model(tokens)
    assert torch.equal(first, second)
    assert torch.equal(first, plain(tokens))
    model.train()
    assert cross_entropy(model, captions()) == cross_entropy(plain, captions())


def test_dropout_by_its_properties_and_never_by_its_digits_C73():
    model = tiny(dropout=0.5).train()
    ones = model.dropout(torch.ones(10_000))
    assert set(ones.tolist()) == {0.0, 2.0}
    assert abs((ones > 0).float().mean().item() - 0.5) < 0.03  # 6 standard deviations
    assert not torch.equal(model.dropout(torch.ones(10_000)), ones)


def test_everything_is_on_the_processor_unless_asked_C73():
    assert {parameter.device.type for parameter in tiny().parameters()} == {"cpu"}
    assert next(caption_batches()).tokens.device.type == "cpu"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"steps": 0}, "steps is 0; give 1 or more"),
        ({"steps": -3}, "steps is -3; give 1 or more"),
        ({"steps": 1, "rate": 0.0}, "rate is 0.0; give a positive finite number"),
        ({"steps": 1, "rate": -1.0}, "rate is -1.0; give a positive finite number"),
        ({"steps": 1, "rate": math.nan}, "rate is nan; give a positive finite number"),
        ({"steps": 1, "rate": math.inf}, "rate is inf; give a positive finite number"),
        ({"steps": 1, "schedule": "linear"}, "schedule is 'linear'; give 'cosine' or 'constant'"),
    ],
)
def test_training_refuses_before_anything_is_changed(options, message):
    model = tiny().eval()
    before = weights_of(model)

    def untouched():
        raise AssertionError("a batch was taken")
        yield

    with pytest.raises(ValueError) as caught:
        train(model, untouched(), **options)
    assert message in str(caught.value)
    assert same_weights(model, before)
    assert not model.training


def test_training_stops_at_the_step_whose_loss_is_not_finite():
    model = tiny().eval()

    def poison(step, loss):
        if step == 2:
            model.head.bias.data[0] = math.nan

    with pytest.raises(RuntimeError, match="the loss is nan at step 3; lower the rate"):
        train(model, caption_batches(), steps=5, after_step=poison)
    assert not model.training  # the mode comes back all the same


def test_training_says_when_the_batches_end_too_early():
    model = tiny()
    with pytest.raises(ValueError, match="batches ended after 2 of 5 steps"):
        train(model, islice(caption_batches(), 2), steps=5)


def reference(model, batches, steps, rate):
    """The loop as torch's own parts make it, Adam and all."""
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, foreach=False)
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = cosine_rate(step, steps, rate)
        batch = next(batches)
        loss = next_token_loss(model(*batch.inputs), batch.tokens, batch.token_mask)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_loop_is_torchs_adam_to_the_last_bit_so_shipped_models_come_out_unchanged(seed):
    config = DecoderConfig(vocab_size=12, context=9, width=16, blocks=2, norm_placement="pre")
    ours, torchs = Decoder(config, seed=seed), Decoder(config, seed=seed)
    train(ours, caption_batches(seed), steps=25, rate=0.01)
    reference(torchs, caption_batches(seed), 25, 0.01)
    assert same_weights(ours, weights_of(torchs))


def parted(rows, *, size):
    return [Batch.of(rows[i : i + size]) for i in range(0, len(rows), size)]


def gradient_of(model, parts):
    for parameter in model.parameters():
        parameter.grad = None
    value = accumulate(model, parts)
    return value, torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None])


@pytest.mark.parametrize(("dtype", "close"), [(torch.float64, 1e-13), (torch.float32, 2e-6)])
@pytest.mark.parametrize("size", [16, 8, 4, 1])
def test_parts_of_unequal_counts_make_the_gradient_of_the_whole_batch(size, dtype, close):
    language = recall((1, 2, 3))
    order = torch.randperm(len(language.sentences), generator=torch.Generator().manual_seed(0))
    rows = sorted((language.sentences[i] for i in order[:32]), key=len)  # as by length
    model = Decoder(DecoderConfig(vocab_size=13, context=language.longest)).to(dtype)
    whole, big = gradient_of(model, [Batch.of(rows)])
    value, small = gradient_of(model, parted(rows, size=size))
    assert value == pytest.approx(whole, rel=1e-5)
    assert (small - big).norm() < close * big.norm()
    # and the mean of the parts' means is another gradient
    for parameter in model.parameters():
        parameter.grad = None
    parts = parted(rows, size=size)
    for part in parts:
        (next_token_loss(model(*part.inputs), part.tokens, part.token_mask) / len(parts)).backward()
    means = torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None])
    assert (means - big).norm() > 0.002 * big.norm()


def test_parts_without_a_counted_target_give_zeros():
    value, gradient = gradient_of(tiny(), [Batch.of([[1]]), Batch.of([[1], [1]])])
    assert value == 0 and not gradient.any()
    mixed, filled = gradient_of(tiny(), [Batch.of([[1]]), Batch.of([[1, 3, 4]])])
    alone, single = gradient_of(tiny(), [Batch.of([[1, 3, 4]])])
    assert mixed == alone and torch.equal(filled, single)


def test_parts_are_taken_together_for_each_step():
    # a key's bias has a gradient of rounding noise alone, which Adam makes as large as any other
    first, second = tiny(qkv_bias=False), tiny(qkv_bias=False)
    train(first, caption_batches(size=32), steps=3, parts=2)
    pairs = caption_batches(size=32)

    def joined():
        while True:
            a, b = next(pairs), next(pairs)
            yield Batch(torch.cat([a.tokens, b.tokens]), torch.cat([a.token_mask, b.token_mask]))

    train(second, joined(), steps=3)
    for a, b in zip(weights_of(first).values(), weights_of(second).values(), strict=True):
        assert (a - b).abs().max() < 1e-5


def test_the_log_holds_what_happened():
    model, log = tiny(), Log()
    batches = caption_batches()
    rates = Schedule(0.01, 4, warm=2)
    losses = train(model, batches, steps=4, schedule=rates, log=log)
    assert log.column("loss") == losses
    assert log.column("rate") == [rates.rate(i) for i in range(4)]
    assert log.column("targets") == [32 * 7] * 4  # captions have 8 tokens, padded to 9
    assert len(set(log.column("batch"))) == 4
    assert all(0 < norm < 100 for norm in log.column("norm"))
    assert all(0 < update < 1 for update in log.column("update"))
    assert log.column("padding") == [0.0] * 4


def test_padding_and_a_batch_that_comes_again_show_in_the_log():
    log, batch = Log(), Batch.of([[1, 3, 4, 2], [1, 2]])
    train(tiny(), iter([batch, batch]), steps=2, log=log)
    assert log.column("padding") == [0.25, 0.25]
    assert log.column("targets") == [4, 4]
    assert len(set(log.column("batch"))) == 1


def test_the_logged_norm_is_that_before_clipping_and_the_clipped_one_moves_the_weights():
    logs = {}
    for limit in (None, 1e-6):
        logs[limit] = Log()
        train(tiny(), caption_batches(), steps=2, log=logs[limit], clip_at=limit)
    assert logs[None].steps[0].norm == logs[1e-6].steps[0].norm > 0.01
    # Adam divides the length out, but not against its eps of 1e-8
    assert logs[1e-6].steps[0].update < logs[None].steps[0].update


def test_a_log_or_clipping_above_all_gradients_changes_no_bit():
    plain, logged = tiny(), tiny()
    train(plain, caption_batches(), steps=4)
    train(logged, caption_batches(), steps=4, log=Log(), clip_at=1e6)
    assert same_weights(plain, weights_of(logged))


def test_a_gradient_that_is_not_finite_stops_the_run_before_a_weight_moves():
    model = tiny()
    model.head.weight.register_hook(lambda gradient: gradient * math.inf)
    before = weights_of(model)
    with pytest.raises(RuntimeError, match=r"the gradient's norm is (nan|inf) at step 1; lower"):
        train(model, caption_batches(), steps=3)
    assert same_weights(model, before)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"parts": 0}, "parts is 0; give a whole number of 1 or more"),
        ({"save_every": 0}, "save_every is 0; give a whole number of 1 or more"),
        ({"clip_at": 0.0}, "clip_at is 0.0; give a finite number above 0"),
        ({"schedule": Schedule(0.01, 3)}, "the schedule has 3 steps and steps is 4"),
        ({"optimizer": AdamW(tiny().parameters())}, "weights of another model; give this model's"),
    ],
)
def test_training_refuses_what_real_runs_add_before_anything_is_changed(options, message):
    model = tiny().eval()
    before = weights_of(model)
    with pytest.raises(ValueError) as caught:
        train(model, caption_batches(), steps=4, **options)
    assert message in str(caught.value)
    assert same_weights(model, before)


# ---- measured against the exact law -------------------------------------------------------------


@pytest.mark.parametrize("build", [captions, echo, recall])
def test_who_knows_the_law_pays_exactly_the_floor(build):
    language = build()
    model = KnowsTheLaw(language)
    assert cross_entropy(model, language) == pytest.approx(language.floor, abs=1e-6)
    assert worst_prefix(model, language) < 1e-6


@given(st.integers(0, 1000), st.sampled_from(["learned", "none"]))
@examples(20)
def test_no_model_is_below_the_floor(seed, positions):
    language = captions()
    shape = DecoderConfig(vocab_size=12, context=9, width=8, heads=2, positions=positions)
    assert cross_entropy(Decoder(shape, seed=seed), language) > language.floor


def test_cross_entropy_is_each_sentences_surprise_times_its_probability():
    language = captions().at_temperature(0.5)  # uneven, so that weights matter
    model = tiny().eval()
    surprise = 0.0
    for sentence, probability in zip(language.sentences, language.probabilities, strict=True):
        tokens = torch.tensor([sentence])
        law = model(tokens)[0].detach().double().log_softmax(dim=-1)
        for t in range(len(sentence) - 1):
            surprise -= probability * law[t, sentence[t + 1]].item()
    wanted = surprise / language.predicted_tokens
    assert cross_entropy(model, language) == pytest.approx(wanted, abs=1e-6)
    assert cross_entropy(OneLaw([0.0] * 12), language) == pytest.approx(math.log(12), abs=1e-6)


@given(st.permutations(range(len(captions().prefixes))), st.integers(1, 6))
@examples(10)
def test_learned_law_of_a_prefix_is_the_models_law_of_it_alone(order, count):
    model = tiny().eval()
    chosen = [captions().prefixes[i] for i in order[:count]]
    laws = learned_law(model, chosen)
    assert laws.dtype == torch.float64
    torch.testing.assert_close(laws.sum(dim=1), torch.ones(count, dtype=torch.float64))
    for prefix, law in zip(chosen, laws, strict=True):
        alone = model(torch.tensor([prefix]))[0, -1].detach().double().softmax(dim=-1)
        torch.testing.assert_close(law, alone, rtol=0, atol=1e-6)


def test_worst_prefix_finds_the_one_prefix_that_is_wrong():
    language = captions()
    model = KnowsTheLaw(language)
    prefix = next(p for p in language.prefixes if language.text(p) == "a")
    wrong = torch.zeros(12, dtype=torch.float64)
    wrong[[4, 8]] = torch.tensor([0.7, 0.3], dtype=torch.float64)  # truth: 1/2, 1/4, 1/4
    model.after[prefix] = wrong.clamp(min=1e-30).log()
    assert worst_prefix(model, language) == pytest.approx(0.25, abs=1e-6)


laws = st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(any)


@given(laws, laws)
def test_total_variation_is_the_most_that_any_events_probability_differs(p, q):
    p, q = (torch.tensor(x, dtype=torch.float64) / sum(x) for x in (p, q))
    events = [[i for i in range(4) if event >> i & 1] for event in range(16)]
    most = max((p[event].sum() - q[event].sum()).item() for event in events)
    assert total_variation(p, q).item() == pytest.approx(most, abs=1e-12)
    assert total_variation(p, q) == total_variation(q, p)
    assert total_variation(p, p) == 0


def test_total_variation_works_row_by_row():
    p = torch.tensor([[1.0, 0.0], [0.5, 0.5]])
    q = torch.tensor([[0.0, 1.0], [0.75, 0.25]])
    assert total_variation(p, q).tolist() == [1.0, 0.25]


# ---- the figures of the training lesson ---------------------------------------------------------


def check_trained_on_captions(order_seed):
    language = captions()
    rows = caption_sentences()[0]
    model = Decoder(pretrained.RECIPES["captions"].config())
    train(model, shuffled_batches(rows, 128, seed=order_seed), steps=800, rate=0.003)
    assert language.floor < cross_entropy(model, language) < language.floor + 0.005
    assert worst_prefix(model, language.sample_law(rows)) <= 0.03
    assert worst_prefix(model, language) <= 0.08


def test_training_on_captions_reaches_the_floor_and_the_law():
    check_trained_on_captions(order_seed=0)


@pytest.mark.slow
@pytest.mark.parametrize("order_seed", [1, 2, 3, 4])
def test_training_on_captions_reaches_the_floor_and_the_law_in_any_order(order_seed):
    check_trained_on_captions(order_seed)


@pytest.mark.slow
def test_a_constant_rate_ends_farther_from_the_samples_law_than_a_cosine():
    rows = caption_sentences()[0]
    sample = captions().sample_law(rows)
    worst = {}
    for schedule in ("cosine", "constant"):
        model = Decoder(pretrained.RECIPES["captions"].config())
        train(model, shuffled_batches(rows, 128, seed=0), steps=800, schedule=schedule)
        worst[schedule] = worst_prefix(model, sample)
    assert worst["constant"] > 2 * worst["cosine"]


def test_the_training_sample_itself_is_up_to_a_sixteenth_off():
    language = captions()
    sample = language.sample_law(caption_sentences()[0])
    gaps = [
        total_variation(sample.next_token(prefix), language.next_token(prefix))
        for prefix in language.prefixes
    ]
    assert float(max(gaps)) == pytest.approx(0.0625, abs=1e-12)


@pytest.mark.parametrize("causal", [True, False])
def test_on_fresh_even_tokens_only_a_leak_goes_below_the_logarithm_of_the_vocabulary(causal):
    def fresh():
        generator = torch.Generator().manual_seed(1)
        while True:
            tokens = torch.randint(8, (64, 8), generator=generator)
            yield Batch(tokens, torch.ones_like(tokens, dtype=torch.bool))

    model = tiny(vocab_size=8, context=8, width=16, causal=causal, pad_id=None)
    last = torch.tensor(train(model, fresh(), steps=150, rate=0.01)[-20:]).mean().item()
    assert last > math.log(8) - 0.01 if causal else last < 0.2


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_the_loss_of_many_16_bit_logits_does_not_overflow(dtype):
    tokens = torch.full((100, 300), 3)
    loss = next_token_loss(torch.zeros(100, 300, 13, dtype=dtype), tokens)
    assert abs(float(loss) - math.log(13)) < 1e-4


def test_dropout_draws_follow_the_seed_and_leave_the_global_generator_alone():
    rows = captions().sentences
    config = DecoderConfig(vocab_size=12, context=9, width=8, heads=2, dropout=0.5)

    def losses(seed):
        batches = shuffled_batches(rows, 8, seed=0)
        return train(Decoder(config), batches, steps=3, seed=seed)

    before = torch.get_rng_state()
    assert losses(1) == losses(1) != losses(2)
    assert torch.equal(torch.get_rng_state(), before)
