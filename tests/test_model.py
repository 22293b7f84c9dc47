"""The decoder: equal to torch's encoder layer, causal, blind to padding, quiet in evaluation."""

import dataclasses
import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from helpers import masks
from helpers.model import Block, Decoder, DecoderConfig, evaluating
from helpers.tokens import pad_rows
from helpers.training import next_token_loss

LESSON = DecoderConfig(vocab_size=12, context=9)  # lesson 05: C=32, H=4, one block
V, CONTEXT = 7, 12
WIDTHS = st.sampled_from([(4, 1), (4, 2), (8, 2), (6, 3)])  # C and H
POSITIONS = ("learned", "sinusoidal", "none")


@st.composite
def configs(draw, **fixed):
    width, heads = draw(WIDTHS)
    options = {
        "vocab_size": V,
        "context": CONTEXT,
        "width": width,
        "heads": heads,
        "blocks": draw(st.integers(0, 3)),
        "hidden": draw(st.sampled_from([None, 5])),
        "attention": draw(st.sampled_from([True, True, False])),
        "causal": draw(st.sampled_from([True, True, False])),
        "positions": draw(st.sampled_from(POSITIONS)),
        "norm_placement": draw(st.sampled_from(["post", "pre"])),
        "final_norm": draw(st.booleans()),
        "dropout": draw(st.sampled_from([0.0, 0.5])),
        "pad_id": draw(st.sampled_from([0, 2, None])),
    }
    return DecoderConfig(**options | fixed)


def rows(max_length=6, max_rows=3):
    """Rows of unequal length. They hold the pad id too: only a mask tells it from padding."""
    row = st.lists(st.integers(0, V - 1), min_size=1, max_size=max_length)
    return st.lists(row, min_size=1, max_size=max_rows)


def tokens_of(batch, length, seed=0, vocab_size=V):
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(vocab_size, (batch, length), generator=generator)


# ---- the same numbers as torch ------------------------------------------------------------------


def torch_layer_weights(block):
    """The block's weights under the names of torch's TransformerEncoderLayer."""
    attention, forward = block.attention, block.feed_forward
    qkv = (attention.query, attention.key, attention.value)
    table = {
        "self_attn.in_proj_weight": torch.cat([part.weight for part in qkv]),
        "self_attn.in_proj_bias": torch.cat([part.bias for part in qkv]),
    }
    pairs = {
        "self_attn.out_proj": attention.output,
        "linear1": forward.widen,
        "linear2": forward.narrow,
        "norm1": block.attention_norm,
        "norm2": block.feed_forward_norm,
    }
    for name, part in pairs.items():
        table |= {f"{name}.weight": part.weight, f"{name}.bias": part.bias}
    return {name: tensor.detach().clone() for name, tensor in table.items()}


# hidden from each query in torch's sense, True = must not attend; made without helpers.masks
FUTURE = torch.ones(CONTEXT, CONTEXT, dtype=torch.bool).triu(1)


def torch_layer(config):
    return nn.TransformerEncoderLayer(
        config.width,
        config.heads,
        config.hidden or 4 * config.width,
        dropout=config.dropout,
        activation="gelu",
        batch_first=True,
        norm_first=config.norm_placement == "pre",
    )


def shaken(module):
    """The module with every weight, bias and norm moved away from its plain beginning."""
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter += 0.3 * torch.randn(parameter.shape, generator=generator)
    return module


@pytest.mark.parametrize("mode", ["train", "eval"])
@pytest.mark.parametrize("kind", ["none", "causal", "causal and padding"])
@given(configs(attention=True, dropout=0.0), st.integers(1, 3), st.integers(1, 6))
@settings(max_examples=25)
def test_block_equals_transformer_encoder_layer_of_torch(mode, kind, config, batch, length):
    block = shaken(Block(config)).train(mode == "train")
    twin = torch_layer(config).train(mode == "train")
    twin.load_state_dict(torch_layer_weights(block), strict=True)
    x = torch.randn(batch, length, config.width, generator=torch.Generator().manual_seed(0))
    real = torch.arange(length) < torch.arange(length, length - batch, -1).clamp(min=1)[:, None]
    mask = {
        "none": None,
        "causal": masks.causal(length),
        "causal and padding": masks.both(masks.causal(length), masks.padding(real)),
    }[kind]
    wanted = twin(
        x,
        src_mask=None if kind == "none" else FUTURE[:length, :length],
        src_key_padding_mask=~real if kind == "causal and padding" else None,
    )
    shown = real if kind == "causal and padding" else torch.ones_like(real)
    assert torch.allclose(block(x, mask)[shown], wanted[shown], atol=1e-5)


