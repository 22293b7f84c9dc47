from itertools import combinations


def _objects(prompt):
    return [prompt[i : i + 3] for i in range(1, len(prompt) - 3, 4)]


def _build(prompt, objects):
    ids = [prompt[0]]
    for number, thing in enumerate(objects):
        ids += ([4] if number else []) + thing
    return ids + prompt[-3:]


def wrong_asked_alone(prompt, room):
    """A prompt that does not fit is cut down to the asked object alone, whatever the room.

    Feedback: the asked object is kept alone, though others would fit
    """
    # wrong for: three objects, room 11: gives 7 tokens, right 11
    if len(prompt) <= room:
        return list(prompt)
    if room < 7:
        raise ValueError("no room")
    return _build(prompt, [o for o in _objects(prompt) if o[2] == prompt[-2]])


def wrong_last_ones_kept(prompt, room):
    """As many objects as fit are kept from the end, and the asked one may go.

    Feedback: the object that is asked for was dropped
    """
    # wrong for: three objects, the first is asked about, room 11: the asked object is gone
    if room < 7:
        raise ValueError("no room")
    if len(prompt) <= room:
        return list(prompt)
    return _build(prompt, _objects(prompt)[-((room - 3) // 4) :])


def wrong_asked_goes_last(prompt, room):
    """The asked object is taken out and set behind the others, so the order changes.

    Feedback: the objects that are left do not stand in their old order
    """
    # wrong for: three objects, the first is asked about, room 11: gives object 2 or 3, then 1; right 1 first
    if len(prompt) <= room:
        return list(prompt)
    count = (room - 3) // 4
    if count < 1:
        raise ValueError("no room")
    others = [o for o in _objects(prompt) if o[2] != prompt[-2]]
    asked = [o for o in _objects(prompt) if o[2] == prompt[-2]]
    return _build(prompt, others[: count - 1] + asked)


def wrong_one_dropped_at_most(prompt, room):
    """If the prompt is too long one object is dropped, and only one.

    Feedback: the result is longer than the room
    """
    # wrong for: four objects (19 tokens), room 11: gives 15 tokens, right 11
    if room < 7:
        raise ValueError("no room")
    objects = _objects(prompt)
    if len(prompt) > room:
        objects.remove(next(o for o in objects if o[2] != prompt[-2]))
    return _build(prompt, objects)


def wrong_and_left_in_front(prompt, room):
    """An object is dropped with the "and" before it, so without the first one an "and" follows
    <bos>.

    Feedback: it raised ValueError
    """
    # wrong for: three objects, the last is asked about, room 11: gives <bos> and a ..., right <bos> a ...
    ids = list(prompt)
    places = [i for i in range(1, len(prompt) - 3, 4) if prompt[i + 2] != prompt[-2]]
    gone = set()
    while len(prompt) - len(gone) > room and places:
        start = places.pop(0)
        gone |= set(range(max(1, start - 1), start + 3))
    if len(prompt) - len(gone) > room:
        raise ValueError("no room")
    return [token for i, token in enumerate(ids) if i not in gone]


def wrong_room_for_one_and_more(prompt, room):
    """Each object is counted as four tokens, although the first has no "and": exact fits are
    missed.

    Feedback: it raised ValueError
    """
    # wrong for: three objects, room 11: gives 7 tokens, right 11; room 7: raises ValueError, right 7 tokens
    if len(prompt) <= room:
        return list(prompt)
    count = (room - 4) // 4
    if count < 1:
        raise ValueError("no room")
    objects = _objects(prompt)
    for thing in objects[::-1]:
        if len(objects) > count and thing[2] != prompt[-2]:
            objects.remove(thing)
    return _build(prompt, objects)


def right_every_choice_tried(prompt, room):
    """Try all choices of objects, the largest first, until one fits and holds the asked one."""
    objects = _objects(prompt)
    for count in range(min(len(objects), max(0, (room - 3) // 4)), 0, -1):
        for chosen in combinations(objects, count):
            if prompt[-2] in [o[2] for o in chosen]:
                return _build(prompt, list(chosen))
    raise ValueError("not even one object fits")


def right_one_less_and_again(prompt, room):
    """Recursion: cut one object that is not asked about out of the row of ids, then call again."""

    def again(ids):
        if len(ids) <= room:
            return ids[:]
        if len(ids) <= 7:
            raise ValueError("not even one object fits")
        # the first object, or if it is asked about, the "and" before the last and the last
        start = 1 if ids[3] != ids[-2] else len(ids) - 7
        return again(ids[:start] + ids[start + 4 :])

    return again(prompt)


# STATEMENT: whether a room of 0 or below is allowed is not said (ValueError follows). The ids of SIZE and SHAPE
# are said only by "those of recall"; whether more sizes may come, or a shape id below 9, is not said. "Comes back
# unchanged": the same list or an equal one, and may the list that went in be changed? Not said.
