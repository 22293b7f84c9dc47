def chat_ids(turns, system, special):
    """Return the ids of a conversation, as a list; the assistant's turn is left open at the end.

    turns: [role, text] pairs. system: the text of the system turn where the first turn is none.
    special: the ids of "<|im_start|>" and "<|im_end|>"; all else is written as its bytes in UTF-8.
    """
    start, end = special["<|im_start|>"], special["<|im_end|>"]
    if not turns or turns[0][0] != "system":
        turns = [["system", system], *turns]
    ids = []
    for role, text in turns:
        ids += [start, *f"{role}\n{text}".encode(), end, *b"\n"]
    return [*ids, start, *b"assistant\n"]