@given(configs(attention=True))
@settings(max_examples=20)
def test_weights_of_torch_load_strictly_both_ways(config):
    block, twin = Block(config), shaken(torch_layer(config))
    qkv = zip(
        ("query", "key", "value"),
        twin.self_attn.in_proj_weight.chunk(3),
        twin.self_attn.in_proj_bias.chunk(3),
        strict=True,
    )
    weights = {}
    for name, weight, bias in qkv:
        weights |= {f"attention.{name}.weight": weight, f"attention.{name}.bias": bias}
    names = {"self_attn.out_proj": "attention.output", "linear1": "feed_forward.widen",
             "linear2": "feed_forward.narrow", "norm1": "attention_norm",
             "norm2": "feed_forward_norm"}  # fmt: skip
    for theirs, ours in names.items():
        part = twin.get_submodule(theirs)
        weights |= {f"{ours}.weight": part.weight, f"{ours}.bias": part.bias}
    block.load_state_dict(weights, strict=True)
    back = torch_layer_weights(block)
    assert set(back) == set(twin.state_dict())
    assert all(torch.equal(back[name], tensor) for name, tensor in twin.state_dict().items())


@given(configs(attention=True, dropout=0.0), st.integers(1, 3), st.integers(1, 6))
@settings(max_examples=40)
def test_decoder_equals_a_stack_of_torch_layers(config, batch, length):
    model = shaken(Decoder(config))
    tokens = tokens_of(batch, length)
    x = F.embedding(tokens, model.token_embedding.weight)
    if config.positions == "learned":
        x = x + model.position_embedding.weight[:length]
    elif config.positions == "sinusoidal":
        x = x + model.position_table[:length]
    for block in model.blocks:
        twin = torch_layer(config)
        twin.load_state_dict(torch_layer_weights(block), strict=True)
        x = twin(x, src_mask=FUTURE[:length, :length] if config.causal else None)
    if config.final_norm:
        x = F.layer_norm(x, [config.width], model.final_norm.weight, model.final_norm.bias)
    wanted = F.linear(x, model.head.weight, model.head.bias)
    logits = model(tokens)
    assert logits.shape == (batch, length, V) and logits.dtype == torch.float32
    assert torch.allclose(logits, wanted, atol=1e-4)
    assert torch.allclose(model.states(tokens), x, atol=1e-4)


@given(configs(attention=False, dropout=0.0), st.integers(1, 4))
@settings(max_examples=30)
def test_without_attention_every_position_stands_alone(config, length):
    model = shaken(Decoder(config))
    assert not any("attention" in name for name in model.state_dict())
    tokens = tokens_of(2, length)
    x = model.embed(tokens)
    for block in model.blocks:
        norm = block.feed_forward_norm
        x = x + block.feed_forward(norm(x)) if block.pre_norm else norm(x + block.feed_forward(x))
    assert torch.allclose(model(tokens), model.head(model.final_norm(x)), atol=1e-6)
    changed = (tokens[:, 0] + 1) % V
    other = model(torch.cat([changed[:, None], tokens[:, 1:]], dim=1))
    assert torch.equal(other[:, 1:], model(tokens)[:, 1:])


@given(configs(attention=True), st.integers(1, 6))
@settings(max_examples=30)
def test_the_readable_attention_gives_the_same_logits(config, length):
    model = shaken(Decoder(config)).eval()
    fused = model(tokens_of(2, length))
    for block in model.blocks:
        block.attention.fused = False
    assert torch.allclose(model(tokens_of(2, length)), fused, atol=1e-4)


