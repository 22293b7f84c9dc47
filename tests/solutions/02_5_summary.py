from itertools import combinations


def summary(prefix):
    """Return a whole number that, with the last word, tells which words can follow and how likely.

    prefix: an id list, the beginning of a sentence of recall(2). Six numbers in all.
    """
    # Six are needed after `the`, for the six pairs of shapes in either order, and after `large`
    # and after `small`: a first size, a second one after each of four shapes, and the answer.
    shapes = [token for token in prefix if token >= 9]
    if prefix[-1] == 5:  # the: which two shapes can be asked for?
        return list(combinations((9, 10, 11, 12), 2)).index(tuple(sorted(shapes)))
    if prefix[-1] == 6:  # is: which size stood with the first mention of the asked shape?
        return prefix[prefix.index(shapes[-1]) - 1] - 7
    if prefix[-1] in (7, 8) and len(shapes) == 1:  # second size: which shape is taken?
        return shapes[0] - 8
    return (0, 1, 2, 5)[len(shapes)]  # how far are we?
