import torch


def wrong_rows_where_square(weights):
    """a square matrix is stretched by rows, the others by columns

    Feedback: it stretches rows, which are what comes out
    """
    # wrong for: any block whose query matrix is [C, C] and whose norm is not constant: other numbers
    new = dict(weights)
    for norm, parts in (
        ("attention_norm", ("attention.query", "attention.key", "attention.value")),
        ("feed_forward_norm", ("feed_forward.gate", "feed_forward.widen")),
    ):
        scale = weights[f"{norm}.weight"]
        for part in parts:
            matrix = weights[f"{part}.weight"]
            square = matrix.shape[0] == matrix.shape[1]
            new[f"{part}.weight"] = scale[:, None] * matrix if square else matrix * scale
        new[f"{norm}.weight"] = torch.ones_like(scale)
    return new


def wrong_gate_forgotten(weights):
    """the gate keeps its matrix, as it only says how much

    Feedback: a matrix that reads the norm is left as it was
    """
    # wrong for: feed_forward_norm.weight = [2, 2]: the gate is not stretched
    new = dict(weights)
    a, f = weights["attention_norm.weight"], weights["feed_forward_norm.weight"]
    for name in ("query", "key", "value"):
        new[f"attention.{name}.weight"] = weights[f"attention.{name}.weight"] * a
    new["feed_forward.widen.weight"] = weights["feed_forward.widen.weight"] * f
    new["attention_norm.weight"] = torch.ones_like(a)
    new["feed_forward_norm.weight"] = torch.ones_like(f)
    return new


def wrong_given_tensors_changed(weights):
    """the dict is new and the tensors in it are the given ones, stretched in place

    Feedback: it changed what it was given: work on a copy
    """
    # wrong for: any norm that is not 1: weights["attention.query.weight"] has changed after the call
    new = dict(weights)
    for name in ("query", "key", "value"):
        new[f"attention.{name}.weight"].mul_(weights["attention_norm.weight"])
    for name in ("gate", "widen"):
        new[f"feed_forward.{name}.weight"].mul_(weights["feed_forward_norm.weight"])
    for name in ("attention_norm.weight", "feed_forward_norm.weight"):
        new[name] = torch.ones_like(weights[name])
    return new


def wrong_sign_lost(weights):
    """a stretch is thought to be positive: its size is taken by the root of its square

    Feedback: the sign of a norm's weight is lost
    """
    # wrong for: attention_norm.weight = [-1, 1]: the first column keeps its sign, right: it changes
    new = {name: tensor.clone() for name, tensor in weights.items()}
    for norm, part, names in (
        ("attention_norm.weight", "attention", ("query", "key", "value")),
        ("feed_forward_norm.weight", "feed_forward", ("gate", "widen")),
    ):
        stretch = weights[norm].square().sqrt()
        for name in names:
            new[f"{part}.{name}.weight"] *= stretch
        new[norm] = torch.ones_like(stretch)
    return new


def wrong_query_and_key_share(weights):
    """queries and keys take the root of the stretch each, as only their product counts

    Feedback: a matrix is not stretched by the norm that it reads
    """
    # wrong for: attention_norm.weight = [4, 1] (scores have cross terms and heads are turned): other numbers
    new = dict(weights)
    a, f = weights["attention_norm.weight"], weights["feed_forward_norm.weight"]
    half = a.abs().sqrt() * a.sign()
    new["attention.query.weight"] = weights["attention.query.weight"] * half
    new["attention.key.weight"] = weights["attention.key.weight"] * half
    new["attention.value.weight"] = weights["attention.value.weight"] * a
    for name in ("gate", "widen"):
        new[f"feed_forward.{name}.weight"] = weights[f"feed_forward.{name}.weight"] * f
    new["attention_norm.weight"], new["feed_forward_norm.weight"] = a / a, f / f
    return new