# ---- sizes --------------------------------------------------------------------------------------


def test_the_model_of_lesson_05_has_13772_parameters():
    assert Decoder(LESSON).parameter_count() == 13_772
    assert Decoder(LESSON).blocks[0].feed_forward.widen.out_features == 128  # 4 C


@given(configs())
@settings(max_examples=50)
def test_parameter_count_is_the_sum_one_can_write_down(config):
    c, hidden = config.width, config.hidden or 4 * config.width
    block = 2 * c * hidden + hidden + c + 2 * c
    block += (4 * (c * c + c) + 2 * c) if config.attention else 0
    wanted = V * c + config.blocks * block + c * V + V
    wanted += CONTEXT * c if config.positions == "learned" else 0
    wanted += 2 * c if config.final_norm else 0
    assert Decoder(config).parameter_count() == wanted


# ---- who depends on whom ------------------------------------------------------------------------


@given(configs(attention=True), st.integers(2, 6), st.data())
@settings(max_examples=40)
def test_a_causal_decoder_ignores_later_tokens_and_heeds_earlier_ones(config, length, data):
    model = shaken(Decoder(config)).eval()
    tokens = tokens_of(1, length)
    s = data.draw(st.integers(0, length - 1))
    moved = torch.zeros(length, dtype=torch.bool)
    for shift in range(1, V):
        changed = tokens.clone()
        changed[0, s] = (changed[0, s] + shift) % V
        moved |= (model(changed) != model(tokens))[0].any(dim=-1)
    if config.blocks == 0:
        wanted = [t == s for t in range(length)]
    else:
        wanted = [t >= s or not config.causal for t in range(length)]
    assert moved.tolist() == wanted


@given(configs(causal=True), st.integers(1, 6))
@settings(max_examples=30)
def test_logits_of_a_beginning_are_the_beginning_of_the_logits(config, length):
    model = shaken(Decoder(config)).eval()
    tokens = tokens_of(2, length)
    whole = model(tokens)
    for end in range(1, length + 1):
        assert torch.allclose(model(tokens[:, :end]), whole[:, :end], atol=1e-5)


@given(configs(positions="none", blocks=1, causal=True), st.permutations(range(5)))
@settings(max_examples=25)
def test_one_block_without_positions_cannot_tell_the_order_of_the_past(config, order):
    model = shaken(Decoder(config)).eval()
    tokens = tokens_of(2, 6)
    mixed = torch.cat([tokens[:, list(order)], tokens[:, 5:]], dim=1)
    assert torch.allclose(model(mixed)[:, -1], model(tokens)[:, -1], atol=1e-5)


@given(configs(attention=True, dropout=0.0), st.integers(1, 6), st.data())
@settings(max_examples=25)
def test_a_block_without_a_mask_is_an_encoder_block(config, length, data):
    block = shaken(Block(config))
    x = torch.randn(2, length, config.width, generator=torch.Generator().manual_seed(0))
    order = list(data.draw(st.permutations(range(length))))
    assert torch.allclose(block(x[:, order]), block(x)[:, order], atol=1e-5)


# ---- C05: padding changes nothing ---------------------------------------------------------------


@pytest.mark.parametrize("positions", POSITIONS)
@pytest.mark.parametrize("pads", [0, 1, 3, 8])
def test_left_pads_change_neither_logits_nor_loss_C05(positions, pads):
    prompt = [1, 3, 5, 4]
    model = shaken(Decoder(DecoderConfig(vocab_size=V, context=12, blocks=2, positions=positions)))
    alone = torch.tensor([prompt])
    tokens, token_mask = pad_rows([prompt], pads + 4, side="left")
    logits = model(tokens, token_mask)
    assert torch.allclose(logits[:, pads:], model(alone), atol=1e-5)
    loss = next_token_loss(logits, tokens, token_mask)
    wanted = F.cross_entropy(model(alone)[0, :-1], alone[0, 1:])
    assert abs(float(loss.detach()) - float(wanted.detach())) < 1e-5


