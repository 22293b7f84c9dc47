import math

import torch


def _read(query, key, value):
    """query [H, D], key and value [T, G, D] -> [H, D]"""
    H, D = query.shape
    G = key.shape[1]
    scores = torch.einsum("grd,tgd->grt", query.view(G, H // G, D), key) / math.sqrt(D)
    return torch.einsum("grt,tgd->grd", scores.softmax(dim=-1), value).reshape(H, D)


def right_rubbish_weighted_with_zero(query, keys, values, tables, lengths):
    """What stands behind the end gets the weight 0, and 0 times NaN or inf is NaN. Right: what
    stands there is finite.
    """
    # wrong for: k = torch.zeros(1, 2, 1, 1); v = torch.tensor([1.0, float("nan")]).view(1, 2, 1,
    # 1); f(torch.zeros(1,
    # 1, 1), k, v, [[0]], [1]) gives [[[nan]]], right [[[1.0]]]
    rows = []
    for q, table, length in zip(query, tables, lengths, strict=True):
        k, v = keys[table].flatten(0, 1), values[table].flatten(0, 1)
        H, D = q.shape
        G = k.shape[1]
        scores = torch.einsum("grd,tgd->grt", q.view(G, H // G, D), k) / math.sqrt(D)
        scores = scores.masked_fill(torch.arange(len(k)) >= length, -math.inf)
        rows.append(torch.einsum("grt,tgd->grd", scores.softmax(dim=-1), v).reshape(H, D))
    return torch.stack(rows)


def wrong_full_last_page_counts_none(query, keys, values, tables, lengths):
    """The last page is taken to hold length mod P tokens, which is 0 when it is full.

    Feedback: a last page that is full is not counted
    """
    # wrong for: k = torch.zeros(2, 2, 1, 1); v = torch.tensor([1.0, 2.0, 3.0, 4.0]).view(2, 2, 1,
    # 1);
    # f(torch.zeros(1, 1, 1), k, v, [[0, 1]], [4]) gives [[[1.5]]], right [[[2.5]]]
    P = keys.shape[1]
    rows = []
    for q, table, length in zip(query, tables, lengths, strict=True):
        table = table[: -(-length // P)]
        parts = [(keys[page], values[page]) for page in table[:-1]]
        left = length % P
        if left or not parts:
            parts.append((keys[table[-1], : left or P], values[table[-1], : left or P]))
        rows.append(_read(q, torch.cat([k for k, _ in parts]), torch.cat([v for _, v in parts])))
    return torch.stack(rows)


def wrong_rubbish_wiped_in_the_memory(query, keys, values, tables, lengths):
    """The rest of a last page is set to 0 in the memory itself, where a longer text may share
    that page.

    Feedback: it changed what it was given
    """
    # wrong for: k = torch.zeros(1, 2, 1, 1); v = torch.tensor([2.0, 4.0]).view(1, 2, 1, 1);
    # f(torch.zeros(2, 1, 1),
    # k, v, [[0], [0]], [1, 2]) gives [[[2.0]], [[1.0]]], right [[[2.0]], [[3.0]]]
    P = keys.shape[1]
    rows = []
    for q, table, length in zip(query, tables, lengths, strict=True):
        last, left = table[(length - 1) // P], (length - 1) % P + 1
        keys[last, left:] = 0
        values[last, left:] = 0
        rows.append(
            _read(q, keys[table].flatten(0, 1)[:length], values[table].flatten(0, 1)[:length])
        )
    return torch.stack(rows)


def wrong_short_texts_filled_with_zeros(query, keys, values, tables, lengths):
    """Shorter texts are filled up with keys of 0, whose score 0 takes a share of the weights.

    Feedback: a score of 0 still takes a share
    """
    # wrong for: k = torch.zeros(2, 1, 1, 1); v = torch.tensor([2.0, 4.0]).view(2, 1, 1, 1);
    # f(torch.zeros(2, 1, 1),
    # k, v, [[0], [0, 1]], [1, 2]) gives [[[1.0]], [[3.0]]], right [[[2.0]], [[3.0]]]
    longest, rows = max(lengths), []
    for q, table, length in zip(query, tables, lengths, strict=True):
        k = keys.new_zeros(longest, *keys.shape[2:])
        v = torch.zeros_like(k)
        k[:length] = keys[table].flatten(0, 1)[:length]
        v[:length] = values[table].flatten(0, 1)[:length]
        rows.append(_read(q, k, v))
    return torch.stack(rows)


def wrong_pages_in_the_order_of_the_memory(query, keys, values, tables, lengths):
    """Pages are read in the order in which they lie in the memory, so the end is cut off the
    wrong page.

    Feedback: the pages are read in the order of the memory
    """
    # wrong for: k = torch.zeros(2, 2, 1, 1); v = torch.tensor([1.0, 2.0, 3.0, 4.0]).view(2, 2, 1,
    # 1);
    # f(torch.zeros(1, 1, 1), k, v, [[1, 0]], [3]) gives [[[2.0]]], right [[[2.66666675]]]
    rows = []
    for q, table, length in zip(query, tables, lengths, strict=True):
        mine = torch.zeros(len(keys), dtype=torch.bool)
        mine[table[: -(-length // keys.shape[1])]] = True
        rows.append(
            _read(q, keys[mine].flatten(0, 1)[:length], values[mine].flatten(0, 1)[:length])
        )
    return torch.stack(rows)


def wrong_a_page_has_one_owner(query, keys, values, tables, lengths):
    """Each slot of the memory is given to one text, so a page that two share goes to the later
    one.

    Feedback: two texts that share their first page disturb each other
    """
    # wrong for: k = torch.zeros(2, 1, 1, 1); v = torch.tensor([2.0, 4.0]).view(2, 1, 1, 1);
    # f(torch.zeros(2, 1, 1),
    # k, v, [[0, 1], [0]], [2, 1]) gives [[[4.0]], [[2.0]]], right [[[3.0]], [[2.0]]]
    P = keys.shape[1]
    owner = torch.full((len(keys) * P,), -1)
    for row, (table, length) in enumerate(zip(tables, lengths, strict=True)):
        for t in range(length):
            owner[table[t // P] * P + t % P] = row
    k, v = keys.flatten(0, 1), values.flatten(0, 1)
    return torch.stack([_read(q, k[owner == row], v[owner == row]) for row, q in enumerate(query)])


def right_softmax_page_by_page(query, keys, values, tables, lengths):
    """In float64, page by page with a running largest score, as fast kernels do it."""
    B, H, D = query.shape
    P, G = keys.shape[1:3]
    out = torch.empty(B, H, D, dtype=query.dtype)
    for row in range(B):
        q = query[row].double().view(G, H // G, D)
        top = torch.full((G, H // G), -math.inf, dtype=torch.float64)
        total, summed = torch.zeros_like(top), torch.zeros_like(q)
        for start in range(0, lengths[row], P):
            page, n = tables[row][start // P], min(P, lengths[row] - start)
            scores = torch.einsum("grd,tgd->grt", q, keys[page, :n].double()) * D**-0.5
            new = torch.maximum(top, scores.amax(dim=-1))
            weights, old = (scores - new[..., None]).exp(), (top - new).exp()
            total = total * old + weights.sum(dim=-1)
            summed = summed * old[..., None] + torch.einsum(
                "grt,tgd->grd", weights, values[page, :n].double()
            )
            top = new
        out[row] = (summed / total[..., None]).reshape(H, D).to(query.dtype)
    return out


def right_addresses_head_by_head(query, keys, values, tables, lengths):
    """Compute each token's address in the memory, and let torch's fused call read head by head."""
    P, share = keys.shape[1], query.shape[1] // keys.shape[2]
    result = []
    for q, table, length in zip(query, tables, lengths, strict=True):
        where = torch.tensor([(table[t // P], t % P) for t in range(length)]).T
        k, v = keys[where[0], where[1]], values[where[0], where[1]]  # [T, G, D]
        heads = [
            torch.nn.functional.scaled_dot_product_attention(
                q[None, h : h + 1], k[None, :, h // share], v[None, :, h // share]
            )
            for h in range(len(q))
        ]
        result.append(torch.cat(heads, dim=1)[0])
    return torch.stack(result)


# STATEMENT: whether a table may list more pages than the length needs (and what number stands
# there), whether
# rubbish may be NaN or inf ("must not matter" says yes), whether two texts may share a half-filled
# page with
# different lengths, whether tables and lengths may be tensors, and whether the memory may be
# written to are open.
