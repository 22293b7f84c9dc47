import torch


def _would_come_out(query, key, value):
    """[H, G, T, D]: what each query head gives on each key/value head."""
    scores = query.double()[:, None] @ key.double()[None].transpose(-2, -1) / query.shape[-1] ** 0.5
    return scores.softmax(dim=-1) @ value.double()[None]


def _gap(query, key, value, out):
    return (_would_come_out(query, key, value) - out.double()[:, None]).abs()


def wrong_its_own_head_or_none(query, key, value, out):
    """Only the head that neighbours should share is tried for each query head.

    Feedback: only the head that neighbours should share is tried
    """
    # wrong for: v = torch.tensor([[[1.0]], [[2.0]]]); f(torch.zeros(2, 1, 1), v, v, v.flip(0))
    # gives [-1, -1], right
    # [1, 0]
    H, G = len(query), len(key)
    worst = _gap(query, key, value, out).amax(dim=(-2, -1))
    share = max(H // G, 1)
    return [h // share if worst[h, min(h // share, G - 1)] < 1e-4 else -1 for h in range(H)]


def wrong_last_token_only(query, key, value, out):
    """Only the last token's output is compared, where a causal head looks like one without a
    mask.

    Feedback: one position that agrees is taken for all of them
    """
    # wrong for: q, k = torch.zeros(1, 2, 1), torch.zeros(1, 2, 1); f(q, k, torch.tensor([[[1.0],
    # [3.0]]]),
    # torch.tensor([[[1.0], [2.0]]])) gives [0], right [-1]
    worst = _gap(query, key, value, out)[:, :, -1].amax(dim=-1)
    return [int(row.argmin()) if row.min() < 1e-4 else -1 for row in worst]


def wrong_tolerance_fixed_for_any_value(query, key, value, out):
    """The first head within 0.01 is taken, so with small values head 0 is read by all.

    Feedback: what nearly fits is taken to fit
    """
    # wrong for: f(torch.zeros(1, 1, 1), torch.zeros(2, 1, 1), torch.tensor([[[0.001]], [[0.002]]]),
    # torch.tensor([[[0.002]]])) gives [0], right [1]
    worst = _gap(query, key, value, out).amax(dim=(-2, -1))
    return [next((g for g, gap in enumerate(row.tolist()) if gap < 1e-2), -1) for row in worst]


def wrong_equal_to_the_last_digits(query, key, value, out):
    """Differences of more than 0.0000001 count as another head, which another machine's rounding
    exceeds.

    Feedback: the last digits decide
    """
    # wrong for: f(torch.zeros(1, 1, 1), torch.zeros(1, 1, 1), torch.tensor([[[10.0]]]),
    # torch.tensor([[[10.000003]]])) gives [-1], right [0]
    worst = _gap(query, key, value, out).amax(dim=(-2, -1))
    return [int(row.argmin()) if row.min() < 1e-7 else -1 for row in worst]


def wrong_never_goes_back(query, key, value, out):
    """The search for each query head begins at the head found last, as if heads were always read
    in order.

    Feedback: heads are taken to be read in order
    """
    # wrong for: v = torch.tensor([[[1.0]], [[2.0]]]); f(torch.zeros(2, 1, 1), v, v, v.flip(0))
    # gives [1, -1], right
    # [1, 0]
    worst = _gap(query, key, value, out).amax(dim=(-2, -1)) / value.abs().max().clamp(min=1e-12)
    found, at = [], 0
    for row in worst.tolist():
        hit = next((g for g in range(at, len(row)) if row[g] < 1e-4), -1)
        at = max(at, hit)
        found.append(hit)
    return found


def wrong_error_on_average(query, key, value, out):
    """The mean error must be small, so a head that differs at one token of many is taken for a
    match.

    Feedback: an average hides it
    """
    # wrong for: v = torch.ones(1, 2000, 1); y = v.clone(); y[0, 5] = 1.1; f(torch.zeros(1, 2000,
    # 1), v, v, y) gives
    # [0], right [-1]
    mean = _gap(query, key, value, out).mean(dim=(-2, -1))
    return [int(row.argmin()) if row.min() < 1e-4 else -1 for row in mean]


def right_torch_s_fused_call(query, key, value, out):
    """torch's fused attention, one key/value head at a time, and the nearest if it is near
    enough.
    """
    H, T, D = query.shape
    gaps = []
    for k, v in zip(key.double(), value.double(), strict=True):
        made = torch.nn.functional.scaled_dot_product_attention(
            query.double(), k.expand(H, T, D), v.expand(H, *v.shape)
        )
        gaps.append((made - out.double()).abs().amax(dim=(1, 2)) / v.abs().max().clamp(min=1e-30))
    least, which = torch.stack(gaps).min(dim=0)
    return torch.where(least < 1e-4, which, -1).tolist()


def right_einsum_and_first_match(query, key, value, out):
    """einsum in float64, and the first head whose every number is near."""
    weights = (
        torch.einsum("htd,gsd->hgts", query.double(), key.double()) / query.shape[-1] ** 0.5
    ).softmax(-1)
    made = torch.einsum("hgts,gsd->hgtd", weights, value.double())
    size = value.double().abs().amax(dim=(1, 2))[None, :, None, None]
    near = (
        ((made - out.double()[:, None]).abs() <= 1e-4 * size + 1e-30).flatten(2).all(dim=2)
    )  # [H, G]
    return [row.index(True) if True in row else -1 for row in near.tolist()]


# STATEMENT: two key/value heads that give the same output (equal heads; keys that differ by a
# constant): which number
# to return is not defined. "Last digits differ" gives no tolerance, absolute or relative to what.
# "Read none of them
# alone": a head that read one head under a causal mask or without the root of D is -1, I think.