@given(configs(), rows(), st.integers(0, 6), st.sampled_from(["left", "right"]), st.data())
@settings(max_examples=60)
def test_a_row_is_the_same_alone_and_in_any_padded_batch_C05(config, batch, extra, side, data):
    model = shaken(Decoder(config)).eval()
    pad_id = data.draw(st.integers(0, V - 1))  # what stands at padding does not matter
    tokens, token_mask = pad_rows(batch, max(map(len, batch)) + extra, side, pad_id)
    together = model(tokens, token_mask)
    assert together.isfinite().all()
    for i, row in enumerate(batch):
        assert torch.allclose(together[i, token_mask[i]], model(torch.tensor([row]))[0], atol=1e-5)
    losses = next_token_loss(together, tokens, token_mask, reduction="sum")
    wanted = sum(
        F.cross_entropy(model(torch.tensor([row]))[0, :-1], torch.tensor(row[1:]), reduction="sum")
        for row in batch
        if len(row) > 1
    )
    assert abs(float(losses.detach()) - float(torch.as_tensor(wanted).detach())) < 1e-4


@given(configs(causal=True), rows())
@settings(max_examples=25)
def test_right_padding_needs_no_mask_in_a_causal_decoder_C05(config, batch):
    model = shaken(Decoder(config)).eval()
    tokens, token_mask = pad_rows(batch, 8)
    with_mask, without = model(tokens, token_mask), model(tokens)
    assert torch.allclose(with_mask[token_mask], without[token_mask], atol=1e-5)


@given(configs(dropout=0.0), rows(), st.integers(0, 5))
@settings(max_examples=25)
def test_gradients_are_finite_with_left_padding_C01(config, batch, extra):
    model = shaken(Decoder(config))
    tokens, token_mask = pad_rows(batch, max(map(len, batch)) + extra, "left")
    next_token_loss(model(tokens, token_mask), tokens, token_mask).backward()
    assert all(p.grad is None or p.grad.isfinite().all() for p in model.parameters())


def test_embedding_adds_the_position_of_the_real_token_C05():
    model = Decoder(DecoderConfig(vocab_size=V, context=12))
    tokens, token_mask = pad_rows([[4, 5]], 4, "left")
    wanted = model.token_embedding.weight[[4, 5]] + model.position_embedding.weight[[0, 1]]
    assert torch.equal(model.embed(tokens, token_mask)[0, 2:], wanted)


# ---- C15: evaluation is quiet, and leaves the mode as it was ------------------------------------


@given(configs(dropout=0.5), st.integers(1, 6))
@settings(max_examples=50)
def test_dropout_is_off_in_evaluation_C15(config, length):
    model = Decoder(config, seed=3).eval()
    tokens = tokens_of(2, length)
    first, second = model(tokens), model(tokens)
    plain = Decoder(dataclasses.replace(config, dropout=0.0), seed=3)
    assert torch.equal(first, second)
    assert torch.equal(first, plain.eval()(tokens))
    assert torch.equal(first, plain.train()(tokens))
    with evaluating(model.train()):
        assert torch.equal(model(tokens), first)


@pytest.mark.parametrize("norm_placement", ["post", "pre"])
def test_dropout_is_on_in_training_after_the_embedding_and_after_each_part_C15(norm_placement):
    config = DecoderConfig(vocab_size=V, context=12, dropout=0.5, norm_placement=norm_placement)
    model = Decoder(config)
    tokens = tokens_of(2, 6)
    places = [model.dropout, model.blocks[0].dropout]
    assert not torch.equal(model(tokens), model(tokens))
    calls = []
    for place in places:
        place.register_forward_hook(lambda module, given, out: calls.append(module))
    model(tokens)
    assert calls == [places[0], places[1], places[1]]  # embedding, attention, feed-forward
    for place in places:  # each alone makes two forwards differ
        model.eval()
        place.train()
        assert not torch.equal(model(tokens), model(tokens))


