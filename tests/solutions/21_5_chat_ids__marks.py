def chat_ids(turns, system, special):
    """Parts first, each a command or a text, and ids at the end."""
    has_system = bool(turns) and turns[0][0] == "system"
    parts = []
    for role, text in [*([] if has_system else [("system", system)]), *turns]:
        parts += [("<|im_start|>", True), (role + "\n", False), (text, False)]
        parts += [("<|im_end|>", True), ("\n", False)]
    parts += [("<|im_start|>", True), ("assistant\n", False)]
    ids = []
    for text, command in parts:
        ids.extend([special[text]] if command else text.encode("utf-8"))
    return ids
