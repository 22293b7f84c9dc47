"""Wrong answers to 19.4. A docstring holds the words that only this fault's feedback contains."""

import torch


def _rows(weights, H):
    return weights["value.bias"].view(-1, weights["output.weight"].shape[1] // H)  # [G, D]


def _wide(weights, H):
    rows = _rows(weights, H)
    return rows.repeat_interleave(H // len(rows), dim=0).flatten()


def _with(weights, bias):
    return weights | {
        "value.bias": torch.zeros_like(weights["value.bias"]),
        "output.bias": bias,
    }


def thrown_away(weights, H):
    """what the value bias gave is lost"""
    return _with(weights, weights["output.bias"])


def taken_away(weights, H):
    """it is taken away, and not added"""
    return _with(weights, weights["output.bias"] - weights["output.weight"] @ _wide(weights, H))


def tiled(weights, H):
    """the groups are in the wrong order"""
    rows = _rows(weights, H)
    wide = rows.repeat(H // len(rows), 1).flatten()
    return _with(weights, weights["output.bias"] + weights["output.weight"] @ wide)


def replaces_the_output_bias(weights, H):
    """the output bias that was there is lost"""
    return _with(weights, weights["output.weight"] @ _wide(weights, H))


def first_heads_only(weights, H):
    """only the first heads are served"""
    bias = weights["value.bias"]
    said = weights["output.weight"][:, : len(bias)] @ bias
    return _with(weights, weights["output.bias"] + said)


def bias_stays(weights, H):
    """the value bias is not 0"""
    bias = weights["output.bias"] + weights["output.weight"] @ _wide(weights, H)
    return weights | {"output.bias": bias}


def shared_among_the_group(weights, H):
    """every head gets all of it"""
    share = len(_rows(weights, H)) / H
    said = weights["output.weight"] @ _wide(weights, H) * share
    return _with(weights, weights["output.bias"] + said)
