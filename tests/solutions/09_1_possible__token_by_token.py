def possible(sentences, prompt):
    """Rule out, place by place, what differs."""
    left = list(range(len(sentences)))
    for place, token in enumerate(prompt):
        left = [i for i in left if len(sentences[i]) > place and sentences[i][place] == token]
    return tuple(left)
