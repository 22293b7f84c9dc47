import torch


def diagnose(influence):
    """Return "causal", "transposed", "one too many", "no mask" or "other".

    influence: bool [T, T] with T of 4 or more. Entry (t, s) says whether output t depends on
    input s.
    """
    ones = torch.ones(influence.shape)
    tables = {
        "causal": ones.tril(),
        "transposed": ones.triu(),
        "one too many": ones.tril(diagonal=1),
        "no mask": ones,
    }
    for name, table in tables.items():
        if torch.equal(influence, table.bool()):
            return name
    return "other"
