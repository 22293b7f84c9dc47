import torch


def _text(table, law, dice):
    words = [1]
    while words[-1] != 2 and tuple(words) in table:
        row = law[table[tuple(words)]]
        words.append(int(torch.multinomial(row, 1, generator=dice)))
    return words


def wrong_neighbour_seeds_share_texts(prefixes, logits, captions, temperature, seed):
    """Throws the dice of text number i from seed + i, so neighbouring seeds have 19 of their 20
    texts in common: another seed does not throw others.

    Feedback: seeds next to one another share texts: the dice of a text must not be its
    """
    # wrong for: seeds 0 and 1 differ by one text alone, right 20 new texts
    table = {tuple(prefix): i for i, prefix in enumerate(prefixes)}
    law = (logits / temperature).softmax(dim=-1)
    valid = {tuple(caption) for caption in captions}
    count = 0
    for i in range(20):
        dice = torch.Generator().manual_seed(seed + i)
        count += tuple(_text(table, law, dice)) in valid
    return count


def wrong_ended_inside_the_table(prefixes, logits, captions, temperature, seed):
    """Counts each text that reaches <eos> without having left the table, also one that ends too
    early and is the beginning of a caption only.

    Feedback: it counts texts that are none of the captions given
    """
    # wrong for: prefixes [[1], [1, 3]], captions [[1, 3, 2]], logits that say 2 after [1] half of
    # the time: gives 20, right about 10
    table = {tuple(prefix): i for i, prefix in enumerate(prefixes)}
    law = (logits / temperature).softmax(dim=-1)
    dice = torch.Generator().manual_seed(seed)
    count = 0
    for _ in range(20):
        words = _text(table, law, dice)
        count += words[-1] == 2 and tuple(words[:-1]) in table
    return count


# STATEMENT: 'another seed throws others' does not say that all throws differ.