def wrong_zero_divided(weights):
    """the ones come from dividing the norm by itself: a weight of 0 gives nan

    Feedback: NaN stands in what it returned
    """
    # wrong for: attention_norm.weight = [0, 1]: nan in the new norm, right 1
    new = {}
    for name, tensor in weights.items():
        part, kind = name.split(".")[:2]
        norm = weights.get(f"{part}_norm.weight")
        if part.endswith("_norm"):
            new[name] = tensor / tensor
        elif kind in ("output", "narrow"):
            new[name] = tensor.clone()
        else:
            new[name] = tensor * norm
    return new


def wrong_one_norm_for_both(weights):
    """every matrix takes the weight of the first norm

    Feedback: it takes the weights of the other norm
    """
    # wrong for: attention_norm = [1, 1], feed_forward_norm = [2, 2]: gate and widen stay as they were
    scale = weights["attention_norm.weight"]
    new = dict(weights)
    for name in (
        "attention.query",
        "attention.key",
        "attention.value",
        "feed_forward.gate",
        "feed_forward.widen",
    ):
        new[f"{name}.weight"] = weights[f"{name}.weight"] * scale
    for name in ("attention_norm.weight", "feed_forward_norm.weight"):
        new[name] = torch.ones_like(weights[name])
    return new


def wrong_norms_left_out(weights):
    """the new dict has no norms any more

    Feedback: the keys of the dict it returned are not the right ones
    """
    # wrong for: every block: the keys attention_norm.weight and feed_forward_norm.weight are missing
    new = {}
    for name, tensor in weights.items():
        if "_norm" in name:
            continue
        reads = not name.startswith(("attention.output", "feed_forward.narrow"))
        norm = weights[name.split(".")[0] + "_norm.weight"]
        new[name] = tensor * norm if reads else tensor
    return new


def wrong_mean_stretch_on_narrow(weights):
    """narrow takes the stretch of the gate too, at its rows

    Feedback: a matrix that writes into the stream is changed: it reads no norm
    """
    # wrong for: feed_forward_norm.weight = [2, 2]: what narrow writes is doubled
    new = dict(weights)
    a, f = weights["attention_norm.weight"], weights["feed_forward_norm.weight"]
    for name in ("query", "key", "value"):
        new[f"attention.{name}.weight"] = weights[f"attention.{name}.weight"] * a
    for name in ("gate", "widen"):
        new[f"feed_forward.{name}.weight"] = weights[f"feed_forward.{name}.weight"] * f
    new["feed_forward.narrow.weight"] = weights["feed_forward.narrow.weight"] * f[:, None]
    new["attention_norm.weight"], new["feed_forward_norm.weight"] = (
        torch.ones_like(a),
        torch.ones_like(f),
    )
    return new


def right_diagonal_in_float64(weights):
    """multiplies by a diagonal matrix in float64 and goes back to the type it came in"""
    readers = {
        "query": "attention",
        "key": "attention",
        "value": "attention",
        "gate": "feed_forward",
        "widen": "feed_forward",
    }
    new = {}
    for name, tensor in weights.items():
        pieces = name.split(".")
        if len(pieces) == 2:
            new[name] = torch.full_like(tensor, 1)
        elif pieces[1] in readers:
            diagonal = torch.diag(weights[readers[pieces[1]] + "_norm.weight"].double())
            new[name] = (tensor.double() @ diagonal).to(tensor.dtype)
        else:
            new[name] = tensor.clone()
    return new


def right_einsum(weights):
    """one expression with einsum"""
    return {
        name: torch.ones_like(tensor)
        if "norm" in name
        else torch.einsum("oi,i->oi", tensor, weights[name.split(".")[0] + "_norm.weight"])
        if name.split(".")[1] not in ("output", "narrow")
        else tensor
        for name, tensor in weights.items()
    }


# STATEMENT: ".key, .value, .output" leave the reader to guess "attention.key.weight" (clear with a little thought). Not said: that the given tensors must stay (only "a new dict"),
# that the new dict may share the two untouched matrices, and the type of the numbers (float32? float64 kept?). Names other than the nine cannot come (read so).
