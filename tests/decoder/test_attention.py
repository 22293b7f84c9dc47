"""Both forms of attention against a double loop, against torch, and against each other."""

import inspect
import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from helpers.decoder import masks
from helpers.decoder.attention import (
    MultiHeadAttention,
    attention,
    attention_weights,
    fused_attention,
    merge_heads,
    split_heads,
)
from helpers.decoder.rotary import Rotary, rotation
from tests.tiers import examples

FORMS = (attention, fused_attention)
both_forms = pytest.mark.parametrize("form", FORMS)
DTYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


@st.composite
def inputs(draw, dtype=torch.float32):
    """(query, key, value) with queries <= keys and a value width of its own."""
    batch, heads, keys = draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 6))
    queries, width, out = (
        draw(st.integers(1, keys)),
        draw(st.integers(1, 5)),
        draw(st.integers(1, 5)),
    )
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**31)))
    size = draw(st.sampled_from([0.1, 1.0, 5.0]))
    shapes = ((queries, width), (keys, width), (keys, out))
    return tuple(
        (torch.randn(batch, heads, *shape, generator=generator) * size).to(dtype)
        for shape in shapes
    )


@st.composite
def masks_for(draw, query, key, none=True):
    """A boolean mask of any pattern and any shape that fits, blind rows included; or None."""
    batch, heads, queries, keys = *query.shape[:3], key.shape[2]
    if none and draw(st.booleans()):
        return None
    shapes = [(queries, keys), (1, keys), (queries, 1), (batch, 1, queries, keys),
              (batch, 1, 1, keys), (1, heads, queries, keys), (*query.shape[:3], keys)]  # fmt: skip
    shape = draw(st.sampled_from(shapes))
    bits = draw(st.lists(st.booleans(), min_size=math.prod(shape), max_size=math.prod(shape)))
    return torch.tensor(bits).view(shape)


@st.composite
def biases_for(draw, query, key):
    """A float bias of any shape that fits; or None."""
    if draw(st.booleans()):
        return None
    batch, heads, queries, keys = *query.shape[:3], key.shape[2]
    shapes = [
        (queries, keys),
        (heads, queries, keys),
        (1, heads, 1, keys),
        (batch, 1, queries, keys),
    ]
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**31)))
    return torch.randn(draw(st.sampled_from(shapes)), generator=generator)


def by_double_loop(query, key, value, mask, bias, scale):
    """Attention in Python floats, one query and one key at a time."""
    batch, heads, queries, width = query.shape
    keys = key.shape[2]
    scale = 1 / math.sqrt(width) if scale is None else scale
    whole = (batch, heads, queries, keys)
    visible = torch.ones(whole, dtype=torch.bool) if mask is None else mask.expand(whole)
    added = torch.zeros(whole) if bias is None else bias.expand(whole)
    out = torch.zeros(batch, heads, queries, value.shape[3], dtype=torch.float64)
    for b, h, i in torch.cartesian_prod(*map(torch.arange, (batch, heads, queries))).tolist():
        seen = [j for j in range(keys) if visible[b, h, i, j]]
        scores = [
            scale * math.fsum((query[b, h, i] * key[b, h, j]).tolist())
            + float(added[b, h, i, j])
            for j in seen
        ]  # fmt: skip
        shares = [math.exp(score - max(scores)) for score in scores]
        for j, share in zip(seen, shares, strict=True):
            out[b, h, i] += share / sum(shares) * value[b, h, j].double()
    return out


def gradients(form, tensors, mask, bias, **arguments):
    """Output, and the gradients of a weighted sum of it, for query, key, value and bias."""
    leaves = [
        x.detach().clone().requires_grad_() for x in (*tensors, *([] if bias is None else [bias]))
    ]
    out = form(*leaves[:3], mask, bias=leaves[3] if bias is not None else None, **arguments)
    weights = torch.linspace(-1, 2, out.numel(), dtype=torch.float32).view(out.shape)
    (out.float() * weights).sum().backward()
    return out.detach(), [leaf.grad for leaf in leaves]


# ---- the law, and the two forms -----------------------------------------------------------------


@both_forms
@given(st.data())
def test_attention_equals_a_double_loop(form, data):
    tensors = data.draw(inputs())
    mask, bias = data.draw(masks_for(*tensors[:2])), data.draw(biases_for(*tensors[:2]))
    scale = data.draw(st.sampled_from([None, 0.5, 1.0]))
    got = form(*tensors, mask, bias=bias, scale=scale)
    wanted = by_double_loop(*tensors, mask, bias, scale)
    assert got.shape == wanted.shape and got.dtype == torch.float32
    assert torch.allclose(got.double(), wanted, atol=1e-5)


