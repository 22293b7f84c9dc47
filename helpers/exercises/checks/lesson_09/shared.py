"""What several checks of lesson 09 need."""

import torch


def tree(draw: torch.Generator, count: int) -> list[list[int]]:
    """Return different sentences of ids 3 to 5 with <bos> and <eos>; many begin alike."""
    found = []
    while len(found) < count:
        length = int(torch.randint(1, 5, (), generator=draw))
        sentence = [1, *torch.randint(3, 6, (length,), generator=draw).tolist(), 2]
        if sentence not in found:
            found.append(sentence)
    return found


def begin(sentences: list[list[int]], prompt: list[int]) -> list[int]:
    """Return the indices of the sentences that begin with the prompt."""
    return [i for i, sentence in enumerate(sentences) if sentence[: len(prompt)] == prompt]


BOS, A, AND, THE, IS, LARGE, SMALL, SHAPE = 1, 3, 4, 5, 6, 7, 8, 9  # the ids of recall


def objects_of(draw: torch.Generator, count: int) -> list[list[int]]:
    """Return objects [size, shape] with different shapes."""
    sizes = torch.randint(LARGE, SMALL + 1, (count,), generator=draw).tolist()
    shapes = (SHAPE + torch.randperm(8, generator=draw)[:count]).tolist()
    return [list(pair) for pair in zip(sizes, shapes, strict=True)]


def cases(draw: torch.Generator):
    """Yield (objects, asked, room, how many must be left)."""
    for count in (2, 3, 5):
        for asked in range(count):
            objects = objects_of(draw, count)
            for left in range(1, count):
                for room in (4 * left + 3, 4 * left + 6):
                    if count < 5 or (asked + left + room) % 3 == 0:  # a part of the many
                        yield objects, asked, room, left
