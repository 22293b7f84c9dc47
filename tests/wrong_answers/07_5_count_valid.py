"""Wrong answers to 07.5. A docstring holds the words that only this fault's feedback contains."""

import torch


def _texts(prefixes, laws, dice, count=20):
    law_after = {tuple(prefixes[i]): laws[i] for i in range(len(prefixes))}
    texts = []
    for _ in range(count):
        text = (1,)
        while text in law_after:
            text = (*text, int(torch.multinomial(law_after[text], 1, generator=dice)))
        texts.append(list(text))
    return texts


def _dice(seed):
    return torch.Generator().manual_seed(seed)


def _laws(logits, temperature):
    return (logits / temperature).softmax(dim=-1)


def multiplies(prefixes, logits, captions, temperature, seed):
    """the logits are multiplied by the temperature"""
    laws = (logits * temperature).softmax(dim=-1)
    return sum(text in captions for text in _texts(prefixes, laws, _dice(seed)))


def divides_probabilities(prefixes, logits, captions, temperature, seed):
    """the temperature has no effect"""
    laws = logits.softmax(dim=-1) / temperature
    return sum(text in captions for text in _texts(prefixes, laws, _dice(seed)))


def twice(prefixes, logits, captions, temperature, seed):
    """the temperature is applied twice"""
    laws = _laws(logits / temperature, temperature)
    return sum(text in captions for text in _texts(prefixes, laws, _dice(seed)))


def dice_begin_anew(prefixes, logits, captions, temperature, seed):
    """begin anew for each text"""
    laws = _laws(logits, temperature)
    texts = [_texts(prefixes, laws, _dice(seed), count=1)[0] for _ in range(20)]
    return sum(text in captions for text in texts)


def forgets_the_seed(prefixes, logits, captions, temperature, seed):
    """the dice must come from the seed"""
    texts = _texts(prefixes, _laws(logits, temperature), None)
    return sum(text in captions for text in texts)


def one_seed_for_all(prefixes, logits, captions, temperature, seed):
    """another seed does not give another number"""
    texts = _texts(prefixes, _laws(logits, temperature), _dice(0))
    return sum(text in captions for text in texts)


def counts_different_ones(prefixes, logits, captions, temperature, seed):
    """counts the different captions"""
    texts = _texts(prefixes, _laws(logits, temperature), _dice(seed))
    return sum(caption in texts for caption in captions)


def counts_all_that_end(prefixes, logits, captions, temperature, seed):
    """none of the captions given"""
    texts = _texts(prefixes, _laws(logits, temperature), _dice(seed))
    return sum(text[-1] == 2 for text in texts)


def counts_the_others(prefixes, logits, captions, temperature, seed):
    """some of the 20 do not count as captions"""
    texts = _texts(prefixes, _laws(logits, temperature), _dice(seed))
    return sum(text in captions for text in texts[1:])


EQUAL = {}
