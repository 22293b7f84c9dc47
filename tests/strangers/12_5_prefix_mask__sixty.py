import torch


def wrong_up_to_minus_T(S, T):
    """Marks the patches' square with `[:-T, :-T]`, which is empty when T is 0: patches alone are
    then causal.

    Feedback: a patch is hidden from a patch
    """
    # wrong for: f(2, 0), row 0 gives [True, False], right [True, True]
    mask = torch.ones(S + T, S + T, dtype=torch.bool).tril()
    mask[:-T, :-T] = True
    return mask


def wrong_one_kind_sees_all(S, T):
    """If one of the two kinds is missing, all see all: right for patches alone, but words alone
    are causal.

    Feedback: a word sees a later word
    """
    # wrong for: f(0, 2), row 0 gives [True, True], right [True, False]
    if S == 0 or T == 0:
        return torch.ones(S + T, S + T, dtype=torch.bool)
    patches = torch.cat([torch.ones(S, S), torch.zeros(S, T)], dim=1)
    words = torch.cat([torch.ones(T, S), torch.ones(T, T).tril()], dim=1)
    return torch.cat([patches, words]).bool()


# STATEMENT: S = T = 0 is not excluded.
