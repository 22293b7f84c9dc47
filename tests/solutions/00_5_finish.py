def pick(law, spot):
    """Return the index of the piece of the strip on which spot falls: the answer to 00.2."""
    end = 0
    for index, probability in enumerate(law):
        end += probability
        if spot < end:
            return index
    return max(index for index, probability in enumerate(law) if probability > 0)


def finish(laws, prefix, spots):
    """Return the prefix and the words that are drawn behind it, up to the first 2, as a list."""
    table = {tuple(known): law for known, law in laws}
    sentence = list(prefix)
    for spot in spots:
        sentence.append(pick(table[tuple(sentence)], spot))
        if sentence[-1] == 2:
            break
    return sentence
