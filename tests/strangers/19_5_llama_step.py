import torch
import torch.nn.functional as F


def _norm(x, weight, eps=1e-5):
    return x * torch.rsqrt(x.square().mean() + eps) * weight


def _turn(heads, angle):
    a, b = heads.chunk(2, dim=-1)
    return torch.cat([a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()], dim=-1)


def _angle(T, D, base):
    return T * torch.tensor([base ** (-2 * i / D) for i in range(D // 2)])


def _feed(x, weights):
    read = _norm(x, weights["feed_forward_norm.weight"])
    gate = F.silu(weights["feed_forward.gate.weight"] @ read)
    return x + weights["feed_forward.narrow.weight"] @ (
        gate * (weights["feed_forward.widen.weight"] @ read)
    )


def _attend(query, keys, values):
    G, D = keys.shape[0], keys.shape[2]
    grouped = query.reshape(G, -1, D)
    scores = grouped @ keys.transpose(1, 2) / D**0.5
    return (scores.softmax(-1) @ values).reshape(-1)


def _read(x, weights, D):
    read = _norm(x, weights["attention_norm.weight"])
    return [
        (weights[f"attention.{n}.weight"] @ read).reshape(-1, D) for n in ("query", "key", "value")
    ]


def wrong_one_position_on(x, weights, keys, values, base):
    """the new token stands at position T + 1

    Feedback: the new token stands one position too far: the first position is 0
    """
    # wrong for: T = 2: the returned keys of the new token (and x) are turned one position too far
    D, T = keys.shape[2], keys.shape[1]
    query, key, value = _read(x, weights, D)
    angle = _angle(T + 1, D, base)
    keys = torch.cat([keys, _turn(key, angle)[:, None]], dim=1)
    values = torch.cat([values, value[:, None]], dim=1)
    said = _attend(_turn(query, angle), keys, values)
    return {
        "x": _feed(x + weights["attention.output.weight"] @ said, weights),
        "keys": keys,
        "values": values,
    }


def wrong_heads_in_turn(x, weights, keys, values, base):
    """query heads read the key/value heads in turn, 0, 1, 0, 1, instead of by neighbours

    Feedback: query heads read the wrong key/value heads: neighbours share one
    """
    # wrong for: H = 4, G = 2, T >= 1: other x (keys and values are right)
    G, T, D = keys.shape
    query, key, value = _read(x, weights, D)
    angle = _angle(T, D, base)
    keys = torch.cat([keys, _turn(key, angle)[:, None]], dim=1)
    values = torch.cat([values, value[:, None]], dim=1)
    query = _turn(query, angle)
    share = len(query) // G
    scores = torch.einsum("hd,htd->ht", query, keys.repeat(share, 1, 1)) / D**0.5
    said = torch.einsum("ht,htd->hd", scores.softmax(-1), values.repeat(share, 1, 1)).reshape(-1)
    return {
        "x": _feed(x + weights["attention.output.weight"] @ said, weights),
        "keys": keys,
        "values": values,
    }


def wrong_base_of_the_lesson(x, weights, keys, values, base):
    """the base is always 10,000

    Feedback: keys is not what the block makes of this token and its past
    """
    # wrong for: base = 100.0, D = 4, T = 1: pair 1 turns by 0.01, right 0.1
    G, T, D = keys.shape
    query, key, value = _read(x, weights, D)
    angle = _angle(T, D, 10_000.0)
    keys = torch.cat([keys, _turn(key, angle)[:, None]], dim=1)
    values = torch.cat([values, value[:, None]], dim=1)
    said = _attend(_turn(query, angle), keys, values)
    return {
        "x": _feed(x + weights["attention.output.weight"] @ said, weights),
        "keys": keys,
        "values": values,
    }


def wrong_eps_outside_the_root(x, weights, keys, values, base):
    """the norms add eps to the root, not inside

    Feedback: x is not what the block makes of this token and its past
    """

    # wrong for: x near 1e-3 (mean square 1e-6, below eps): x is normed to about 1 instead of 0.3
    def norm(v, weight):
        return v / (v.square().mean().sqrt() + 1e-5) * weight

    G, T, D = keys.shape
    read = norm(x, weights["attention_norm.weight"])
    query, key, value = (
        (weights[f"attention.{n}.weight"] @ read).reshape(-1, D) for n in ("query", "key", "value")
    )
    angle = _angle(T, D, base)
    keys = torch.cat([keys, _turn(key, angle)[:, None]], dim=1)
    values = torch.cat([values, value[:, None]], dim=1)
    x = x + weights["attention.output.weight"] @ _attend(_turn(query, angle), keys, values)
    read = norm(x, weights["feed_forward_norm.weight"])
    wide = F.silu(weights["feed_forward.gate.weight"] @ read) * (
        weights["feed_forward.widen.weight"] @ read
    )
    return {"x": x + weights["feed_forward.narrow.weight"] @ wide, "keys": keys, "values": values}


def wrong_scale_by_c_over_h(x, weights, keys, values, base):
    """scores are divided by the root of C / H, which need not be D

    Feedback: the scores are divided by the root of C / H, which need not be D
    """
    # wrong for: C = 8, H = 2, D = 8 (H*D = 16): divided by 2, right by sqrt(8)
    G, T, D = keys.shape
    query, key, value = _read(x, weights, D)
    angle = _angle(T, D, base)
    keys = torch.cat([keys, _turn(key, angle)[:, None]], dim=1)
    values = torch.cat([values, value[:, None]], dim=1)
    H = len(query)
    grouped = _turn(query, angle).reshape(G, H // G, D)
    scores = grouped @ keys.transpose(1, 2) / (len(x) / H) ** 0.5
    said = (scores.softmax(-1) @ values).reshape(-1)
    return {
        "x": _feed(x + weights["attention.output.weight"] @ said, weights),
        "keys": keys,
        "values": values,
    }


def wrong_not_itself(x, weights, keys, values, base):
    """the token looks at those before it and not at itself, but for the first token of a text

    Feedback: the new token does not look at itself
    """
    # wrong for: T = 1: all weight is on the older token
    G, T, D = keys.shape
    query, key, value = _read(x, weights, D)
    angle = _angle(T, D, base)
    new_keys = torch.cat([keys, _turn(key, angle)[:, None]], dim=1)
    new_values = torch.cat([values, value[:, None]], dim=1)
    seen = (keys, values) if T else (new_keys, new_values)
    said = _attend(_turn(query, angle), *seen)
    return {
        "x": _feed(x + weights["attention.output.weight"] @ said, weights),
        "keys": new_keys,
        "values": new_values,
    }


def wrong_neighbours_make_a_pair(x, weights, keys, values, base):
    """lanes 2i and 2i + 1 make a pair

    Feedback: neighbouring lanes are paired: in this layout lane i goes with lane i + D / 2
    """

    # wrong for: D = 4, T = 1: keys of the new token differ (D = 2 is right)
    def turn(heads, angle):
        a, b = heads[..., 0::2], heads[..., 1::2]
        both = [a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()]
        return torch.stack(both, dim=-1).flatten(-2)

    G, T, D = keys.shape
    query, key, value = _read(x, weights, D)
    angle = _angle(T, D, base)
    keys = torch.cat([keys, turn(key, angle)[:, None]], dim=1)
    values = torch.cat([values, value[:, None]], dim=1)
    said = _attend(turn(query, angle), keys, values)
    return {
        "x": _feed(x + weights["attention.output.weight"] @ said, weights),
        "keys": keys,
        "values": values,
    }


def wrong_turned_back(x, weights, keys, values, base):
    """turns the other way, by minus the angle

    Feedback: queries and keys are turned the other way round: only the differences are right
    """
    # wrong for: T >= 1: the new key is turned the other way than the older ones
    G, T, D = keys.shape
    query, key, value = _read(x, weights, D)
    angle = -_angle(T, D, base)
    keys = torch.cat([keys, _turn(key, angle)[:, None]], dim=1)
    values = torch.cat([values, value[:, None]], dim=1)
    said = _attend(_turn(query, angle), keys, values)
    return {
        "x": _feed(x + weights["attention.output.weight"] @ said, weights),
        "keys": keys,
        "values": values,
    }


def wrong_old_keys_turned_again(x, weights, keys, values, base):
    """the keys from before are turned by their positions once more

    Feedback: the keys of the cache are turned again: they were turned when they came
    """
    # wrong for: T >= 2: the returned old keys are not those that were given
    G, T, D = keys.shape
    query, key, value = _read(x, weights, D)
    keys = torch.cat([keys, key[:, None]], dim=1)
    values = torch.cat([values, value[:, None]], dim=1)
    keys = torch.stack([_turn(keys[:, t], _angle(t, D, base)) for t in range(T + 1)], dim=1)
    said = _attend(_turn(query, _angle(T, D, base)), keys, values)
    return {
        "x": _feed(x + weights["attention.output.weight"] @ said, weights),
        "keys": keys,
        "values": values,
    }


def wrong_stored_unturned(x, weights, keys, values, base):
    """attends with the turned key and stores the new one as it was

    Feedback: the new key joins the cache as it was, and not turned
    """
    # wrong for: T >= 1: x is right, the last key is not turned
    G, T, D = keys.shape
    query, key, value = _read(x, weights, D)
    angle = _angle(T, D, base)
    values = torch.cat([values, value[:, None]], dim=1)
    said = _attend(
        _turn(query, angle), torch.cat([keys, _turn(key, angle)[:, None]], dim=1), values
    )
    kept = torch.cat([keys, key[:, None]], dim=1)
    return {
        "x": _feed(x + weights["attention.output.weight"] @ said, weights),
        "keys": kept,
        "values": values,
    }


def wrong_gate_and_widen_swapped(x, weights, keys, values, base):
    """silu is laid on widen instead of gate

    Feedback: gate and widen have changed places: the gate is what is bent
    """
    # wrong for: any weights in which gate and widen differ
    G, T, D = keys.shape
    query, key, value = _read(x, weights, D)
    angle = _angle(T, D, base)
    keys = torch.cat([keys, _turn(key, angle)[:, None]], dim=1)
    values = torch.cat([values, value[:, None]], dim=1)
    x = x + weights["attention.output.weight"] @ _attend(_turn(query, angle), keys, values)
    read = _norm(x, weights["feed_forward_norm.weight"])
    wide = (weights["feed_forward.gate.weight"] @ read) * F.silu(
        weights["feed_forward.widen.weight"] @ read
    )
    return {"x": x + weights["feed_forward.narrow.weight"] @ wide, "keys": keys, "values": values}


def wrong_no_shift_in_softmax(x, weights, keys, values, base):
    """softmax by exp without taking the largest score off: overflows at large scores

    Feedback: exponentials of large scores overflow: take off the maximum first
    """
    # wrong for: keys of size 1e3: exp overflows, x is nan
    G, T, D = keys.shape
    query, key, value = _read(x, weights, D)
    angle = _angle(T, D, base)
    keys = torch.cat([keys, _turn(key, angle)[:, None]], dim=1)
    values = torch.cat([values, value[:, None]], dim=1)
    wide = (_turn(query, angle).reshape(G, -1, D) @ keys.transpose(1, 2) / D**0.5).exp()
    said = (wide / wide.sum(-1, keepdim=True) @ values).reshape(-1)
    return {
        "x": _feed(x + weights["attention.output.weight"] @ said, weights),
        "keys": keys,
        "values": values,
    }


def right_complex_float64(x, weights, keys, values, base):
    """in float64, turns by complex numbers, one head after another, and comes back to the type of x"""
    w = {name: tensor.double() for name, tensor in weights.items()}
    state, (G, T, D) = x.double(), keys.shape

    def norm(v, weight):
        return v / torch.sqrt((v * v).mean() + 1e-5) * weight

    angles = torch.tensor([T * base ** (-2 * i / D) for i in range(D // 2)], dtype=torch.float64)
    spin = torch.polar(torch.ones_like(angles), angles)

    def turned(flat):
        heads = flat.view(-1, D)
        spun = (
            torch.complex(heads[:, : D // 2].contiguous(), heads[:, D // 2 :].contiguous()) * spin
        )
        return torch.hstack([spun.real, spun.imag])

    read = norm(state, w["attention_norm.weight"])
    query, key = (turned(w[f"attention.{n}.weight"] @ read) for n in ("query", "key"))
    value = (w["attention.value.weight"] @ read).view(G, D)
    all_keys = torch.cat([keys.double(), key.unsqueeze(1)], 1)
    all_values = torch.cat([values.double(), value.unsqueeze(1)], 1)
    said = []
    for head, asked in enumerate(query):
        group = head // (len(query) // G)
        scores = all_keys[group] @ asked / D**0.5
        said.append(torch.softmax(scores, 0) @ all_values[group])
    state = state + w["attention.output.weight"] @ torch.cat(said)
    read = norm(state, w["feed_forward_norm.weight"])
    gate = w["feed_forward.gate.weight"] @ read
    state = state + w["feed_forward.narrow.weight"] @ (
        gate * torch.sigmoid(gate) * (w["feed_forward.widen.weight"] @ read)
    )
    return {
        "x": state.to(x.dtype),
        "keys": torch.cat([keys, key.to(keys.dtype)[:, None]], 1),
        "values": torch.cat([values, value.to(values.dtype)[:, None]], 1),
    }


def right_torch_functions(x, weights, keys, values, base):
    """with torch's own rms_norm, linear and scaled_dot_product_attention, and a rotation matrix"""
    G, T, D = keys.shape
    half = D // 2

    def part(name, v):
        return F.linear(v, weights[name + ".weight"])

    def normed(name, v):
        return F.rms_norm(v, v.shape, weight=weights[name + ".weight"], eps=1e-5)

    matrix = torch.zeros(D, D, dtype=torch.float64)
    for i in range(half):
        angle = torch.tensor(T * base ** (-2 * i / D), dtype=torch.float64)
        matrix[i, i] = matrix[i + half, i + half] = angle.cos()
        matrix[i + half, i], matrix[i, i + half] = angle.sin(), -angle.sin()
    matrix = matrix.to(x.dtype)

    read = normed("attention_norm", x)
    query = part("attention.query", read).unflatten(0, (-1, 1, D)) @ matrix.T  # [H, 1, D]
    key = part("attention.key", read).unflatten(0, (G, 1, D)) @ matrix.T
    value = part("attention.value", read).unflatten(0, (G, 1, D))
    keys, values = torch.cat((keys, key), 1), torch.cat((values, value), 1)
    share = query.shape[0] // G
    said = F.scaled_dot_product_attention(
        query, keys.repeat_interleave(share, 0), values.repeat_interleave(share, 0)
    )
    x = x + part("attention.output", said.flatten())
    read = normed("feed_forward_norm", x)
    wide = F.silu(part("feed_forward.gate", read)) * part("feed_forward.widen", read)
    return dict(x=x + part("feed_forward.narrow", wide), keys=keys, values=values)


# STATEMENT: the direction of the turn (first lane towards the second: a cos - b sin) is not in the statement, nor that neighbouring query heads share (19.4 says it), nor the scale 1/sqrt(D).
# H * D may differ from C (read so). Type float32 only? Is T large (thousands: angles in float32 lose digits; float64 is nearer)? That keys and values given must stay is not said.
