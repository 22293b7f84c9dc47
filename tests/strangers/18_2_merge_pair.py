from functools import reduce


def wrong_last_id_lost(row, pair, new):
    """the walk ends before the last id, which gets lost unless it was merged

    Feedback: the last id of the row is lost
    """
    # wrong for: f([1, 2, 3], [1, 2], 9) gives [9], right [9, 3]
    out, at = [], 0
    while at < len(row) - 1:
        if row[at] == pair[0] and row[at + 1] == pair[1]:
            out.append(new)
            at += 2
        else:
            out.append(row[at])
            at += 1
    return out


def wrong_from_the_right(row, pair, new):
    """where occurrences overlap, the right one is merged

    Feedback: merging goes from the right
    """
    # wrong for: f([1, 1, 1], [1, 1], 9) gives [1, 9], right [9, 1]
    out, at = [], len(row) - 1
    while at >= 0:
        if at > 0 and row[at - 1 : at + 1] == list(pair):
            out.append(new)
            at -= 2
        else:
            out.append(row[at])
            at -= 1
    return out[::-1]


def wrong_given_row_changed(row, pair, new):
    """the merge is done in the row that was given

    Feedback: it changed what it was given: work on a copy
    """
    # wrong for: row = [1, 2]; f(row, [1, 2], 9) leaves row == [9], right [1, 2]
    at = 0
    while at + 1 < len(row):
        if row[at : at + 2] == list(pair):
            row[at : at + 2] = [new]
        at += 1
    return list(row)


def wrong_text_shares_a_space(row, pair, new):
    """the row is text with a space around ids, and two occurrences in turn share a space

    Feedback: only the first occurrence is merged
    """
    # wrong for: f([1, 2, 1, 2], [1, 2], 9) gives [9, 1, 2], right [9, 9]
    text = " " + " ".join(map(str, row)) + " "
    text = text.replace(f" {pair[0]} {pair[1]} ", f" {new} ")
    return [int(word) for word in text.split()]


def wrong_text_cuts_numbers(row, pair, new):
    """the pair is looked for as text, so it is also found inside longer numbers

    Feedback: the pair is found inside of longer numbers
    """
    # wrong for: f([11, 2], [1, 2], 9) gives [19], right [11, 2]
    text = ",".join(map(str, row)).replace(f"{pair[0]},{pair[1]}", str(new))
    return [int(word) for word in text.split(",") if word]


def wrong_every_overlap_dropped(row, pair, new):
    """an occurrence is left out whenever another one begins right before it, merged or not

    Feedback: only the first occurrence is merged
    """
    # wrong for: f([1, 1, 1, 1], [1, 1], 9) gives [9, 1, 1], right [9, 9]
    starts = {at for at in range(len(row) - 1) if row[at] == pair[0] and row[at + 1] == pair[1]}
    kept = {at for at in starts if at - 1 not in starts}
    return [new if at in kept else row[at] for at in range(len(row)) if at - 1 not in kept]


def wrong_empty_row(row, pair, new):
    """the first id is put down before the walk, which an empty row does not have

    Feedback: it raised IndexError
    """
    # wrong for: f([], [1, 2], 9) raises IndexError, right []
    out = [row[0]]
    for token in row[1:]:
        if out[-1] == pair[0] and token == pair[1]:
            out[-1] = new
        else:
            out.append(token)
    return out


def right_fold(row, pair, new):
    """a fold: the last id of the result is merged with the next one, and new is in no pair"""
    a, b = pair

    def step(out, token):
        done, last_is_free = out
        if done and last_is_free and done[-1] == a and token == b:
            done[-1] = new
            return done, False
        done.append(token)
        return done, True

    return reduce(step, row, ([], False))[0]


def right_str_replace(row, pair, new):
    """ids become single characters by a table, and str.replace works from the left"""
    table = {}
    for token in [*row, *pair, new]:
        table.setdefault(token, chr(len(table)))
    back = {sign: token for token, sign in table.items()}
    text = "".join(table[token] for token in row)
    text = text.replace(table[pair[0]] + table[pair[1]], table[new])
    return [back[sign] for sign in text]


# STATEMENT: clear. May the pair hold the new id (then it occurs nowhere)? May ids be of any size?
# A row without the pair: is it to be a new list or may it be the same object? ("stays as it is" allows both.)