@pytest.mark.parametrize("dtype", DTYPES)
@given(st.data())
@examples(40)
def test_the_two_forms_give_the_same_numbers_in_every_dtype(dtype, data):
    tensors = data.draw(inputs(dtype))
    mask, bias = data.draw(masks_for(*tensors[:2])), data.draw(biases_for(*tensors[:2]))
    readable = attention(*tensors, mask, bias=bias)
    fused = fused_attention(*tensors, mask, bias=bias)
    assert readable.dtype == fused.dtype == dtype
    # A score s is rounded by up to eps |s|, its weight by that share, the average by that much of
    # the largest value; each form rounds a handful of times.
    query, key, value = (x.double().abs() for x in tensors)
    scores = query @ key.mT / math.sqrt(query.shape[-1]) + (0 if bias is None else bias.abs())
    allowed = 4 * torch.finfo(dtype).eps * (1 + float(scores.max())) * float(value.max())
    assert float((readable.double() - fused.double()).abs().max()) <= allowed


@given(st.data())
def test_the_two_forms_have_the_same_gradients(data):
    tensors = data.draw(inputs(torch.float64))
    mask, bias = data.draw(masks_for(*tensors[:2])), data.draw(biases_for(*tensors[:2]))
    _, readable = gradients(attention, tensors, mask, bias)
    _, fused = gradients(fused_attention, tensors, mask, bias)
    for a, b in zip(readable, fused, strict=True):
        assert torch.allclose(a, b, atol=1e-5)


@given(st.data())
def test_weights_are_a_law_over_the_visible_keys_or_all_zeros(data):
    query, key, value = data.draw(inputs())
    mask, bias = data.draw(masks_for(query, key)), data.draw(biases_for(query, key))
    weights = attention_weights(query, key, mask, bias=bias)
    assert weights.shape == (*query.shape[:3], key.shape[2])
    visible = (
        torch.ones_like(weights, dtype=torch.bool) if mask is None else mask.expand_as(weights)
    )
    assert (weights >= 0).all()
    assert (weights[~visible] == 0).all()  # exactly
    wanted = visible.any(dim=-1).float()
    assert torch.allclose(weights.sum(dim=-1), wanted, atol=1e-5)
    assert torch.equal(attention(query, key, value, mask, bias=bias), weights @ value)


@both_forms
@given(st.data())
def test_equal_scores_average_the_visible_values(form, data):
    query, key, value = data.draw(inputs())
    mask = data.draw(masks_for(query, key, none=False))
    visible = mask.expand(*query.shape[:3], key.shape[2]).float()
    wanted = visible @ value / visible.sum(dim=-1, keepdim=True).clamp(min=1)
    assert torch.allclose(form(query * 0, key, value, mask), wanted, atol=1e-5)


@both_forms
@given(st.data(), st.floats(-20, 20))
def test_a_constant_added_to_all_scores_of_a_query_changes_nothing(form, data, constant):
    query, key, value = data.draw(inputs())
    mask = data.draw(masks_for(query, key))
    bias = torch.full((query.shape[2], 1), constant)
    assert torch.allclose(
        form(query, key, value, mask, bias=bias), form(query, key, value, mask), atol=1e-4
    )


@both_forms
@given(st.data())
def test_the_order_of_the_keys_does_not_matter(form, data):
    query, key, value = data.draw(inputs())
    mask = data.draw(masks_for(query, key, none=False)).expand(*query.shape[:3], key.shape[2])
    order = torch.tensor(data.draw(st.permutations(range(key.shape[2]))))
    mixed = form(query, key[:, :, order], value[:, :, order], mask[..., order])
    assert torch.allclose(mixed, form(query, key, value, mask), atol=1e-5)


@both_forms
@given(st.data())
def test_what_a_query_may_not_see_changes_nothing_and_what_it_may_see_does(form, data):
    query, key, value = data.draw(inputs())
    mask = data.draw(masks_for(query, key, none=False)).expand(*query.shape[:3], key.shape[2])
    before = form(query, key, value, mask)
    for j in range(key.shape[2]):
        other_key, other_value = key.clone(), value.clone()
        other_key[:, :, j] += 1000.0
        other_value[:, :, j] -= 1000.0
        blind = ~mask[..., j]
        assert torch.equal(form(query, other_key, other_value, mask)[blind], before[blind])
        if not blind.all():  # with even scores, so that no weight vanishes in rounding
            moved = form(query * 0, key, other_value, mask) - form(query * 0, key, value, mask)
            assert (moved[~blind].abs() > 1).all()


@both_forms
@given(st.data())
@examples(30)
def test_the_inputs_are_left_as_they_were(form, data):
    tensors = data.draw(inputs())
    mask, bias = data.draw(masks_for(*tensors[:2])), data.draw(biases_for(*tensors[:2]))
    given_ones = [x for x in (*tensors, mask, bias) if x is not None]
    before = [x.clone() for x in given_ones]
    form(*tensors, mask, bias=bias)
    assert all(torch.equal(a, b) for a, b in zip(given_ones, before, strict=True))


# ---- C01: a query that may attend to nothing ----------------------------------------------------