@given(st.lists(st.booleans(), min_size=60, max_size=60))
@settings(max_examples=30)
def test_evaluating_gives_every_part_its_own_mode_back_C15(modes):
    model = Decoder(DecoderConfig(vocab_size=V, context=12, blocks=2, dropout=0.5))
    parts = list(model.modules())
    assert len(parts) <= len(modes)
    for part, mode in zip(parts, modes, strict=False):
        part.training = mode
    with evaluating(model) as inside:
        assert inside is model
        assert not any(part.training for part in parts)
    assert [part.training for part in parts] == modes[: len(parts)]
    with pytest.raises(KeyError), evaluating(model):
        raise KeyError("on the way")
    assert [part.training for part in parts] == modes[: len(parts)]


# ---- C73: dropout by its property, the CPU by default -------------------------------------------


def test_dropout_of_one_half_gives_zeros_and_twos_C73():
    dropout = Decoder(DecoderConfig(vocab_size=V, context=12, dropout=0.5)).dropout
    out = dropout(torch.ones(10_000))
    assert set(out.unique().tolist()) <= {0.0, 2.0}
    assert abs(float((out == 2).float().mean()) - 0.5) < 0.03
    assert torch.equal(dropout.eval()(torch.ones(10_000)), torch.ones(10_000))


@given(st.floats(0.0, 0.9))
@settings(max_examples=20)
def test_dropout_keeps_its_share_and_scales_it_up_C73(share):
    model = Decoder(DecoderConfig(vocab_size=V, context=12, dropout=share))
    for dropout in (model.dropout, model.blocks[0].dropout):
        out = dropout(torch.ones(10_000))
        kept = out != 0
        assert torch.allclose(out[kept], torch.full_like(out[kept], 1 / (1 - share)))
        assert abs(float(kept.float().mean()) - (1 - share)) < 0.03


@given(configs())
@settings(max_examples=20)
def test_everything_is_on_the_cpu_unless_asked_C73(config):
    model = Decoder(config)
    assert {x.device.type for x in (*model.parameters(), *model.buffers())} == {"cpu"}
    assert model(tokens_of(1, 3)).device.type == "cpu"
    if config.positions == "sinusoidal":  # the table moves along with the weights
        assert model.to("meta").position_table.device.type == "meta"


# ---- first weights ------------------------------------------------------------------------------


@given(configs(), st.integers(0, 1000))
@settings(max_examples=30)
def test_the_seed_and_nothing_else_decides_the_first_weights_C73(config, seed):
    torch.manual_seed(1)
    first = Decoder(config, seed=seed).state_dict()
    torch.manual_seed(2)
    again = Decoder(config, seed=seed).state_dict()
    other = Decoder(config, seed=seed + 1).state_dict()
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not torch.equal(first["head.weight"], other["head.weight"])


@given(configs())
@settings(max_examples=30)
def test_first_weights_lie_in_their_bounds_and_fill_them(config):
    model = Decoder(config)
    for module in model.modules():
        if isinstance(module, nn.Linear):
            bound = 1 / math.sqrt(module.in_features)
            assert (module.bias == 0).all()
        elif isinstance(module, nn.Embedding):
            bound = math.sqrt(3)
        else:
            continue
        largest = float(module.weight.detach().abs().max())
        assert 0.6 * bound < largest <= bound
    if config.pad_id is not None:
        assert (model.token_embedding.weight[config.pad_id] == 0).all()


def test_the_row_of_the_pad_token_is_zero_and_stays_zero():
    model = Decoder(LESSON)
    tokens = torch.tensor([[1, 0, 3, 0]])
    next_token_loss(model(tokens), tokens).backward()
    grad = model.token_embedding.weight.grad
    assert (grad[0] == 0).all() and (grad[3] != 0).any()
    free = Decoder(dataclasses.replace(LESSON, pad_id=None))
    assert (free.token_embedding.weight[0] != 0).any()


@given(configs(blocks=2, dropout=0.0))
@settings(max_examples=25)
def test_every_parameter_is_used(config):
    model = shaken(Decoder(config))
    tokens = torch.arange(V)[None]
    (model(tokens) * torch.linspace(-1, 2, V)).square().sum().backward()
    for name, parameter in model.named_parameters():
        # adding one vector to every key changes no weight: the key's bias has no say at all
        if not name.endswith("attention.key.bias"):
            assert parameter.grad is not None and (parameter.grad != 0).any(), name


