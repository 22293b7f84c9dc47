import torch


def count_valid(prefixes, logits, captions, temperature, seed):
    """Draw 20 texts token by token at this temperature; return how many are captions.

    prefixes: N lists of ids, every beginning that a caption has; they begin with 1.
    logits: [N, V], row i is what the model says after prefixes[i]; -inf may stand in it.
    captions: the valid texts, lists of ids from 1 to 2. seed: the same seed, the same number.

    Measured on the trained model of captions with seeds 0 to 999, valid texts of 20:
    temperature 0.3: always 20. 1.0: 19.8 on average, from 17 to 20. 2.0: 10.3 on average, from 4
    to 17, in nine of ten cases 6 to 14. The exact chances of one text, 0.9999999997, 0.990 and
    0.512, let one expect 20.0, 19.8 and 10.2. With the true law it is 20 at each of the three.
    Why: the temperature raises each probability to the power 1/T. The model has a little for
    impossible words, and the power 3.3 makes it nothing, while the power 1/2 makes 0.0001 into
    0.01. There are eleven such words in some steps and seven steps in a text, and one slip spoils
    it. The true law has exact zeros there, and 0 to any power is 0. Cold has a price that this
    number does not show: the valid texts are then nearly all of style 0.
    """
    dice = torch.Generator().manual_seed(seed)
    laws = (logits / temperature).softmax(dim=-1)  # [N, V]
    law_after = {tuple(prefixes[i]): laws[i] for i in range(len(prefixes))}
    valid = 0
    for _ in range(20):
        text = (1,)
        while text in law_after:  # not after a whole caption, and not after a slip
            token = torch.multinomial(law_after[text], 1, generator=dice)  # [1]
            text = (*text, int(token))
        valid += list(text) in captions
    return valid
