"""Wrong answers to 09.5. A docstring holds the words that only this fault's feedback contains."""


def _objects(prompt):
    return [prompt[i : i + 3] for i in range(1, len(prompt) - 3, 4)]


def _join(prompt, objects):
    row = prompt[:1]
    for number, words in enumerate(objects):
        row = row + ([4] if number else []) + words
    return row + prompt[-3:]


def _cut(prompt, room, keep_asked=True):
    objects = _objects(prompt)
    while 4 * len(objects) + 3 > room:
        spare = [k for k, words in enumerate(objects) if not keep_asked or words[2] != prompt[-2]]
        if not spare or len(objects) == 1:
            raise ValueError("no room")
        del objects[spare[0]]
    return objects


def last_tokens(prompt, room):
    """<bos> is no longer at the beginning"""
    if room < 7:
        raise ValueError("no room")
    return prompt[-room:]


def leaves_the_and(prompt, room):
    """not made of whole objects"""
    kept = _cut(prompt, room)
    row = list(prompt)
    for words in _objects(prompt):
        if words not in kept:
            start = row.index(words[2]) - 2
            del row[start : start + 3]
    return row


def first_tokens(prompt, room):
    """the question at the end has changed"""
    if room < 7:
        raise ValueError("no room")
    return prompt[:room]


def drops_what_is_asked(prompt, room):
    """the object that is asked for was dropped"""
    return _join(prompt, _cut(prompt, room, keep_asked=False))


def drops_only_one(prompt, room):
    """the result is longer than the room"""
    if room < 7:
        raise ValueError("no room")
    return _join(prompt, _cut(prompt, max(room, len(prompt) - 4)))


def asked_alone(prompt, room):
    """the asked object is kept alone"""
    if room < 7:
        raise ValueError("no room")
    if len(prompt) <= room:
        return prompt
    return _join(prompt, [words for words in _objects(prompt) if words[2] == prompt[-2]])


def one_token_too_careful(prompt, room):
    """a prompt that fills the room exactly is cut"""
    return _join(prompt, _cut(prompt, room - 1)) if room > 7 else _join(prompt, _cut(prompt, room))


def asked_first(prompt, room):
    """do not stand in their old order"""
    if len(prompt) <= room:
        return prompt
    objects = _cut(prompt, room)
    return _join(prompt, sorted(objects, key=lambda words: words[2] != prompt[-2]))


def no_error(prompt, room):
    """a room for no object at all"""
    return _join(prompt, _cut(prompt, max(room, 7)))


EQUAL = {
    "3  ->  4  (2)": "objects start at 1, 5, ...: the next start after the last one lies outside",
    "3  ->  2  (2)": "the last object starts three tokens before the question",
    "0  ->  -1": "which of the objects that are not asked for goes is left open",
}