# ---- saving, loading, other dtypes --------------------------------------------------------------


@given(configs())
@settings(max_examples=25)
def test_saved_weights_load_strictly_and_give_the_same_logits(config):
    model = shaken(Decoder(config)).eval()
    other = Decoder(config, seed=9).eval()
    other.load_state_dict(model.state_dict(), strict=True)
    assert torch.equal(other(tokens_of(2, 4)), model(tokens_of(2, 4)))
    assert {name for name, _ in model.named_parameters()} == set(model.state_dict())  # no tables
    missing = model.state_dict()
    del missing["head.bias"]
    with pytest.raises(RuntimeError, match=r"head\.bias"):
        other.load_state_dict(missing)


@given(configs())
@settings(max_examples=25)
def test_a_model_in_double_precision_gives_the_same_logits(config):
    model = Decoder(config).eval()
    single = model(tokens_of(2, 5))
    double = model.double()(tokens_of(2, 5))
    assert double.dtype == torch.float64
    assert torch.allclose(double.float(), single, atol=1e-4)


@given(configs(final_norm=True))
@settings(max_examples=20)
def test_the_final_norm_stands_before_the_head(config):
    states = Decoder(config).eval().states(tokens_of(2, 5))
    assert torch.allclose(states.mean(dim=-1), torch.zeros(2, 5), atol=1e-5)
    tokens = tokens_of(2, 5)
    model = Decoder(config).eval()
    assert torch.equal(model(tokens), model.head(model.states(tokens)))


# ---- bad configurations -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options, message",
    [
        ({"vocab_size": 0}, "vocab_size is 0; give a whole number of 1 or more"),
        ({"vocab_size": 12.0}, "vocab_size is 12.0; give a whole number"),
        ({"context": 0}, "context is 0; give a whole number of 1 or more"),
        ({"context": -3}, "context is -3"),
        ({"context": True}, "context is True"),
        ({"width": 0}, "width is 0"),
        ({"width": "32"}, "width is '32'; give a whole number"),
        ({"heads": 0}, "heads is 0; give a whole number of 1 or more"),
        ({"heads": 5}, "width C=32 is not divisible by heads H=5"),
        ({"blocks": -1}, "blocks is -1; give a whole number of 0 or more"),
        ({"hidden": 0}, "hidden is 0; give a whole number of 1 or more"),
        (
            {"positions": "rotary"},
            "positions is 'rotary'; allowed are 'learned', 'sinusoidal', 'none'",
        ),
        ({"positions": "sinusoidal", "width": 3, "heads": 1}, "width C=3 is odd; sinusoidal"),
        ({"norm_placement": "both"}, "norm_placement is 'both'; allowed are 'post', 'pre'"),
        ({"attention": None}, "attention is None; allowed are True, False"),
        ({"causal": "yes"}, "causal is 'yes'; allowed are True, False"),
        ({"final_norm": 2}, "final_norm is 2; allowed are True, False"),
        ({"dropout": 1.0}, "dropout is 1.0; give a share of 0 or more, under 1"),
        ({"dropout": -0.1}, "dropout is -0.1"),
        ({"dropout": math.nan}, "dropout is nan"),
        ({"pad_id": 12}, "pad_id is 12; give 0 to 11 or None"),
        ({"pad_id": -1}, "pad_id is -1; give a whole number of 0 or more"),
        ({"pad_id": 0.5}, "pad_id is 0.5; give a whole number of 0 or more"),
    ],
)
def test_impossible_configurations_are_refused_by_name(options, message):
    with pytest.raises(ValueError, match=message):
        DecoderConfig(**{"vocab_size": 12, "context": 9} | options)


@given(st.integers(1, 40), st.integers(1, 12))
def test_width_must_be_divisible_by_heads(width, heads):
    if width % heads == 0:
        assert DecoderConfig(vocab_size=3, context=3, width=width, heads=heads).width == width
    else:
        with pytest.raises(
            ValueError, match=f"width C={width} is not divisible by heads H={heads}"
        ):
            DecoderConfig(vocab_size=3, context=3, width=width, heads=heads)