@both_forms
def test_row_with_nothing_visible_gives_zeros_C01(form):
    query, key = torch.eye(2).view(1, 1, 2, 2), torch.eye(2).view(1, 1, 2, 2)
    value = torch.tensor([[1.0, 2.0], [3.0, 4.0]]).view(1, 1, 2, 2)
    mask = torch.tensor([[False, False], [True, True]])
    leaves = [x.requires_grad_() for x in (query, key, value)]
    out = form(*leaves, mask, scale=1 / math.sqrt(2))
    assert out[0, 0, 0].tolist() == [0, 0]
    assert [round(x, 6) for x in out[0, 0, 1].tolist()] == [2.339523, 3.339523]
    out.sum().backward()
    assert all(leaf.grad.isfinite().all() for leaf in leaves)
    assert (query.grad[0, 0, 0] == 0).all()


@both_forms
@pytest.mark.parametrize("dtype", DTYPES)
@given(st.data())
@examples(40)
def test_blind_rows_are_zero_with_zero_gradients_and_nothing_is_ever_nan_C01(form, dtype, data):
    tensors = data.draw(inputs(dtype))
    query, key, _ = tensors
    mask, bias = data.draw(masks_for(query, key, none=False)), data.draw(biases_for(query, key))
    out, grads = gradients(form, tensors, mask, bias)
    assert out.isfinite().all() and all(grad.isfinite().all() for grad in grads)
    blind = ~mask.expand(*query.shape[:3], key.shape[2]).any(dim=-1)  # [B, H, Tq]
    assert (out[blind] == 0).all()
    assert (grads[0][blind] == 0).all()
    if blind.all():
        assert all((grad == 0).all() for grad in grads)


@both_forms
@given(st.data())
@examples(30)
def test_no_nan_arises_even_on_the_way_back_C01(form, data):
    tensors = data.draw(inputs())
    mask = data.draw(masks_for(*tensors[:2], none=False))
    bias = data.draw(biases_for(*tensors[:2]))
    # a NaN that a later step turns into zero again would still raise here
    with torch.autograd.set_detect_anomaly(True, check_nan=True):
        gradients(form, tensors, mask, bias)


@both_forms
def test_blind_rows_do_not_disturb_the_others_C01(form):
    generator = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(2, 2, 4, 3, generator=generator) for _ in range(3))
    mask = masks.causal(4)
    with_blind = mask.clone()
    with_blind[1] = False
    seeing = [0, 2, 3]
    assert torch.equal(form(q, k, v, with_blind)[:, :, seeing], form(q, k, v, mask)[:, :, seeing])


@both_forms
def test_no_keys_at_all_gives_zeros_C01(form):
    query, nothing = torch.ones(1, 2, 3, 4), torch.ones(1, 2, 0, 4)
    assert torch.equal(form(query, nothing, nothing), torch.zeros(1, 2, 3, 4))


@pytest.mark.parametrize("fused", [True, False])
def test_left_padding_leaves_every_weight_a_finite_gradient_C01(fused):
    torch.manual_seed(0)
    layer = MultiHeadAttention(8, 2, fused=fused)
    real = torch.tensor([[0, 0, 1, 1], [1, 1, 1, 1], [0, 0, 0, 1]], dtype=torch.bool)
    x = torch.randn(3, 4, 8, requires_grad=True)
    layer(x, masks.both(masks.causal(4), masks.padding(real))).square().sum().backward()
    assert x.grad.isfinite().all()
    assert all(p.grad is not None and p.grad.isfinite().all() for p in layer.parameters())


# ---- C03: more keys than queries ----------------------------------------------------------------


@both_forms
@pytest.mark.parametrize("last, wanted", [(1, [3.0]), (2, [2.5, 3.0]), (3, [2.0, 2.5, 3.0])])
def test_the_last_queries_average_all_that_came_before_C03(form, last, wanted):
    key = torch.zeros(1, 1, 5, 1)
    value = torch.arange(1.0, 6.0).view(1, 1, 5, 1)
    out = form(torch.zeros(1, 1, last, 1), key, value, masks.causal(last, 5))
    assert out.flatten().tolist() == pytest.approx(wanted)


@both_forms
@pytest.mark.parametrize("kind", ["causal", "window"])
@given(st.integers(1, 8), st.data())
def test_the_last_queries_give_the_last_rows_of_the_whole_C03(form, kind, length, data):
    last = data.draw(st.integers(1, length))
    generator = torch.Generator().manual_seed(data.draw(st.integers(0, 99)))
    q, k, v = (torch.randn(2, 2, length, 3, generator=generator) for _ in range(3))
    extra = {} if kind == "causal" else {"width": data.draw(st.integers(1, length))}
    build = getattr(masks, kind)
    whole = form(q, k, v, build(length, **extra))
    part = form(q[:, :, length - last :], k, v, build(last, length, **extra))
    assert torch.allclose(part, whole[:, :, length - last :], atol=1e-5)


