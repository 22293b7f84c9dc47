def wrong_weights_keys_first(B, Tq, Tk, C, H):
    """The weights have a row for each key and a column for each query.

    Feedback: the weights have a row for each query and a column for each key
    """
    # wrong for: f(1, 5, 9, 32, 4)["weights"] gives [1, 4, 9, 5], right [1, 4, 5, 9]
    D = C // H
    return {
        "query": [B, H, Tq, D],
        "key": [B, H, Tk, D],
        "weights": [B, H, Tk, Tq],
        "output": [B, Tq, C],
    }


def wrong_output_follows_the_source(B, Tq, Tk, C, H):
    """The output has a row for each row of the source.

    Feedback: the output has a row for each query, however long the source is
    """
    # wrong for: f(2, 5, 9, 32, 4)["output"] gives [2, 9, 32], right [2, 5, 32]
    D = C // H
    return {
        "query": [B, H, Tq, D],
        "key": [B, H, Tk, D],
        "weights": [B, H, Tq, Tk],
        "output": [B, Tk, C],
    }


def wrong_one_head_has_no_axis(B, Tq, Tk, C, H):
    """With a single head the axis for the heads is left out.

    Feedback: with a single head the axis for the heads is left out
    """
    # wrong for: f(2, 5, 9, 32, 1) gives {'query': [2, 5, 32], 'key': [2, 9, 32], 'weights': [2, 5, 9], 'output': [2,
    # 5, 32]}, right {'query': [2, 1, 5, 32], 'key': [2, 1, 9, 32], 'weights': [2, 1, 5, 9], 'output': [2, 5, 32]}
    head = [H] if H > 1 else []
    D = C // H
    return {
        "query": [B, *head, Tq, D],
        "key": [B, *head, Tk, D],
        "weights": [B, *head, Tq, Tk],
        "output": [B, Tq, C],
    }


def wrong_width_is_a_float(B, Tq, Tk, C, H):
    """The width of a head is a float, because of a plain division.

    Feedback: it returned a float where a whole number is asked for
    """
    # wrong for: f(2, 5, 9, 32, 4)["query"] gives [2, 4, 5, 8.0], right [2, 4, 5, 8]
    D = C / H
    return {
        "query": [B, H, Tq, D],
        "key": [B, H, Tk, D],
        "weights": [B, H, Tq, Tk],
        "output": [B, Tq, C],
    }


def wrong_key_is_turned(B, Tq, Tk, C, H):
    """The key is given as it stands in the product, with its last two axes exchanged.

    Feedback: with equal lengths it does not give the shapes of self-attention
    """
    # wrong for: f(2, 5, 9, 32, 4)["key"] gives [2, 4, 8, 9], right [2, 4, 9, 8]
    D = C // H
    return {
        "query": [B, H, Tq, D],
        "key": [B, H, D, Tk],
        "weights": [B, H, Tq, Tk],
        "output": [B, Tq, C],
    }


def right_tuples(B, Tq, Tk, C, H):
    """The shapes are tuples, not lists."""
    # wrong for: f(2, 5, 9, 32, 4)["output"] gives (2, 5, 32), right [2, 5, 32]
    D = C // H
    return {
        "query": (B, H, Tq, D),
        "key": (B, H, Tk, D),
        "weights": (B, H, Tq, Tk),
        "output": (B, Tq, C),
    }


def right_zip_and_star(B, Tq, Tk, C, H):
    """Name by name from two short tables, the first three with the axes B and H in front."""
    tails = {"query": (Tq, C // H), "key": (Tk, C // H), "weights": (Tq, Tk)}
    shapes = {name: [B, H, *tail] for name, tail in tails.items()}
    shapes["output"] = list((B, Tq, C))
    return shapes


def right_class_of_one_side(B, Tq, Tk, C, H):
    """A small class splits rows into heads, and dict() puts the names in another order."""

    class Side:
        def __init__(self, rows):
            self.rows = rows

        def split(self):
            return [B, H, self.rows, divmod(C, H)[0]]

        def against(self, other):
            return self.split()[:3] + [other.rows]

    text, source = Side(rows=Tq), Side(rows=Tk)
    return dict(
        output=[B, Tq, C], weights=text.against(source), key=source.split(), query=text.split()
    )


# STATEMENT: it does not say that H divides C (5 heads of 32 columns: refused, or 6?); nor whether further
# names in the dictionary (such as "value") are forbidden. "The first three have an axis for the heads" does not
# say where; [B, H, T, D] stands only in the lesson.
