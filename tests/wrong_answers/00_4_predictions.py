"""Wrong answers to 00.4. A docstring holds the words that only this fault's feedback contains."""


def highest_id(table):
    """it gives the highest"""
    return [max(range(len(row)), key=lambda i, row=row: (row[i], i)) for row in table]


def the_logit_itself(table):
    """it gives the largest logit itself"""
    return [int(max(row)) for row in table]


def unlikeliest(table):
    """it gives the unlikeliest word"""
    return [row.index(min(row)) for row in table]


def best_of_zero(table):
    """the best so far begins too high"""
    ids = []
    for row in table:
        best, found = 0, 0
        for i, logit in enumerate(row):
            if logit > best:
                best, found = logit, i
        ids.append(found)
    return ids


def farthest_from_zero(table):
    """it takes the number that is farthest from 0"""
    return [max(range(len(row)), key=lambda i, row=row: abs(row[i])) for row in table]


def last_row_for_all(table):
    """every row got the answer of the last one"""
    return [table[-1].index(max(table[-1])) for _ in table]


def counts_from_one(table):
    """it counts from 1"""
    return [row.index(max(row)) + 1 for row in table]


def down_the_columns(table):
    """items where 3 are asked for"""
    return [column.index(max(column)) for column in map(list, zip(*table, strict=True))]


def only_the_last_row(table):
    """it returned an int where a list"""
    return table[-1].index(max(table[-1]))
