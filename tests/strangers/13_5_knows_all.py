import torch


def wrong_paths_as_floats(mask, blocks):
    """Counts paths by a power of the matrix in floats, which become inf and NaN after many blocks.

    Feedback: very many blocks are too much for it: keep True and False, not counts of paths
    """
    # wrong for: f(torch.tensor([[1, 1, 0], [1, 1, 0], [1, 1, 1]]).bool(), 1000) gives [], right [2]
    paths = torch.linalg.matrix_power(mask.float(), blocks)
    return (paths > 0).all(dim=1).nonzero().flatten().tolist()


def wrong_paths_as_whole_numbers(mask, blocks):
    """Counts paths in 64 bits, which run over and come out as 0 when their number is a multiple of
    2 to the 64.

    Feedback: very many blocks are too much for it: keep True and False, not counts of paths
    """
    # wrong for: f(torch.ones(4, 4).bool(), 40) gives [], right [0, 1, 2, 3]
    paths = torch.eye(len(mask), dtype=torch.int64)
    for _ in range(blocks):
        paths = paths @ mask.long()
    return (paths != 0).all(dim=1).nonzero().flatten().tolist()


def wrong_next_power_of_two(mask, blocks):
    """Squares the table until at least so many blocks are reached, so 3 blocks are taken for 4.

    Feedback: a causal window gives its last place a wrong number of blocks
    """
    # wrong for: m = torch.ones(5, 5).tril().triu(diagonal=-1).bool(); f(m, 3) gives [4], right []
    sees = mask if blocks else torch.eye(len(mask), dtype=torch.bool)
    done = 1
    while done < blocks and done < 2 * len(mask):
        sees = sees.float() @ sees.float() > 0
        done *= 2
    return [t for t, row in enumerate(sees.tolist()) if all(row)]


def wrong_one_block_at_least(mask, blocks):
    """The table itself is the start, so 0 blocks are taken for 1.

    Feedback: no block at all is taken as one block
    """
    # wrong for: f(torch.ones(2, 2).bool(), 0) gives [0, 1], right []
    sees = mask.clone()
    for _ in range(blocks - 1):
        sees = (sees.float() @ mask.float()) > 0
    return [t for t in range(len(mask)) if bool(sees[t].all())]


def wrong_seen_by_all(mask, blocks):
    """Columns and rows are exchanged: it gives the places that everybody depends on.

    Feedback: causal: the last place, and no other, knows all
    """
    # wrong for: f(torch.ones(3, 3).tril().bool(), 1) gives [0], right [2]
    sees = torch.eye(len(mask), dtype=torch.bool)
    for _ in range(min(blocks, len(mask))):
        sees = (sees.float() @ mask.float()) > 0
    return sees.all(dim=0).nonzero().flatten().tolist()


def wrong_both_ends_suffice(mask, blocks):
    """A place counts as knowing all when it depends on the first and on the last token.

    Feedback: the places are not those that see everything
    """
    # wrong for: m = torch.eye(3).bool(); m[0, 2] = True; f(m, 1) gives [0], right []
    sees = torch.eye(len(mask), dtype=torch.bool)
    for _ in range(min(blocks, len(mask))):
        sees = (sees.float() @ mask.float()) > 0
    return (sees[:, 0] & sees[:, -1]).nonzero().flatten().tolist()


def right_sets_grown_by_neighbours(mask, blocks):
    """Sets of places, one a token, that take in what their members saw; stops when nobody learns anything new."""
    rows = mask.tolist()
    sees = [{s for s, yes in enumerate(row) if yes} for row in rows]
    knows = [{t} for t in range(len(rows))]
    for _ in range(blocks):
        wider = [set().union(*(knows[s] for s in sees[t])) for t in range(len(rows))]
        if wider == knows:
            break
        knows = wider
    return [t for t, known in enumerate(knows) if len(known) == len(rows)]


def right_shortest_ways(mask, blocks):
    """Shortest ways between all pairs by Floyd and Warshall; a place knows all when its longest is not over blocks."""
    T = mask.shape[0]
    far = torch.full((T, T), float("inf"), dtype=torch.float64)
    far[mask] = 1.0
    far.fill_diagonal_(0.0)
    for middle in range(T):
        far = torch.minimum(far, far[:, middle, None] + far[None, middle, :])
    return (far.amax(dim=1) <= blocks).nonzero().flatten().tolist()


# STATEMENT: "a causal mask: only the last place" is not so for T = 1 with 0 blocks only; fine. Is T = 0 a mask? Not said.
# "It must survive a thousand blocks" gives no time; a doubling is not asked for.