def test_a_configuration_cannot_be_changed_or_given_without_names():
    with pytest.raises(dataclasses.FrozenInstanceError):
        LESSON.width = 64
    with pytest.raises(TypeError):
        DecoderConfig(12, 9)
    with pytest.raises(TypeError, match="headz"):
        DecoderConfig(vocab_size=12, context=9, headz=4)


# ---- bad tokens: refused before anything is computed --------------------------------------------

GOOD = torch.tensor([[1, 3, 4], [1, 3, 8]])
REAL = torch.ones(2, 3, dtype=torch.bool)


@pytest.mark.parametrize(
    "tokens, token_mask, error, message",
    [
        ([[1, 3]], None, TypeError, "tokens is list; give a torch tensor of dtype int64"),
        (GOOD.int(), None, TypeError, "tokens is torch.int32; give"),
        (GOOD.float(), None, TypeError, "tokens is torch.float32; give"),
        (GOOD[0], None, ValueError, r"tokens has shape \[3\]; give \[B, T\]"),
        (GOOD[:0], None, ValueError, "tokens has an empty batch"),
        (GOOD[:, :0], None, ValueError, "tokens has empty rows"),
        (torch.tensor([[1, 12]]), None, ValueError, "unknown id 12; allowed are 0 to 11"),
        (torch.tensor([[1, -1]]), None, ValueError, "unknown id -1; allowed are 0 to 11"),
        (torch.ones(1, 10).long(), None, ValueError, "T=10 columns; this model's context is 9"),
        (GOOD.to("meta"), None, ValueError, "tokens are on meta, the model on cpu"),
        (GOOD, REAL.float(), TypeError, "token_mask is torch.float32; give"),
        (GOOD, REAL.long(), TypeError, "token_mask is torch.int64; give"),
        (GOOD, REAL[:1], ValueError, r"token_mask has shape \[1, 3\], the tokens \[2, 3\]"),
        (GOOD, REAL[:, :2], ValueError, r"token_mask has shape \[2, 2\], the tokens \[2, 3\]"),
        (GOOD, REAL[0], ValueError, r"token_mask has shape \[3\]"),
        (GOOD, REAL.to("meta"), ValueError, "token_mask is on meta, the tokens"),
        (GOOD, REAL & torch.tensor([[True], [False]]), ValueError, "row 1 has no real token"),
        (GOOD, torch.tensor([[True, False, True]] * 2), ValueError, "row 0 has padding between"),
    ],
)  # fmt: skip
def test_unusable_tokens_are_refused_before_anything_is_computed(
    tokens, token_mask, error, message
):
    model = Decoder(LESSON)
    before = {name: x.clone() for name, x in model.state_dict().items()}
    calls = []
    model.token_embedding.register_forward_hook(lambda *_: calls.append("computed"))
    for entry in (model, model.states):
        with pytest.raises(error, match=message):
            entry(tokens, token_mask)
    assert not calls and model.training
    assert all(torch.equal(x, before[name]) for name, x in model.state_dict().items())


def test_a_model_on_another_device_names_both():
    with pytest.raises(ValueError, match="tokens are on cpu, the model on meta"):
        Decoder(LESSON).to("meta")(GOOD)


@pytest.mark.parametrize("length", [1, 8, 9])
def test_every_length_up_to_the_context_passes(length):
    assert Decoder(LESSON)(torch.ones(1, length).long()).shape == (1, length, 12)


@given(configs(), rows())
@settings(max_examples=15)
def test_tokens_and_mask_are_left_as_they_were(config, batch):
    tokens, token_mask = pad_rows(batch, 8, "left")
    before = tokens.clone(), token_mask.clone()
    Decoder(config)(tokens, token_mask)
    assert torch.equal(tokens, before[0]) and torch.equal(token_mask, before[1])


def test_building_a_decoder_leaves_the_global_generator_alone():
    before = torch.get_rng_state()
    Decoder(DecoderConfig(vocab_size=12, context=9))
    assert torch.equal(torch.get_rng_state(), before)
