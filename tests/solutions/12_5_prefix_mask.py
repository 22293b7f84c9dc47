import torch


def prefix_mask(S, T):
    """Return a boolean mask [S + T, S + T], True = may attend: S patches, then T words.

    Patches see all patches, both ways, and no word. Words see all patches, themselves and the words
    before them.
    """
    mask = torch.ones(S + T, S + T, dtype=torch.bool).tril()  # causal for all
    mask[:, :S] = True  # the patches, for everyone; words saw them before
    return mask


# Measured with fresh weights, seed 1, on six captions of three drawings. One block: the text's
# logits are the same to the last bit. Two blocks: they differ, by up to 0.026.
#
# In the first block the keys and values of the patches are made from the patch vectors themselves,
# before anything has looked at anything. A word finds the same in them whether patches see each
# other or not. What the patches gather by looking both ways stands in their outputs, and only a
# second block reads those. So with two blocks the upper left square of the first one is the encoder
# of the encoder-decoder: patches that have looked at each other before a word looks at them. The
# influence is full in the upper left, empty in the upper right, and as before in the lower half.