def test_is_causal_of_torch_aligns_top_left_and_is_not_used_C03():
    key, value = torch.zeros(1, 1, 5, 1), torch.arange(1.0, 6.0).view(1, 1, 5, 1)
    theirs = F.scaled_dot_product_attention(torch.zeros(1, 1, 2, 1), key, value, is_causal=True)
    assert theirs.flatten().tolist() == [1.0, 1.5]  # why the helper passes a mask of its own
    ours = fused_attention(torch.zeros(1, 1, 2, 1), key, value, masks.causal(2, 5))
    assert ours.flatten().tolist() == [2.5, 3.0]


# ---- equality with torch ------------------------------------------------------------------------


@both_forms
@given(st.data())
def test_equals_scaled_dot_product_attention(form, data):
    tensors = data.draw(inputs())
    mask = data.draw(masks_for(*tensors[:2]))
    scale = data.draw(st.sampled_from([None, 0.3]))
    wanted = F.scaled_dot_product_attention(*tensors, attn_mask=mask, scale=scale)
    assert torch.allclose(form(*tensors, mask, scale=scale), wanted, atol=1e-5)


@both_forms
@given(st.integers(1, 8))
def test_causal_equals_is_causal_when_every_key_has_its_query(form, length):
    generator = torch.Generator().manual_seed(length)
    q, k, v = (torch.randn(2, 3, length, 4, generator=generator) for _ in range(3))
    wanted = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    assert torch.allclose(form(q, k, v, masks.causal(length)), wanted, atol=1e-5)


def torch_twin(layer):
    """torch's nn.MultiheadAttention with the same weights, loaded strictly."""
    width = layer.query.in_features
    twin = nn.MultiheadAttention(width, layer.heads, batch_first=True)
    parts = (layer.query, layer.key, layer.value)
    twin.load_state_dict(
        {
            "in_proj_weight": torch.cat([part.weight for part in parts]),
            "in_proj_bias": torch.cat([part.bias for part in parts]),
            "out_proj.weight": layer.output.weight,
            "out_proj.bias": layer.output.bias,
        },
        strict=True,
    )
    return twin


def kind_of_mask(kind, batch, length):
    """A mask in which every query sees something, since torch's layer gives NaN otherwise."""
    ids = torch.arange(length).expand(batch, length) // 2
    real = torch.arange(length) < torch.arange(length, length - batch, -1).clamp(min=1)[:, None]
    return {
        "none": None,
        "causal": masks.causal(length),
        "window": masks.window(length, width=2),
        "padding": masks.padding(real),
        "document": masks.document(ids),
        "prefix": masks.prefix(torch.arange(batch), length),
        "causal and padding": masks.both(masks.causal(length), masks.padding(real)),
        "causal and document": masks.both(masks.causal(length), masks.document(ids)),
    }[kind]


KINDS = ("none", "causal", "window", "padding", "document", "prefix", "causal and padding",
         "causal and document")  # fmt: skip


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("kind", KINDS)
@given(st.integers(1, 3), st.integers(1, 6), st.sampled_from([(8, 1), (8, 2), (6, 3), (4, 4)]))
@examples(20)
def test_layer_equals_multihead_attention_of_torch(kind, fused, batch, length, sizes):
    width, heads = sizes
    torch.manual_seed(0)
    layer = MultiHeadAttention(width, heads, fused=fused)
    x = torch.randn(batch, length, width)
    mask = kind_of_mask(kind, batch, length)
    hidden = None
    if mask is not None:
        hidden = masks.to_hidden(mask).expand(batch, heads, length, length).flatten(0, 1)
    wanted, weights = torch_twin(layer)(x, x, x, attn_mask=hidden, average_attn_weights=False)
    assert torch.allclose(layer(x, mask), wanted, atol=1e-5)
    assert torch.allclose(layer.weights(x, mask), weights, atol=1e-5)


@given(st.integers(1, 3), st.integers(1, 6), st.integers(1, 3), st.data())
def test_the_layer_is_the_same_in_both_forms_with_any_mask(batch, length, heads, data):
    torch.manual_seed(1)
    fused = MultiHeadAttention(2 * heads, heads)
    readable = MultiHeadAttention(2 * heads, heads, fused=False)
    readable.load_state_dict(fused.state_dict(), strict=True)
    assert fused.fused and not readable.fused
    x = torch.randn(batch, length, 2 * heads)
    plane = torch.empty(batch, heads, length, 2)
    mask = data.draw(masks_for(plane, plane))
    assert torch.allclose(fused(x, mask), readable(x, mask), atol=1e-5)


# ---- a second sequence: the same layer, keys and values from elsewhere -------------------------

SIZES = st.sampled_from([(8, 1), (8, 2), (6, 3), (4, 4)])  # C and H


