def fit(prompt, room):
    """Return the prompt with as many whole objects as fit into `room` tokens.

    The asked object always stays. Raises: ValueError if not even one object fits.
    """
    # Why not keep the asked object alone? The model never met a prompt with one object: in all 8
    # such questions (four shapes, two sizes) its most likely next word is not even a size.
    objects = [prompt[i : i + 3] for i in range(1, len(prompt) - 3, 4)]  # a SIZE SHAPE
    asked = prompt[-2]
    while 4 * len(objects) + 3 > room:
        spare = [number for number, words in enumerate(objects) if words[2] != asked]
        if not spare:
            raise ValueError("not even one object fits")
        del objects[spare[0]]
    fitted = prompt[:1] + objects[0]
    for words in objects[1:]:
        fitted += [prompt[4], *words]  # the id of "and"
    return fitted + prompt[-3:]
