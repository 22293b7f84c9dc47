"""Wrong answers to 04.3. A docstring holds the words that only this fault's feedback contains."""

import torch


def _causal(queries, keys, shift=0):
    return torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries + shift)


def _real(token_mask):
    return token_mask[:, None, None, :]


def joined_by_or(token_mask, queries):
    """joined by or"""
    return _causal(queries, token_mask.shape[1]) | _real(token_mask)


def hides_queries(token_mask, queries):
    """in place of keys"""
    T = token_mask.shape[1]
    return _causal(queries, T) & token_mask[:, None, T - queries :, None]


def empties_lines_too(token_mask, queries):
    """line is emptied"""
    T = token_mask.shape[1]
    return _causal(queries, T) & _real(token_mask) & token_mask[:, None, T - queries :, None]


def upside_down_tokens(token_mask, queries):
    """have changed places"""
    return _causal(queries, token_mask.shape[1]) & ~_real(token_mask)


def transposed(token_mask, queries):
    """the triangle is transposed"""
    T = token_mask.shape[1]
    return torch.ones(T, T, dtype=torch.bool).triu()[T - queries :] & _real(token_mask)


def one_ahead(token_mask, queries):
    """one key ahead"""
    return _causal(queries, token_mask.shape[1], 1) & _real(token_mask)


def without_itself(token_mask, queries):
    """no token may see itself"""
    return _causal(queries, token_mask.shape[1], -1) & _real(token_mask)


def top_left(token_mask, queries):
    """starts at the top left"""
    T = token_mask.shape[1]
    return torch.ones(queries, T, dtype=torch.bool).tril() & _real(token_mask)


def padding_only(token_mask, queries):
    """padding is hidden, the future is not"""
    B, T = token_mask.shape
    return _real(token_mask).expand(B, 1, queries, T)


def causal_only(token_mask, queries):
    """the token mask has no effect"""
    B, T = token_mask.shape
    return _causal(queries, T).expand(B, 1, queries, T)


def cut_at_the_length(token_mask, queries):
    """but padding on the left is seen"""
    lengths = token_mask.sum(dim=1)
    T = token_mask.shape[1]
    last_real = torch.where(token_mask[:, -1], T, lengths)  # what stands before it is kept
    return _causal(queries, T) & (torch.arange(T) < last_real[:, None])[:, None, None, :]


def true_means_hidden(token_mask, queries):
    """the mask is upside down"""
    return ~(_causal(queries, token_mask.shape[1]) & _real(token_mask))


def first_row_for_all(token_mask, queries):
    """used for all rows"""
    B, T = token_mask.shape
    return (_causal(queries, T) & token_mask[0]).expand(B, 1, queries, T)


def no_blind_rows(token_mask, queries):
    """a padding token sees itself"""
    T = token_mask.shape[1]
    return _causal(queries, T) & (_real(token_mask) | torch.eye(T, dtype=torch.bool)[T - queries :])


def padding_on_the_left(token_mask, queries):
    """to stand on the left of every row"""
    T = token_mask.shape[1]
    real = torch.arange(T) >= T - token_mask.sum(dim=1, keepdim=True)
    return _causal(queries, T) & _real(real)


def last_real_tokens_ask(token_mask, queries):
    """a row's last real tokens ask"""
    places = torch.arange(token_mask.shape[1])
    last = (token_mask * (places + 1)).amax(dim=1, keepdim=True)
    asking = last - queries + torch.arange(queries)
    return (places <= asking[:, None, :, None]) & _real(token_mask)