def layer_and_two(sizes, batch, length, source_length, *, fused=True):
    width, heads = sizes
    torch.manual_seed(0)
    layer = MultiHeadAttention(width, heads, fused=fused)
    return layer, torch.randn(batch, length, width), torch.randn(batch, source_length, width)


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("hide", [False, True])
@given(st.integers(1, 3), st.integers(1, 6), st.integers(1, 6), SIZES)
@examples(20)
def test_looking_at_a_source_equals_multihead_attention_of_torch(
    hide, fused, batch, length, source_length, sizes
):
    layer, x, y = layer_and_two(sizes, batch, length, source_length, fused=fused)
    real, mask = None, None
    if hide:
        ends = torch.arange(source_length, source_length - batch, -1).clamp(min=1)
        real = torch.arange(source_length) < ends[:, None]
        mask = masks.padding(real)
    wanted, weights = torch_twin(layer)(
        x, y, y, key_padding_mask=None if real is None else ~real, average_attn_weights=False
    )
    assert torch.allclose(layer(x, mask, source=y), wanted, atol=1e-5)
    assert torch.allclose(layer.weights(x, mask, source=y), weights, atol=1e-5)


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("kind", ["none", "causal", "padding", "causal and padding"])
@given(st.integers(1, 3), st.integers(1, 6), SIZES)
@examples(10)
def test_a_source_that_is_x_itself_is_self_attention_bit_for_bit(kind, fused, batch, length, sizes):
    layer, x, _ = layer_and_two(sizes, batch, length, 1, fused=fused)
    mask = kind_of_mask(kind, batch, length)
    assert torch.equal(layer(x, mask, source=x), layer(x, mask))
    assert torch.equal(layer.weights(x, mask, source=x), layer.weights(x, mask))


