def knows_all(mask, blocks):
    """Sets of tokens in place of tables: what I see, I have all that it has."""
    rows = mask.tolist()
    T = len(rows)
    knows = [{t} for t in range(T)]
    for _ in range(blocks):
        before, knows = knows, [set() for _ in rows]
        for t in range(T):
            for s in range(T):
                if rows[t][s]:
                    knows[t] |= before[s]
    return [t for t in range(T) if len(knows[t]) == T]