@pytest.mark.parametrize("fused", [True, False])
@given(st.integers(1, 3), st.integers(1, 6), st.integers(1, 6), SIZES, st.data())
@examples(20)
def test_keys_and_values_kept_and_looked_at_later_are_the_whole_layer(
    fused, batch, length, source_length, sizes, data
):
    layer, x, y = layer_and_two(sizes, batch, length, source_length, fused=fused)
    width, heads = sizes
    key, value = layer.keys_values(y)
    assert torch.equal(key, split_heads(layer.key(y), heads))
    assert torch.equal(value, split_heads(layer.value(y), heads))
    assert key.shape == value.shape == (batch, heads, source_length, width // heads)
    mask = data.draw(masks_for(split_heads(x, heads), key))
    assert torch.equal(layer.look(x, key, value, mask), layer(x, mask, source=y))
    weights = layer.weights(x, mask, source=y)
    mixed = layer.output(merge_heads(weights @ value))
    assert torch.allclose(layer(x, mask, source=y), mixed, atol=1e-5)


@pytest.mark.parametrize("fused", [True, False])
@given(st.integers(1, 6), st.integers(1, 5), SIZES, st.data())
@examples(20)
def test_hidden_places_of_a_source_change_nothing_and_shown_ones_do(
    fused, length, source_length, sizes, data
):
    layer, x, y = layer_and_two(sizes, 1, length, source_length, fused=fused)
    layer, x, y = layer.double(), x.double(), y.double()
    bits = data.draw(st.lists(st.booleans(), min_size=source_length, max_size=source_length))
    mask = masks.padding(torch.tensor([bits]))
    before = layer(x, mask, source=y)
    assert before.isfinite().all()
    for s, shown in enumerate(bits):
        changed = y.clone()
        changed[:, s] += 1.0
        moved = (layer(x, mask, source=changed) != before).any(dim=2)
        assert moved.all() if shown else not moved.any()


@pytest.mark.parametrize("fused", [True, False])
@given(st.integers(1, 3), st.integers(2, 7), SIZES, st.data())
@examples(20)
def test_what_is_remembered_is_looked_at_together_with_the_new(fused, batch, length, sizes, data):
    layer, x, _ = layer_and_two(sizes, batch, length, 1, fused=fused)
    start, given_ones = data.draw(st.integers(1, length - 1)), []
    old_key, old_value = layer.keys_values(x[:, :start])

    def remember(key, value):
        given_ones.append((key, value))
        return torch.cat([old_key, key], dim=2), torch.cat([old_value, value], dim=2)

    new = x[:, start:]
    got = layer(new, masks.causal(length - start, length), remember=remember)
    assert torch.allclose(got, layer(x, masks.causal(length))[:, start:], atol=1e-5)
    wanted = layer.keys_values(new)  # it is told of the new ones only, once
    assert len(given_ones) == 1 and all(map(torch.equal, given_ones[0], wanted))


def test_what_is_remembered_of_a_source_is_looked_at_too():
    layer, x, y = layer_and_two((8, 2), 2, 3, 4)
    key, value = layer.keys_values(y)
    got = layer(x, source=y[:, :1], remember=lambda *_: (key, value))
    assert torch.equal(got, layer(x, source=y))


@pytest.mark.parametrize("fused", [True, False])
def test_gradients_reach_both_sequences(fused):
    layer, x, y = layer_and_two((8, 2), 2, 3, 4, fused=fused)
    x, y = x.requires_grad_(), y.requires_grad_()
    mask = masks.padding(torch.tensor([[True, False, True, True], [False] * 4]))
    layer(x, mask, source=y).square().sum().backward()
    assert x.grad.isfinite().all() and y.grad.isfinite().all()
    assert (x.grad[0] != 0).any(dim=1).all() and (x.grad[1] == 0).all()  # row 1 sees nothing
    assert (y.grad != 0).any(dim=2).tolist() == [[True, False, True, True], [False] * 4]


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize(
    "source, mask, error, message",
    [
        ((1, 4, 8), None, ValueError, r"key has batch and heads \[1, 2\] but query has \[3, 2\]"),
        ((4, 4, 8), None, ValueError, r"key has batch and heads \[4, 2\] but query has \[3, 2\]"),
        ((3, 4, 8), (3, 1, 1, 5), ValueError, r"mask has shape \[3, 1, 1, 5\]; .* \[3, 2, 5, 4\]"),
        ((3, 4, 8), (5, 5), ValueError, r"mask has shape \[5, 5\]; .* \[3, 2, 5, 4\]"),
    ],
)
def test_a_source_that_does_not_fit_is_refused_by_name(fused, source, mask, error, message):
    layer, x, _ = layer_and_two((8, 2), 3, 5, 1, fused=fused)
    mask = None if mask is None else torch.ones(mask, dtype=torch.bool)
    for call_it in (layer, layer.weights):
        with pytest.raises(error, match=message):
            call_it(x, mask, source=torch.ones(source))


# ---- heads --------------------------------------------------------------------------------------


@given(st.integers(1, 3), st.integers(1, 5), st.integers(1, 4), st.integers(1, 4))
def test_heads_are_neighbouring_columns_and_merge_back(batch, length, heads, width):
    x = torch.randn(batch, length, heads * width)
    split = split_heads(x, heads)
    assert split.shape == (batch, heads, length, width)
    for h in range(heads):
        assert torch.equal(split[:, h], x[:, :, h * width : (h + 1) * width])
    assert torch.equal(merge_heads(split), x)


@given(st.integers(1, 20), st.integers(1, 8))
def test_a_width_that_is_no_multiple_of_the_heads_is_refused(width, heads):
    if width % heads == 0:
        assert MultiHeadAttention(width, heads).heads == heads
        return
    with pytest.raises(ValueError, match=f"width C={width} must be a multiple of heads H={heads}"):
        MultiHeadAttention(width, heads)
    with pytest.raises(ValueError, match=f"width C={width} cannot be cut into heads H={heads}"):
        split_heads(torch.zeros(1, 2, width), heads)


@pytest.mark.parametrize("heads", [0, -1])
def test_impossible_numbers_of_heads_are_refused(heads):
    with pytest.raises(ValueError, match=f"heads H={heads}"):
        MultiHeadAttention(8, heads)


# ---- the worked example of lesson 03, and the scale ---------------------------------------------


def worked_example():
    generator = torch.Generator().manual_seed(7)
    shapes = ((4, 3), (3, 3), (3, 3), (3, 2))
    x, w_q, w_k, w_v = (torch.randn(shape, generator=generator) for shape in shapes)
    return (x @ w_q)[None, None], (x @ w_k)[None, None], (x @ w_v)[None, None]


def test_worked_example_weights():
    query, key, _ = worked_example()
    weights = attention_weights(query, key, masks.causal(4))[0, 0]
    assert [[round(w, 3) for w in row] for row in weights.tolist()] == [
        [1, 0, 0, 0],
        [0.901, 0.099, 0, 0],
        [0.797, 0.049, 0.154, 0],
        [0.082, 0.250, 0.131, 0.537],
    ]
    assert (weights.triu(1) == 0).all()  # exactly


@both_forms
def test_worked_example_last_context_row(form):
    context = form(*worked_example(), masks.causal(4))
    assert [round(x, 3) for x in context[0, 0, 3].tolist()] == [-0.270, -0.936]


def test_scores_keep_variance_1_whatever_the_width():
    generator = torch.Generator().manual_seed(0)
    for width in (4, 16, 64):
        query, key = (torch.randn(1, 1, 400, width, generator=generator) for _ in range(2))
        # ratios of weights in a row are differences of scores: log w_ij - log w_i0 = s_ij - s_i0
        logs = attention_weights(query.double(), key.double()).log()
        spread = (logs - logs.mean(dim=-1, keepdim=True)).var()
        assert abs(float(spread) - 1) < 0.1
        assert abs(float((query @ key.mT).var()) / width - 1) < 0.1


# ---- C73 and C15: no dropout hides in attention -------------------------------------------------


def test_attention_has_no_dropout_and_no_chance_C15_C73():
    for form in (*FORMS, attention_weights, MultiHeadAttention.__init__):
        assert not [name for name in inspect.signature(form).parameters if "dropout" in name]
    torch.manual_seed(0)
    layer = MultiHeadAttention(8, 2)
    x = torch.randn(2, 5, 8)
    training, again, evaluation = layer(x), layer(x), layer.eval()(x)
    assert torch.equal(training, again) and torch.equal(training, evaluation)
    assert {parameter.device.type for parameter in layer.parameters()} == {"cpu"}


# ---- bad input ----------------------------------------------------------------------------------

GOOD = {"query": (2, 3, 4, 5), "key": (2, 3, 6, 5), "value": (2, 3, 6, 7)}


def call(form, mask=None, bias=None, **changed):
    tensors = {name: torch.zeros(shape) for name, shape in GOOD.items()} | changed
    return form(*tensors.values(), mask, bias=bias)


def zeros(*shape, **options):
    return torch.zeros(shape, **options)


BAD = [
    ({"query": zeros(4, 5)}, ValueError, r"query has shape \[4, 5\]; give four axes"),
    ({"key": zeros(2, 6, 5)}, ValueError, r"key has shape \[2, 6, 5\]; give four axes"),
    ({"value": zeros(6, 7)}, ValueError, r"value has shape \[6, 7\]; give four axes"),
    ({"key": zeros(1, 3, 6, 5)}, ValueError, r"key has .* \[1, 3\] but query has \[2, 3\]"),
    ({"value": zeros(2, 1, 6, 7)}, ValueError, r"value has .* \[2, 1\] but query"),
    ({"key": zeros(2, 3, 6, 4)}, ValueError, "query has head width 5 but key has 4"),
    ({"value": zeros(2, 3, 5, 7)}, ValueError, "6 keys but 5 values"),
    ({"query": zeros(2, 3, 4, 5).long()}, TypeError, "query is torch.int64; give a floating dtype"),
    ({"key": zeros(2, 3, 6, 5).double()}, TypeError, "key is torch.float64 but query is"),
    ({"value": zeros(2, 3, 6, 7).half()}, TypeError, "value is torch.float16 but query is"),
    ({"key": zeros(2, 3, 6, 5, device="meta")}, ValueError, "key is on meta but query is on cpu"),
    ({"value": zeros(2, 3, 6, 7, device="meta")}, ValueError, "value is on meta but query"),
    ({"mask": zeros(4, 6)}, TypeError, "mask is torch.float32; give a boolean tensor"),
    ({"mask": zeros(4, 6).long()}, TypeError, "mask is torch.int64; give a boolean tensor"),
    ({"mask": zeros(6, 4).bool()}, ValueError, r"mask has shape \[6, 4\]; .* \[2, 3, 4, 6\]"),
    ({"mask": zeros(3, 2, 4, 6).bool()}, ValueError, r"mask has shape \[3, 2, 4, 6\]"),
    ({"mask": zeros(6).bool()}, ValueError, r"mask has shape \[6\]"),
    ({"mask": zeros(1, 2, 3, 4, 6).bool()}, ValueError, r"mask has shape \[1, 2, 3, 4, 6\]"),
    ({"mask": zeros(4, 6, device="meta").bool()}, ValueError, "mask is on meta but query"),
    ({"bias": zeros(4, 6).bool()}, TypeError, "bias is torch.bool; give floats"),
    ({"bias": zeros(5, 1, 4, 6)}, ValueError, r"bias has shape \[5, 1, 4, 6\]; .* \[2, 3, 4, 6\]"),
    ({"bias": zeros(4, 5)}, ValueError, r"bias has shape \[4, 5\]"),
    ({"bias": zeros(4, 6, device="meta")}, ValueError, "bias is on meta but query is on cpu"),
]  # fmt: skip


@both_forms
@pytest.mark.parametrize("changed, error, message", BAD)
def test_inputs_that_do_not_fit_are_refused_by_name(form, changed, error, message):
    with pytest.raises(error, match=message):
        call(form, **changed)


def test_the_good_input_of_the_cases_above_passes():
    for form in FORMS:
        assert call(form).shape == (2, 3, 4, 7)


def test_weights_alone_refuse_the_same():
    with pytest.raises(ValueError, match=r"mask has shape \[4, 5\]"):
        attention_weights(zeros(2, 3, 4, 5), zeros(2, 3, 6, 5), zeros(4, 5).bool())
    with pytest.raises(ValueError, match="query has head width 5 but key has 4"):
        attention_weights(zeros(2, 3, 4, 5), zeros(2, 3, 6, 4))


@pytest.mark.parametrize("form", [attention, fused_attention])
@pytest.mark.parametrize("masked", [False, True])
def test_a_bias_of_minus_infinity_hides_as_a_mask_does_C01(form, masked):
    x = torch.eye(2)[None, None].requires_grad_()
    bias = torch.tensor([[-math.inf, -math.inf], [0.0, -math.inf]])
    out = form(x, x, x, masks.causal(2) if masked else None, bias=bias)
    assert torch.equal(out[0, 0], torch.tensor([[0.0, 0.0], [1.0, 0.0]]))
    out.sum().backward()
    assert x.grad.isfinite().all()


@pytest.mark.parametrize("form", [attention, fused_attention])
def test_large_half_precision_scores_do_not_overflow(form):
    x = torch.full((1, 1, 3, 8), 200.0, dtype=torch.float16)
    assert torch.equal(form(x, x, x), x)


@pytest.mark.parametrize("form", [attention, fused_attention])
def test_a_scale_that_is_no_number_and_heads_without_width_are_refused(form):
    x = torch.ones(1, 1, 2, 4)
    with pytest.raises(ValueError, match="scale is nan; give a finite number"):
        form(x, x, x, scale=math.nan)
    empty = torch.ones(1, 1, 2, 0)
    with pytest.raises(ValueError, match="head width D of 1 or more"):
        form(empty, empty, x)


# ---- fewer key/value heads than query heads -----------------------------------------------------


@both_forms
def test_neighbouring_query_heads_share_a_key_value_head_C49(form):
    query, key = torch.randn(1, 4, 3, 5), torch.randn(1, 2, 3, 5)
    value = torch.tensor([10.0, 20.0]).view(1, 2, 1, 1).expand(1, 2, 3, 1)
    out = form(query, key, value)
    assert [round(x, 4) for x in out[0, :, 0, 0].tolist()] == [10, 10, 20, 20]


@both_forms
@pytest.mark.parametrize("key_heads, value_heads", [(4, 4), (4, 6), (2, 3), (6, 3), (12, 12)])
def test_heads_that_cannot_be_shared_are_refused_C49(form, key_heads, value_heads):
    query, key = torch.zeros(1, 6, 2, 5), torch.zeros(1, key_heads, 2, 5)
    with pytest.raises(ValueError, match=r"has batch and heads .* one number that divides those"):
        form(query, key, torch.zeros(1, value_heads, 2, 5))
    with pytest.raises(ValueError, match="heads H=6 must be a multiple of key_value_heads G=4"):
        MultiHeadAttention(12, 6, key_value_heads=4)


@both_forms
@given(st.integers(1, 3), st.integers(1, 3), st.integers(1, 6), st.data())
def test_shared_heads_are_the_same_as_copied_ones_C49(form, groups, share, length, data):
    torch.manual_seed(0)
    query = torch.randn(2, groups * share, length, 3)
    key, value = torch.randn(2, 2, groups, length, 3)
    mask = data.draw(masks_for(query, key))
    bias = data.draw(st.sampled_from([None, torch.randn(groups * share, length, length)]))
    copied = [x.repeat_interleave(share, dim=1) for x in (key, value)]
    wanted = attention(query, *copied, mask, bias=bias)
    assert torch.allclose(form(query, key, value, mask, bias=bias), wanted, atol=1e-5)


@pytest.mark.parametrize("fused", [True, False])
@given(st.sampled_from([(1, 1), (2, 1), (4, 1), (4, 2), (6, 3)]), st.integers(1, 5), st.booleans())
def test_a_grouped_layer_is_a_multi_head_layer_with_copied_rows_C49(fused, sizes, length, normed):
    heads, groups = sizes
    torch.manual_seed(0)
    norm = "rms" if normed else None
    small = MultiHeadAttention(
        8, heads, key_value_heads=groups, head_width=3, query_key_norm=norm, fused=fused
    )
    large = MultiHeadAttention(8, heads, head_width=3, query_key_norm=norm, fused=fused)
    weights = small.state_dict()
    for name in ("key.weight", "key.bias", "value.weight", "value.bias"):
        by_head = weights[name].view(groups, 3, *weights[name].shape[1:])
        weights[name] = by_head.repeat_interleave(heads // groups, dim=0).flatten(0, 1)
    large.load_state_dict(weights, strict=True)
    x, mask = torch.randn(2, length, 8), masks.causal(length)
    turn = rotation(torch.arange(length)[None], Rotary(width=2), 3)
    assert small.key.out_features == 3 * groups
    assert torch.allclose(small(x, mask, turn=turn), large(x, mask, turn=turn), atol=1e-5)
    weights = small.weights(x, mask, turn=turn)
    assert torch.allclose(weights, large.weights(x, mask, turn=turn), atol=1e-5)


@pytest.mark.parametrize("fused", [True, False])
def test_biases_of_a_layer_are_there_only_where_asked_for(fused):
    for qkv, output in ((True, False), (False, True), (False, False)):
        layer = MultiHeadAttention(8, 2, qkv_bias=qkv, output_bias=output, fused=fused)
        have = {name for name, _ in layer.named_parameters() if name.endswith("bias")}
        wanted = {"query.bias", "key.bias", "value.bias"} if qkv else set()
        assert have == wanted | ({"output.bias"} if output else set())
        assert layer(torch.randn(1, 3, 8)).shape == (1, 3, 8)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_fused_attention_in_16_bits_is_the_float32_result_rounded_once(dtype):
    generator = torch.Generator().manual_seed(0)
    query, key, value = (
        torch.randn(2, heads, 5, 8, generator=generator).to(dtype).requires_grad_()
        for heads in (4, 2, 2)
    )
    mask = masks.causal(5)
    found = fused_attention(query, key, value, mask)
    exact = fused_attention(query.float(), key.float(), value.float(), mask)
    assert found.dtype == dtype and torch.equal(found, exact.to(dtype))
    for gradient in torch.autograd.grad(found.sum(), (query, key, value)):
        assert gradient.dtype == dtype
